/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/graph/record_fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void record_refuse(struct record_reader *reader, const char *format, ...)
{
    if (!reader->good)
        return;
    va_list arguments;
    va_start(arguments, format);
    const struct record_problem problem = {reader->kind, reader->index,
                                           arena_vprintf(reader->arena, format, arguments)};
    va_end(arguments);
    VEC_PUSH(reader->arena, &reader->batch->refused, problem);
    reader->good = false;
}

int64_t record_read_time(struct record_reader *reader, const cJSON *value, const char *name)
{
    if (cJSON_IsNumber(value) && value->valuedouble >= 0 && value->valuedouble < 0x1p63)
        return (int64_t)value->valuedouble;
    if (cJSON_IsString(value) && *value->valuestring >= '0' && *value->valuestring <= '9') {
        char *end = NULL;
        errno = 0;
        const long long time = strtoll(value->valuestring, &end, 10);
        if (!*end && !errno)
            return time;
    }
    record_refuse(reader, "%s: expected nanoseconds since 1970", name);
    return 0;
}

const char *record_read_text(struct record_reader *reader, const cJSON *value, const char *name)
{
    if (!value || cJSON_IsNull(value))
        return "";
    if (!cJSON_IsString(value)) {
        record_refuse(reader, "%s: expected a text", name);
        return "";
    }
    const size_t length = strlen(value->valuestring);
    if (length > RECORD_TEXT_MOST) {
        record_refuse(reader, "%s: expected at most %d bytes, found %zu", name, RECORD_TEXT_MOST,
                      length);
        return "";
    }
    return arena_strndup(reader->arena, value->valuestring, length);
}

const char *record_read_attributes(struct record_reader *reader, const cJSON *object)
{
    if (!object || cJSON_IsNull(object) || (cJSON_IsObject(object) && !object->child))
        return "";
    char *printed = cJSON_IsObject(object) ? cJSON_PrintUnformatted(object) : NULL;
    const char *text = "";
    if (!printed)
        record_refuse(reader, "attributes: expected an object");
    else if (strlen(printed) > RECORD_ATTRIBUTES_MOST)
        record_refuse(reader, "attributes: expected at most %d bytes, found %zu",
                      RECORD_ATTRIBUTES_MOST, strlen(printed));
    else
        text = arena_strdup(reader->arena, printed);
    cJSON_free(printed);
    return text;
}

/* Places of sources, sorted so that equal ones are neighbours, the first one first. */
static int compare_places(const void *one, const void *other, void *context)
{
    const struct fathom_trace_id *ids = context;
    const uint32_t a = *(const uint32_t *)one;
    const uint32_t b = *(const uint32_t *)other;
    const int order = memcmp(ids[a].bytes, ids[b].bytes, sizeof(ids[a].bytes));
    return order ? order : (a > b) - (a < b);
}

static size_t without_repeated(struct arena *arena, struct fathom_trace_id *ids, size_t count)
{
    if (count < 2)
        return count;
    uint32_t *places = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        places[i] = i;
    qsort_r(places, count, sizeof(*places), compare_places, ids);
    bool *repeated = ARENA_ARRAY(arena, bool, count);
    for (size_t i = 1; i < count; i++)
        repeated[places[i]] = fathom_trace_id_equal(&ids[places[i]], &ids[places[i - 1]]);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!repeated[i])
            ids[kept++] = ids[i];
    return kept;
}

void record_add_mergelog(struct record_reader *reader, struct fathom_trace_mergelog *mergelog,
                         struct fathom_trace_id *sources)
{
    if (!reader->good)
        return;
    mergelog->sources = sources;
    mergelog->source_count = without_repeated(reader->arena, sources, mergelog->source_count);
    VEC_PUSH(reader->arena, &reader->batch->mergelogs, *mergelog);
    VEC_PUSH(reader->arena, &reader->batch->mergelog_index, reader->index);
}

void record_add_span(struct record_reader *reader, const struct span_record *span)
{
    if (!reader->good)
        return;
    VEC_PUSH(reader->arena, &reader->batch->spans, *span);
    VEC_PUSH(reader->arena, &reader->batch->span_index, reader->index);
}
