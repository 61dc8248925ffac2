/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a trace server is sent: the first byte chooses the form, the rest is the
 * body; or it is an annotation. Either there is an error, or there are records;
 * written as JSON and read again they are the same; the graph that they make has
 * no cycle and does not change when they come again.
 */
#include "harness.h"

#include "tracing/graph/graph.h"
#include "tracing/graph/record.h"

#include <string.h>

static const char *written(struct arena *arena, const struct record_batch *batch)
{
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    json_object_begin(&json, NULL);
    json_array_begin(&json, "mergelogs");
    for (uint32_t i = 0; i < batch->mergelogs.count; i++)
        record_write_mergelog(&json, NULL, &batch->mergelogs.items[i]);
    json_array_end(&json);
    json_array_begin(&json, "spans");
    for (uint32_t i = 0; i < batch->spans.count; i++)
        record_write_span(&json, NULL, &batch->spans.items[i]);
    json_array_end(&json);
    json_object_end(&json);
    const char *copy = arena_strdup(arena, text_content(&text));
    text_release(&text);
    return copy;
}

static void require_round_trip(struct arena *arena, const struct record_batch *batch)
{
    const char *once = written(arena, batch);
    struct record_batch again;
    const char *error = NULL;
    FUZZ_REQUIRE(record_batch_read(arena, RECORD_FORM_BOTH, once, strlen(once), &again, &error));
    FUZZ_REQUIRE(again.refused.count == 0);
    FUZZ_REQUIRE(strcmp(once, written(arena, &again)) == 0);
}

static uint32_t put_all(struct merge_graph *graph, const struct record_batch *batch)
{
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < batch->mergelogs.count; i++) {
        const enum merge_put done = merge_graph_put(graph, &batch->mergelogs.items[i]);
        accepted += done == MERGE_ADDED || done == MERGE_KNOWN;
    }
    for (uint32_t i = 0; i < batch->spans.count; i++)
        merge_graph_mention(graph, &batch->spans.items[i].cpid, batch->spans.items[i].start_ns);
    return accepted;
}

static void require_sound_graph(struct arena *arena, const struct record_batch *batch)
{
    struct merge_graph *graph = merge_graph_create(arena->memory);
    const uint32_t accepted = put_all(graph, batch);
    const uint32_t nodes = merge_graph_count(graph);
    const uint32_t edges = merge_graph_edge_count(graph);
    FUZZ_REQUIRE(put_all(graph, batch) == accepted);
    FUZZ_REQUIRE(merge_graph_count(graph) == nodes && merge_graph_edge_count(graph) == edges);
    for (uint32_t i = 0; i < merge_graph_end(graph) && i < 100; i++)
        FUZZ_REQUIRE(merge_graph_roots(graph, i).count > 0);
    uint32_t oldest = 0;
    while ((oldest = merge_graph_oldest(graph)) != MERGE_NOWHERE)
        FUZZ_REQUIRE(merge_graph_remove(graph, oldest, NULL, NULL));
    FUZZ_REQUIRE(merge_graph_count(graph) == 0 && merge_graph_edge_count(graph) == 0);
    merge_graph_free(graph);
}

static void read_records(struct arena *arena, enum record_form form, const char *bytes,
                         size_t count)
{
    struct record_batch batch;
    const char *error = NULL;
    if (!record_batch_read(arena, form, bytes, count, &batch, &error)) {
        FUZZ_REQUIRE(error && *error);
        return;
    }
    for (uint32_t i = 0; i < batch.refused.count; i++)
        FUZZ_REQUIRE(*batch.refused.items[i].error);
    require_round_trip(arena, &batch);
    require_sound_graph(arena, &batch);
}

static void read_annotations(struct arena *arena, const char *bytes, size_t count)
{
    char *text = arena_strndup(arena, bytes, count);
    char *second = strchr(text, '\n');
    if (second)
        *second++ = '\0';
    const struct fathom_trace_annotation annotations[] = {
        {FATHOM_TRACE_ANNOTATION_ANCESTORS, second ? second : ""},
        {FATHOM_TRACE_ANNOTATION_TRACEPARENT, text},
        {second ? FATHOM_TRACE_ANNOTATION_ID : "other", text},
    };
    struct fathom_trace_context context;
    struct fathom_trace_context again;
    if (!fathom_trace_extract(annotations, 3, &context))
        return;
    struct fathom_trace_annotations injected;
    fathom_trace_inject(&context, NULL, &injected);
    FUZZ_REQUIRE(fathom_trace_extract(injected.items, injected.count, &again));
    FUZZ_REQUIRE(context.ancestor_count == again.ancestor_count);
    FUZZ_REQUIRE(memcmp(&context.id, &again.id, sizeof(context.id)) == 0);
}

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    if (!count)
        return;
    if (*bytes == 'a')
        read_annotations(arena, bytes + 1, count - 1);
    else
        read_records(arena, (enum record_form)((unsigned char)*bytes % 4), bytes + 1, count - 1);
}
