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

static void refuse_later(struct record_batch *batch, struct arena *arena, const char *kind,
                         uint32_t index)
{
    const struct record_problem problem = {kind, index,
                                           "it is dated ahead of the clock of the server"};
    VEC_PUSH(arena, &batch->refused, problem);
}

void record_batch_refuse_later(struct record_batch *batch, struct arena *arena, int64_t latest_ns)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < batch->mergelogs.count; i++) {
        if (batch->mergelogs.items[i].time_ns > latest_ns) {
            refuse_later(batch, arena, "mergelog", batch->mergelog_index.items[i]);
            continue;
        }
        batch->mergelogs.items[kept] = batch->mergelogs.items[i];
        batch->mergelog_index.items[kept++] = batch->mergelog_index.items[i];
    }
    batch->mergelogs.count = batch->mergelog_index.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < batch->spans.count; i++) {
        const struct span_record *span = &batch->spans.items[i];
        if (span->start_ns > latest_ns || span->end_ns > latest_ns) {
            refuse_later(batch, arena, "span", batch->span_index.items[i]);
            continue;
        }
        batch->spans.items[kept] = *span;
        batch->span_index.items[kept++] = batch->span_index.items[i];
    }
    batch->spans.count = batch->span_index.count = kept;
}
