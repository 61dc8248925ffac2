/* SPDX-License-Identifier: Apache-2.0 */
/* Records from JSON in their own form. */
#include "tracing/graph/record_internal.h"

#include "base/utf8.h"

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

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static void read_id(struct record_reader *reader, const cJSON *value, const char *name,
                    struct fathom_trace_id *id)
{
    if (!cJSON_IsString(value) ||
        !fathom_trace_id_parse(value->valuestring, strlen(value->valuestring), id))
        record_refuse(reader, "%s: expected a UUID", name);
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

static void read_mergelog(struct record_reader *reader, const cJSON *object)
{
    struct fathom_trace_mergelog mergelog = {0};
    struct fathom_trace_id *sources = NULL;
    const cJSON *list = member(object, "sources");
    read_id(reader, member(object, "cpid"), "cpid", &mergelog.cpid);
    mergelog.time_ns = record_read_time(reader, member(object, "timeUnixNano"), "timeUnixNano");
    if (list && !cJSON_IsArray(list)) {
        record_refuse(reader, "sources: expected a list of UUIDs");
        return;
    }
    const int count = cJSON_GetArraySize(list);
    if (count > RECORD_SOURCES_MOST) {
        record_refuse(reader, "sources: expected at most %d, found %d", RECORD_SOURCES_MOST, count);
        return;
    }
    if (count)
        sources = ARENA_ARRAY(reader->arena, struct fathom_trace_id, (size_t)count);
    const cJSON *source = NULL;
    cJSON_ArrayForEach(source, list)
        read_id(reader, source, "sources", &sources[mergelog.source_count++]);
    record_add_mergelog(reader, &mergelog, sources);
}

static void read_span(struct record_reader *reader, const cJSON *object)
{
    struct span_record span = {0};
    const cJSON *parent = member(object, "parentId");
    read_id(reader, member(object, "cpid"), "cpid", &span.cpid);
    read_id(reader, member(object, "spanId"), "spanId", &span.span_id);
    if (parent && !cJSON_IsNull(parent) && !(cJSON_IsString(parent) && !*parent->valuestring))
        read_id(reader, parent, "parentId", &span.parent_id);
    span.start_ns =
        record_read_time(reader, member(object, "startTimeUnixNano"), "startTimeUnixNano");
    span.end_ns = record_read_time(reader, member(object, "endTimeUnixNano"), "endTimeUnixNano");
    if (span.end_ns < span.start_ns)
        record_refuse(reader, "endTimeUnixNano: expected at least startTimeUnixNano");
    span.service = record_read_text(reader, member(object, "service"), "service");
    if (!*span.service)
        record_refuse(reader, "service: expected the name of a controller");
    span.name = record_read_text(reader, member(object, "name"), "name");
    span.object = record_read_text(reader, member(object, "object"), "object");
    span.version_read =
        record_read_text(reader, member(object, "resourceVersionRead"), "resourceVersionRead");
    span.version_written = record_read_text(reader, member(object, "resourceVersionWritten"),
                                            "resourceVersionWritten");
    span.attributes = record_read_attributes(reader, member(object, "attributes"));
    record_add_span(reader, &span);
}

static void read_list(struct record_reader *reader, const cJSON *list, const char *kind,
                      void (*read)(struct record_reader *reader, const cJSON *object))
{
    const cJSON *item = NULL;
    reader->kind = kind;
    reader->index = 0;
    cJSON_ArrayForEach(item, list)
    {
        reader->good = true;
        if (cJSON_IsObject(item))
            read(reader, item);
        else
            record_refuse(reader, "expected an object");
        reader->index++;
    }
}

static void read_one(struct record_reader *reader, const cJSON *object, const char *kind,
                     void (*read)(struct record_reader *reader, const cJSON *object))
{
    reader->kind = kind;
    reader->index = 0;
    reader->good = true;
    read(reader, object);
}

/* One record, a list, or a list by its name. NULL, or what is wrong. */
static const char *read_kind(struct record_reader *reader, const cJSON *root, bool spans)
{
    const char *kind = spans ? "span" : "mergelog";
    const cJSON *list = cJSON_IsArray(root) ? root : member(root, spans ? "spans" : "mergelogs");
    void (*read)(struct record_reader *, const cJSON *) = spans ? read_span : read_mergelog;
    if (cJSON_IsArray(list))
        read_list(reader, list, kind, read);
    else if (list)
        return spans ? "spans: expected a list" : "mergelogs: expected a list";
    else if (member(root, "cpid"))
        read_one(reader, root, kind, read);
    else
        return spans ? "expected a span, a list of spans, or {\"spans\": [...]}"
                     : "expected a mergelog, a list of mergelogs, or {\"mergelogs\": [...]}";
    return NULL;
}

static const char *read_both(struct record_reader *reader, const cJSON *root)
{
    const cJSON *mergelogs = member(root, "mergelogs");
    const cJSON *spans = member(root, "spans");
    if (!cJSON_IsObject(root) || (!mergelogs && !spans) ||
        (mergelogs && !cJSON_IsArray(mergelogs)) || (spans && !cJSON_IsArray(spans)))
        return "expected {\"mergelogs\": [...], \"spans\": [...]}";
    read_list(reader, mergelogs, "mergelog", read_mergelog);
    read_list(reader, spans, "span", read_span);
    return NULL;
}

static const char *read_form(struct record_reader *reader, enum record_form form, const cJSON *root)
{
    switch (form) {
    case RECORD_FORM_MERGELOGS: return read_kind(reader, root, false);
    case RECORD_FORM_SPANS: return read_kind(reader, root, true);
    case RECORD_FORM_BOTH: return read_both(reader, root);
    case RECORD_FORM_OTLP: break;
    }
    const cJSON *resource_spans = member(root, "resourceSpans");
    if (!cJSON_IsObject(root) || (resource_spans && !cJSON_IsArray(resource_spans)))
        return "expected {\"resourceSpans\": [...]}";
    record_read_otlp(reader, resource_spans);
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
