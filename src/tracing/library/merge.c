/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts into one: the root of their graph, or a new CPID for its roots. */
#include "tracing/library/context_graph.h"

#include <string.h>

struct fathom_trace_rules fathom_trace_rules_default(void)
{
    return (struct fathom_trace_rules){
        .mode = FATHOM_TRACE_ORDERED, .order = FATHOM_TRACE_CONCAT, .ancestors_most = 8};
}

/* Duplicates keep their first position. False: the list is full. */
static bool add_ancestor(struct fathom_trace_context *context, uint32_t most,
                         const struct fathom_trace_id *id)
{
    for (uint32_t i = 0; i < context->ancestor_count; i++)
        if (fathom_trace_id_equal(&context->ancestors[i], id))
            return true;
    if (context->ancestor_count == most)
        return false;
    context->ancestors[context->ancestor_count++] = *id;
    return true;
}

static void add_concatenated(struct fathom_trace_context *context, uint32_t most,
                             const struct context_graph *graph)
{
    for (uint32_t i = 0; i < graph->list_count; i++) {
        const struct context_list *list = &graph->lists[i];
        bool room = add_ancestor(context, most, &list->root);
        for (uint32_t j = 0; j < list->count && room; j++)
            room = add_ancestor(context, most, &list->ancestors[j]);
        if (!room)
            return;
    }
}

static void add_by_level(struct fathom_trace_context *context, uint32_t most,
                         const struct context_graph *graph)
{
    bool room = true;
    for (uint32_t i = 0; i < graph->list_count && room; i++)
        room = add_ancestor(context, most, &graph->lists[i].root);
    bool deeper = room;
    for (uint32_t level = 0; deeper; level++) {
        deeper = false;
        for (uint32_t i = 0; i < graph->list_count && room; i++)
            if (level < graph->lists[i].count) {
                deeper = true;
                room = add_ancestor(context, most, &graph->lists[i].ancestors[level]);
            }
        deeper = deeper && room;
    }
}

static void keep_root(struct fathom_trace_context *result, uint32_t most,
                      const struct context_list *list)
{
    result->id = list->root;
    result->ancestor_count = list->count < most ? list->count : most;
    if (result->ancestor_count)
        memcpy(result->ancestors, list->ancestors,
               result->ancestor_count * sizeof(result->ancestors[0]));
}

enum fathom_trace_merged fathom_trace_merge_contexts(
    const struct fathom_trace_rules *rules, const struct fathom_trace_context *contexts,
    size_t count, const struct fathom_trace_id *fresh, struct fathom_trace_context *result,
    struct fathom_trace_id *sources, size_t *source_count)
{
    const uint32_t most = rules->ancestors_most < FATHOM_TRACE_ANCESTORS_MOST
                              ? rules->ancestors_most
                              : FATHOM_TRACE_ANCESTORS_MOST;
    struct context_graph graph;
    context_graph_init(&graph, rules->mode);
    for (size_t i = 0; i < count; i++)
        if (!fathom_trace_id_is_none(&contexts[i].id))
            context_graph_add(&graph, &contexts[i]);
    /* Only now: the result may be one of the contexts. */
    result->id = (struct fathom_trace_id){{0}};
    result->ancestor_count = 0;
    *source_count = 0;
    enum fathom_trace_merged merged = FATHOM_TRACE_NEW;
    if (graph.failed) {
        merged = FATHOM_TRACE_FAILED;
    } else if (graph.list_count == 0) {
        merged = FATHOM_TRACE_ABSENT;
    } else if (graph.list_count == 1) {
        keep_root(result, most, &graph.lists[0]);
        merged = FATHOM_TRACE_KEPT;
    } else {
        result->id = *fresh;
        if (rules->order == FATHOM_TRACE_CONCAT)
            add_concatenated(result, most, &graph);
        else
            add_by_level(result, most, &graph);
        for (uint32_t i = 0; i < graph.list_count; i++)
            sources[i] = graph.lists[i].root;
        *source_count = graph.list_count;
    }
    context_graph_release(&graph);
    return merged;
}
