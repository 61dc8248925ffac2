/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is removed from the merge graph.
 *
 * A CPID that was merged from others is never removed directly: it is removed
 * with the last of its sources. CPIDs without sources can be removed, the
 * oldest first.
 */
#include "tracing/graph/graph_candidates.h"

/* The nodes that go with this one, in the walk; false if one of them is live or
 * memory is exhausted. Nothing is changed yet. */
static bool find_victims(struct merge_graph *graph, uint32_t first)
{
    graph_begin_walk(graph);
    if (!GROWING_RESERVE(graph, &graph->walk, 1))
        return false;
    graph->walk.items[graph->walk.count++] = first;
    for (uint32_t i = 0; i < graph->walk.count; i++) {
        const struct graph_node *victim = &graph->nodes.items[graph->walk.items[i]];
        if (victim->live || !GROWING_RESERVE(graph, &graph->walk, victim->out_count))
            return false;
        for (uint32_t edge = victim->first_out; edge != NO_EDGE;
             edge = graph->edges.items[edge].next_out) {
            struct graph_node *target = &graph->nodes.items[graph->edges.items[edge].target];
            if (target->visit != graph->visit)
                target->lost = 0;
            target->visit = graph->visit;
            if (++target->lost == target->in_count)
                graph->walk.items[graph->walk.count++] = graph->edges.items[edge].target;
        }
    }
    return true;
}

static void unlink_from_target(struct merge_graph *graph, uint32_t edge)
{
    struct graph_node *target = &graph->nodes.items[graph->edges.items[edge].target];
    uint32_t *link = &target->first_in;
    while (*link != edge)
        link = &graph->edges.items[*link].next_in;
    *link = graph->edges.items[edge].next_in;
    target->in_count--;
}

static void drop_outgoing(struct merge_graph *graph, uint32_t node)
{
    uint32_t edge = graph->nodes.items[node].first_out;
    while (edge != NO_EDGE) {
        const uint32_t next = graph->edges.items[edge].next_out;
        unlink_from_target(graph, edge);
        graph_drop_edge(graph, edge);
        edge = next;
    }
    graph->nodes.items[node].first_out = NO_EDGE;
    graph->nodes.items[node].out_count = 0;
}

bool merge_graph_remove(struct merge_graph *graph, uint32_t node,
                        void (*gone)(void *context, const struct merge_node *node), void *context)
{
    merge_graph_commit(graph);
    if (!graph_is_candidate(graph, node) || !find_victims(graph, node))
        return false;
    for (uint32_t i = 0; i < graph->walk.count; i++) {
        const struct merge_node was = merge_graph_node(graph, graph->walk.items[i]);
        drop_outgoing(graph, graph->walk.items[i]);
        graph_drop_node(graph, graph->walk.items[i]);
        if (gone)
            gone(context, &was);
    }
    return true;
}

/* Those that cannot go now are put back: they may be removed later. */
uint32_t merge_graph_oldest(struct merge_graph *graph)
{
    struct graph_candidate *heap = graph->candidates.items;
    uint32_t found = MERGE_NOWHERE;
    uint32_t aside = graph->candidates.count; /* popped ones are kept behind the heap */
    while (graph->candidates.count && found == MERGE_NOWHERE) {
        if (!graph_candidate_is_current(graph, &heap[0])) {
            graph_pop_candidate(graph);
            heap[graph->candidates.count] = heap[--aside];
        } else if (find_victims(graph, heap[0].node)) {
            found = heap[0].node;
        } else {
            const struct graph_candidate live = graph_pop_candidate(graph);
            heap[graph->candidates.count] = live;
        }
    }
    while (graph->candidates.count < aside)
        graph_restore_candidate(graph);
    return found;
}

void merge_graph_set_live(struct merge_graph *graph, uint32_t node, bool live)
{
    graph->nodes.items[node].live = live;
}
