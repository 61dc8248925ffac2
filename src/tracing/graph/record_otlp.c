/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spans from OTLP/HTTP in JSON, as any OpenTelemetry exporter sends them.
 *
 * A trace id is a CPID, unless an attribute `cpid.id` says another one (exports
 * that show several CPIDs as one trace). What the mapping knows becomes a member
 * of the span (see docs/trace.md), everything else one of its attributes. Two
 * marks carry mergelogs, as `fathom trace show -o otlp` writes them: `cpid.root`:
 * the CPID is a root; links with `cpid.link` "merge": the span is nothing but a
 * mergelog, and these are its sources.
 */
#include "tracing/graph/record_otlp.h"

#include <stdio.h>
#include <string.h>

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* So many hexadecimal digits, not all of them zero, into the first bytes. */
static bool parse_digits(const cJSON *value, size_t digits, struct fathom_trace_id *id)
{
    if (!cJSON_IsString(value) || strlen(value->valuestring) != digits)
        return false;
    char padded[33];
    memset(padded, '0', sizeof(padded) - 1);
    memcpy(padded, value->valuestring, digits);
    padded[32] = '\0';
    char uuid[FATHOM_TRACE_ID_TEXT];
    snprintf(uuid, sizeof(uuid), "%.8s-%.4s-%.4s-%.4s-%.12s", padded, padded + 8, padded + 12,
             padded + 16, padded + 20);
    return fathom_trace_id_parse(uuid, strlen(uuid), id);
}

static bool parse_trace(const cJSON *value, struct fathom_trace_id *id)
{
    return parse_digits(value, 32, id);
}

static bool parse_span(const cJSON *value, struct fathom_trace_id *id)
{
    return parse_digits(value, 16, id);
}

/* {"key": k, "value": {"stringValue": v}}: v, or NULL. */
static const cJSON *attribute(const cJSON *attributes, const char *key, const char *type)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, attributes)
    {
        const cJSON *name = member(item, "key");
        if (cJSON_IsString(name) && strcmp(name->valuestring, key) == 0)
            return member(member(item, "value"), type);
    }
    return NULL;
}

static const char *text_attribute(struct record_reader *reader, const cJSON *attributes,
                                  const char *key)
{
    return record_read_text(reader, attribute(attributes, key, "stringValue"), key);
}

static bool is_mapped(const char *key)
{
    static const char *const mapped[] = {
        "cpid.id",         "k8s.namespace.name",   "k8s.object.kind",
        "k8s.object.name", "k8s.resource_version", "k8s.resource_version.read",
        "cpid.root",
    };
    for (size_t i = 0; i < sizeof(mapped) / sizeof(mapped[0]); i++)
        if (strcmp(key, mapped[i]) == 0)
            return true;
    return false;
}

/* A value of OTLP as plain JSON: the one member of {"intValue": "7"}. Numbers of
 * 64 bits stay texts, since JSON's own would not keep them. */
static cJSON *plain_value(const cJSON *value)
{
    static const char *const types[] = {"stringValue", "boolValue",   "intValue",  "doubleValue",
                                        "arrayValue",  "kvlistValue", "bytesValue"};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        const cJSON *found = member(value, types[i]);
        if (found)
            return cJSON_Duplicate(found, true);
    }
    return cJSON_CreateNull();
}

static void add_plain(cJSON *into, const cJSON *attributes)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, attributes)
    {
        const cJSON *key = member(item, "key");
        if (cJSON_IsString(key) && !is_mapped(key->valuestring))
            cJSON_AddItemToObject(into, key->valuestring, plain_value(member(item, "value")));
    }
}

static void add_if_there(cJSON *into, const char *key, const cJSON *value)
{
    const bool empty = !value || cJSON_IsNull(value) ||
                       ((cJSON_IsArray(value) || cJSON_IsObject(value)) && !value->child) ||
                       (cJSON_IsNumber(value) && value->valuedouble == 0);
    if (!empty)
        cJSON_AddItemToObject(into, key, cJSON_Duplicate(value, true));
}

static const char *other_attributes(struct record_reader *reader, const cJSON *span)
{
    cJSON *others = cJSON_CreateObject();
    add_plain(others, member(span, "attributes"));
    add_if_there(others, "otel.kind", member(span, "kind"));
    add_if_there(others, "otel.status_code", member(member(span, "status"), "code"));
    add_if_there(others, "otel.status_message", member(member(span, "status"), "message"));
    add_if_there(others, "otel.events", member(span, "events"));
    add_if_there(others, "otel.links", member(span, "links"));
    const char *text = record_read_attributes(reader, others);
    cJSON_Delete(others);
    return text;
}

/* "Kind/namespace/name", without what is not known. */
static const char *object_name(struct record_reader *reader, const cJSON *attributes)
{
    const char *kind = text_attribute(reader, attributes, "k8s.object.kind");
    const char *name_space = text_attribute(reader, attributes, "k8s.namespace.name");
    const char *name = text_attribute(reader, attributes, "k8s.object.name");
    if (!*kind)
        return "";
    return arena_printf(reader->arena, "%s%s%s%s%s", kind, *name_space ? "/" : "", name_space,
                        *name ? "/" : "", name);
}

/* Of a span or a link. */
static bool read_cpid(struct record_reader *reader, const cJSON *object, struct fathom_trace_id *id)
{
    const cJSON *said = attribute(member(object, "attributes"), "cpid.id", "stringValue");
    if (cJSON_IsString(said) &&
        fathom_trace_id_parse(said->valuestring, strlen(said->valuestring), id))
        return true;
    if (parse_trace(member(object, "traceId"), id))
        return true;
    record_refuse(reader, "traceId: expected 32 hexadecimal digits, not all zero");
    return false;
}

static bool is_source(const cJSON *link)
{
    const cJSON *relation = attribute(member(link, "attributes"), "cpid.link", "stringValue");
    return cJSON_IsString(relation) && strcmp(relation->valuestring, "merge") == 0;
}

static int count_sources(const cJSON *links)
{
    int count = 0;
    const cJSON *link = NULL;
    cJSON_ArrayForEach(link, links) count += is_source(link);
    return count;
}

static void read_merge(struct record_reader *reader, const cJSON *span, const cJSON *links,
                       int64_t time_ns)
{
    struct fathom_trace_mergelog mergelog = {.time_ns = time_ns};
    const int count = count_sources(links);
    if (count > RECORD_SOURCES_MOST) {
        record_refuse(reader, "links: expected at most %d, found %d", RECORD_SOURCES_MOST, count);
        return;
    }
    struct fathom_trace_id *sources =
        ARENA_ARRAY(reader->arena, struct fathom_trace_id, (size_t)count + 1);
    bool good = read_cpid(reader, span, &mergelog.cpid);
    const cJSON *link = NULL;
    cJSON_ArrayForEach(link, links) if (good && is_source(link)) good =
        read_cpid(reader, link, &sources[mergelog.source_count++]);
    if (good)
        record_add_mergelog(reader, &mergelog, sources);
}

static void read_ids(struct record_reader *reader, const cJSON *object, struct span_record *span)
{
    const cJSON *parent = member(object, "parentSpanId");
    read_cpid(reader, object, &span->cpid);
    if (!parse_span(member(object, "spanId"), &span->span_id))
        record_refuse(reader, "spanId: expected 16 hexadecimal digits, not all zero");
    if (parent && !cJSON_IsNull(parent) && !(cJSON_IsString(parent) && !*parent->valuestring) &&
        !parse_span(parent, &span->parent_id))
        record_refuse(reader, "parentSpanId: expected 16 hexadecimal digits, not all zero");
}

static void read_span(struct record_reader *reader, const cJSON *object, const char *service)
{
    const cJSON *attributes = member(object, "attributes");
    struct span_record span = {.service = service};
    span.start_ns =
        record_read_time(reader, member(object, "startTimeUnixNano"), "startTimeUnixNano");
    if (count_sources(member(object, "links"))) {
        read_merge(reader, object, member(object, "links"), span.start_ns);
        return;
    }
    if (cJSON_IsTrue(attribute(attributes, "cpid.root", "boolValue")))
        read_merge(reader, object, NULL, span.start_ns);
    read_ids(reader, object, &span);
    span.end_ns = record_read_time(reader, member(object, "endTimeUnixNano"), "endTimeUnixNano");
    if (span.end_ns < span.start_ns)
        record_refuse(reader, "endTimeUnixNano: expected at least startTimeUnixNano");
    span.name = record_read_text(reader, member(object, "name"), "name");
    span.object = object_name(reader, attributes);
    span.version_read = text_attribute(reader, attributes, "k8s.resource_version.read");
    span.version_written = text_attribute(reader, attributes, "k8s.resource_version");
    span.attributes = other_attributes(reader, object);
    record_add_span(reader, &span);
}

static void read_spans(struct record_reader *reader, const cJSON *spans, const char *service)
{
    const cJSON *span = NULL;
    cJSON_ArrayForEach(span, spans)
    {
        reader->good = true;
        if (cJSON_IsObject(span))
            read_span(reader, span, service);
        else
            record_refuse(reader, "expected an object");
        reader->index++;
    }
}

const char *record_read_otlp(struct record_reader *reader, const cJSON *root)
{
    const cJSON *resource_spans = member(root, "resourceSpans");
    const cJSON *resource = NULL;
    if (!cJSON_IsObject(root) || (resource_spans && !cJSON_IsArray(resource_spans)))
        return "expected {\"resourceSpans\": [...]}";
    reader->kind = "span";
    reader->index = 0;
    cJSON_ArrayForEach(resource, resource_spans)
    {
        const cJSON *attributes = member(member(resource, "resource"), "attributes");
        reader->good = true;
        const char *service = text_attribute(reader, attributes, "service.name");
        const cJSON *scope = NULL;
        cJSON_ArrayForEach(scope, member(resource, "scopeSpans"))
            read_spans(reader, member(scope, "spans"), *service ? service : "unknown_service");
    }
    return NULL;
}
