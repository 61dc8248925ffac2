/* SPDX-License-Identifier: Apache-2.0 */
/* A batch of records from a text, in the form that its sender has said. */
#include "tracing/graph/record.h"

#include "base/utf8.h"
#include "tracing/graph/record_native.h"
#include "tracing/graph/record_otlp.h"

#include <string.h>

static const char *read_form(struct record_reader *reader, enum record_form form, const cJSON *root)
{
    switch (form) {
    case RECORD_FORM_MERGELOGS: return record_read_kind(reader, root, false);
    case RECORD_FORM_SPANS: return record_read_kind(reader, root, true);
    case RECORD_FORM_BOTH: return record_read_both(reader, root);
    case RECORD_FORM_OTLP: return record_read_otlp(reader, root);
    }
    return NULL;
}

bool record_batch_read(struct arena *arena, enum record_form form, const char *json, size_t length,
                       struct record_batch *batch, const char **error)
{
    *batch = (struct record_batch){0};
    const size_t valid = utf8_valid_prefix(json, length);
    if (valid < length) {
        *error = arena_printf(arena, "byte %zu is not UTF-8", valid);
        return false;
    }
    const char *end = json;
    cJSON *root = cJSON_ParseWithLengthOpts(json, length, &end, false);
    if (!root) {
        *error = arena_printf(arena, "not JSON, from byte %zu on", (size_t)(end - json));
        return false;
    }
    const size_t read = (size_t)(end - json);
    while (end < json + length && strchr(" \t\r\n", *end) && *end)
        end++;
    *error = end < json + length
                 ? arena_printf(arena, "more than one value, from byte %zu on", read)
                 : NULL;
    struct record_reader reader = {.arena = arena, .batch = batch};
    if (!*error)
        *error = read_form(&reader, form, root);
    cJSON_Delete(root);
    return !*error;
}
