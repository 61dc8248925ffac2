/* SPDX-License-Identifier: Apache-2.0 */
/* Records from JSON in their own form. */
#include "tracing/graph/record_native.h"

#include <string.h>

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

const char *record_read_kind(struct record_reader *reader, const cJSON *root, bool spans)
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

const char *record_read_both(struct record_reader *reader, const cJSON *root)
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
