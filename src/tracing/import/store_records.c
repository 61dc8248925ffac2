/* SPDX-License-Identifier: Apache-2.0 */
/* Records from and to the store of a trace server that is not running. */
#include "tracing/graph/store.h"
#include "tracing/import/kept_records.h"
#include "tracing/import/records.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct loading {
    struct arena *arena;
    struct record_batch *batch;
    struct merge_graph *graph;
};

static bool load_span(void *context, const struct span_record *span)
{
    const struct loading *loading = context;
    struct span_record copy = *span;
    copy.service = arena_strdup(loading->arena, span->service);
    copy.name = arena_strdup(loading->arena, span->name);
    copy.object = arena_strdup(loading->arena, span->object);
    copy.version_read = arena_strdup(loading->arena, span->version_read);
    copy.version_written = arena_strdup(loading->arena, span->version_written);
    copy.attributes = arena_strdup(loading->arena, span->attributes);
    VEC_PUSH(loading->arena, &loading->batch->spans, copy);
    return true;
}

static bool load_mergelog(void *context, uint32_t node)
{
    const struct loading *loading = context;
    const struct merge_node seen = merge_graph_node(loading->graph, node);
    const struct merge_nodes nodes = merge_graph_sources(loading->graph, node);
    struct fathom_trace_id *sources =
        ARENA_ARRAY(loading->arena, struct fathom_trace_id, (size_t)nodes.count + 1);
    if (!seen.known)
        return true;
    for (uint32_t i = 0; i < nodes.count; i++)
        sources[i] = merge_graph_node(loading->graph, nodes.items[i]).cpid;
    const struct fathom_trace_mergelog mergelog = {seen.cpid, sources, nodes.count, seen.time_ns};
    VEC_PUSH(loading->arena, &loading->batch->mergelogs, mergelog);
    return true;
}

static void complain(struct problems *problems, const char *path, const char *why)
{
    problem_error(problems, (struct place){0}, NULL, "%s: %s", path, why);
}

static struct trace_store *open_store(struct arena *arena, const char *path,
                                      struct problems *problems)
{
    const struct store_limits unlimited = {0};
    const char *error = NULL;
    struct trace_store *store = trace_store_open(arena->memory, path, &unlimited, arena, &error);
    if (!store)
        complain(problems, path, error);
    return store;
}

bool store_records_load(struct arena *arena, const char *path, struct record_batch *batch,
                        struct problems *problems)
{
    if (access(path, R_OK) != 0) { /* a store that is not there would be made */
        complain(problems, path, arena_printf(arena, "cannot be read: %s", strerror(errno)));
        return false;
    }
    struct trace_store *store = open_store(arena, path, problems);
    if (!store)
        return false;
    struct loading loading = {arena, batch, trace_store_graph(store)};
    struct trace_cursor cursor = {0};
    uint64_t after = 0;
    const bool good = trace_store_nodes_after(store, &after, UINT32_MAX, load_mergelog, &loading) &&
                      trace_store_spans_after(store, &cursor, UINT32_MAX, load_span, &loading);
    if (!good)
        complain(problems, path, trace_store_problem(store));
    trace_store_close(store);
    return good;
}

static void make_batch(struct arena *arena, const struct change_graph *graph,
                       struct record_batch *batch)
{
    for (uint32_t i = 0; i < graph->merges.count; i++) {
        const struct change_merge *merge = &graph->merges.items[i];
        const struct fathom_trace_mergelog mergelog = {merge->cpid, merge->sources,
                                                       merge->source_count, merge->time_ns};
        VEC_PUSH(arena, &batch->mergelogs, mergelog);
        VEC_PUSH(arena, &batch->mergelog_index, i);
    }
    for (uint32_t i = 0; i < graph->spans.count; i++) {
        struct span_record record;
        change_to_record(arena, graph, i, &record);
        VEC_PUSH(arena, &batch->spans, record);
        VEC_PUSH(arena, &batch->span_index, i);
    }
}

bool store_records_save(struct arena *arena, const char *path, const struct change_graph *graph,
                        struct problems *problems)
{
    struct record_batch batch = {0};
    struct store_put put = {0};
    struct trace_store *store = open_store(arena, path, problems);
    if (!store)
        return false;
    make_batch(arena, graph, &batch);
    const bool good = trace_store_put(store, arena, &batch, &put) == STORE_GOOD &&
                      trace_store_commit(store) == STORE_GOOD;
    if (!good)
        complain(problems, path, trace_store_problem(store));
    for (uint32_t i = 0; good && i < put.refused.count; i++)
        problem_error(problems, (struct place){0}, NULL, "%s: %s %u: %s", path,
                      put.refused.items[i].kind, put.refused.items[i].index,
                      put.refused.items[i].error);
    trace_store_close(store);
    return good && put.refused.count == 0;
}
