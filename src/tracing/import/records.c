/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/import/records.h"

#include "base/map.h"
#include "manifest/manifest.h"

#include <stdlib.h>
#include <string.h>

/* ---- to records ---- */

static void write_causes(struct json_out *json, const struct change_graph *graph,
                         const struct change_span *span)
{
    json_array_begin(json, "cpid.causes");
    for (uint32_t i = 0; i < span->cause_count; i++) {
        const struct change_span *cause = &graph->spans.items[span->causes[i].span];
        char text[FATHOM_TRACE_ID_TEXT];
        json_object_begin(json, NULL);
        fathom_trace_id_format(&cause->cpid, text);
        json_string(json, "cpid", text);
        fathom_trace_id_format(&cause->id, text);
        json_string(json, "span", text);
        json_string(json, "label", change_label_names[span->causes[i].label]);
        if (span->causes[i].rule)
            json_string(json, "rule", span->causes[i].rule);
        json_object_end(json);
    }
    json_array_end(json);
}

static const char *attributes_of(struct arena *arena, const struct change_graph *graph,
                                 const struct change_span *span)
{
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    json_object_begin(&json, NULL);
    if (span->root)
        json_boolean(&json, "cpid.root", true);
    if (span->call)
        json_boolean(&json, "cpid.call", true);
    if (span->failure)
        json_string(&json, "cpid.failure", span->failure);
    if (span->origin)
        json_string(&json, "k8s.audit.id", span->origin);
    if (span->object.uid)
        json_string(&json, "k8s.object.uid", span->object.uid);
    if (span->step >= 0)
        json_integer(&json, "mc.step", span->step);
    if (span->unlisted)
        json_integer(&json, "cpid.unlisted", span->unlisted);
    if (span->cause_count)
        write_causes(&json, graph, span);
    json_object_end(&json);
    const char *copy = text.length > 2 ? arena_strdup(arena, text_content(&text)) : "";
    text_release(&text);
    return copy;
}

static const char *object_text(struct arena *arena, const struct change_object *object)
{
    if (!object->kind)
        return "";
    if (!object->namespace || !*object->namespace)
        return arena_printf(arena, "%s/%s", object->kind, object->name ? object->name : "");
    return arena_printf(arena, "%s/%s/%s", object->kind, object->namespace,
                        object->name ? object->name : "");
}

void change_to_record(struct arena *arena, const struct change_graph *graph, uint32_t index,
                      struct span_record *record)
{
    const struct change_span *span = &graph->spans.items[index];
    *record = (struct span_record){
        .cpid = span->cpid,
        .span_id = span->id,
        .parent_id = span->parent,
        .start_ns = span->start_ns,
        .end_ns = span->end_ns,
        .service = span->service ? span->service : "",
        .name = span->name ? span->name : "",
        .object = object_text(arena, &span->object),
        .version_read = span->version_read ? span->version_read : "",
        .version_written = span->version_written ? span->version_written : "",
        .attributes = attributes_of(arena, graph, span),
    };
}

void change_write_records(struct json_out *json, const char *key, const struct change_graph *graph)
{
    struct arena scratch;
    arena_init(&scratch, json->text->memory);
    const struct arena_mark empty = arena_mark(&scratch);
    json_object_begin(json, key);
    json_array_begin(json, "mergelogs");
    for (uint32_t i = 0; i < graph->merges.count; i++) {
        const struct change_merge *merge = &graph->merges.items[i];
        const struct fathom_trace_mergelog mergelog = {
            .cpid = merge->cpid,
            .sources = merge->sources,
            .source_count = merge->source_count,
            .time_ns = merge->time_ns,
        };
        record_write_mergelog(json, NULL, &mergelog);
    }
    json_array_end(json);
    json_array_begin(json, "spans");
    for (uint32_t i = 0; i < graph->spans.count; i++) {
        struct span_record record;
        change_to_record(&scratch, graph, i, &record);
        record_write_span(json, NULL, &record);
        arena_rewind(&scratch, empty);
    }
    json_array_end(json);
    json_object_end(json);
    arena_release(&scratch);
}

/* ---- from records ---- */

struct records_reading {
    struct arena *arena;
    struct manifest_reader *reader;
    struct change_graph *graph;
    struct map by_id; /* CPID and id -> index + 1 */
};

static const char *text_or_null(struct arena *arena, const char *text)
{
    return text && *text ? arena_strdup(arena, text) : NULL;
}

struct change_object change_object_read(struct arena *arena, const char *text)
{
    struct change_object object = {0};
    const char *first = text ? strchr(text, '/') : NULL;
    if (!text || !*text)
        return object;
    if (!first) {
        object.kind = "";
        object.name = arena_strdup(arena, text);
        return object;
    }
    const char *second = strchr(first + 1, '/');
    object.kind = arena_strndup(arena, text, (size_t)(first - text));
    object.namespace = second ? arena_strndup(arena, first + 1, (size_t)(second - first - 1)) : "";
    object.name = arena_strdup(arena, (second ? second : first) + 1);
    return object;
}

static const char *id_key(struct arena *arena, const struct fathom_trace_id *cpid,
                          const struct fathom_trace_id *id)
{
    char first[FATHOM_TRACE_ID_TEXT];
    char second[FATHOM_TRACE_ID_TEXT];
    fathom_trace_id_format(cpid, first);
    fathom_trace_id_format(id, second);
    return arena_printf(arena, "%s %s", first, second);
}

static const struct value *read_attributes(struct records_reading *reading, const char *attributes)
{
    struct problems ignored;
    if (!attributes || !*attributes)
        return NULL;
    problems_init(&ignored, reading->arena);
    const struct document *document = manifest_reader_parse_json(
        reading->reader, reading->arena, (struct place){"attributes", 1, 1}, attributes,
        strlen(attributes), &ignored);
    return document ? &document->root : NULL;
}

static void read_span(struct records_reading *reading, const struct span_record *record)
{
    struct arena *arena = reading->arena;
    const struct value *attributes = read_attributes(reading, record->attributes);
    int64_t unlisted = 0;
    struct change_span span = {
        .cpid = record->cpid,
        .id = record->span_id,
        .parent = record->parent_id,
        .start_ns = change_instant(record->start_ns),
        .end_ns = change_instant(record->end_ns),
        .service = text_or_null(arena, record->service),
        .name = text_or_null(arena, record->name),
        .object = change_object_read(arena, record->object),
        .version_read = text_or_null(arena, record->version_read),
        .version_written = text_or_null(arena, record->version_written),
        .origin = value_find_string(attributes, "k8s.audit.id"),
        .failure = value_find_string(attributes, "cpid.failure"),
        .step = -1,
    };
    if (span.object.kind)
        span.object.uid = value_find_string(attributes, "k8s.object.uid");
    value_read_integer(value_find(attributes, "mc.step"), &span.step);
    value_read_integer(value_find(attributes, "cpid.unlisted"), &unlisted);
    value_read_boolean(value_find(attributes, "cpid.root"), &span.root);
    value_read_boolean(value_find(attributes, "cpid.call"), &span.call);
    span.unlisted = unlisted > 0 && unlisted < UINT32_MAX ? (uint32_t)unlisted : 0;
    VEC_PUSH(arena, &reading->graph->spans, span);
    map_put(&reading->by_id, id_key(arena, &span.cpid, &span.id))->value =
        (void *)(uintptr_t)reading->graph->spans.count;
}

/* An edge whose cause is not among the records is left out. */
static bool read_cause(const struct records_reading *reading, const struct value *entry,
                       struct change_cause *cause)
{
    const char *cpid_text = value_find_string(entry, "cpid");
    const char *id_text = value_find_string(entry, "span");
    const char *label = value_find_string(entry, "label");
    struct fathom_trace_id cpid;
    struct fathom_trace_id id;
    if (!cpid_text || !id_text || !label ||
        !fathom_trace_id_parse(cpid_text, strlen(cpid_text), &cpid) ||
        !fathom_trace_id_parse(id_text, strlen(id_text), &id))
        return false;
    const uintptr_t found = (uintptr_t)map_get(&reading->by_id, id_key(reading->arena, &cpid, &id));
    for (uint8_t i = 0; found && i < CHANGE_LABEL_COUNT; i++)
        if (strcmp(change_label_names[i], label) == 0) {
            *cause =
                (struct change_cause){(uint32_t)(found - 1), i, value_find_string(entry, "rule")};
            return true;
        }
    return false;
}

static void read_causes(struct records_reading *reading, struct change_span *span,
                        const struct span_record *record)
{
    const struct value *attributes = read_attributes(reading, record->attributes);
    const struct value *entries = value_find(attributes, "cpid.causes");
    uint32_t windows = 0;
    if (!entries || entries->kind != VALUE_SEQUENCE || entries->count == 0)
        return;
    struct change_cause *causes = ARENA_ARRAY(reading->arena, struct change_cause, entries->count);
    VALUE_EACH_ITEM(entries, entry)
    if (read_cause(reading, entry, &causes[span->cause_count]))
        windows += causes[span->cause_count++].label == CHANGE_TIME_WINDOW;
    span->causes = causes;
    span->choices = windows > 1 || span->unlisted ? windows : 0;
}

static int compare_records(const void *left, const void *right, void *context)
{
    const struct record_batch *batch = context;
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    const struct span_record *one = &batch->spans.items[a];
    const struct span_record *other = &batch->spans.items[b];
    if (one->start_ns != other->start_ns)
        return one->start_ns < other->start_ns ? -1 : 1;
    return a < b ? -1 : a > b;
}

void change_from_records(struct arena *arena, const struct record_batch *batch,
                         struct change_graph *graph)
{
    struct records_reading reading = {
        .arena = arena, .reader = manifest_reader_create(arena->memory), .graph = graph};
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, batch->spans.count + 1);
    *graph = (struct change_graph){.arena = arena};
    map_init(&reading.by_id, arena);
    for (uint32_t i = 0; i < batch->spans.count; i++)
        order[i] = i;
    if (batch->spans.count > 1)
        qsort_r(order, batch->spans.count, sizeof(*order), compare_records, (void *)batch);
    for (uint32_t i = 0; i < batch->spans.count; i++)
        read_span(&reading, &batch->spans.items[order[i]]);
    for (uint32_t i = 0; i < batch->spans.count; i++)
        read_causes(&reading, &graph->spans.items[i], &batch->spans.items[order[i]]);
    for (uint32_t i = 0; i < batch->mergelogs.count; i++) {
        const struct fathom_trace_mergelog *mergelog = &batch->mergelogs.items[i];
        const struct change_merge merge = {
            .cpid = mergelog->cpid,
            .sources = mergelog->source_count
                           ? arena_copy(arena, mergelog->sources,
                                        mergelog->source_count * sizeof(*mergelog->sources))
                           : NULL,
            .source_count = (uint32_t)mergelog->source_count,
            .time_ns = change_instant(mergelog->time_ns),
        };
        VEC_PUSH(arena, &graph->merges, merge);
    }
    manifest_reader_free(reading.reader);
}
