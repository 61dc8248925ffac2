/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes without sources, in a heap. An entry that is out of date is left
 * where it is and recognized when it comes up.
 */
#include "tracing/graph/graph_candidates.h"

#include <assert.h>

static bool comes_first(const struct graph_candidate *one, const struct graph_candidate *other)
{
    return one->time_ns < other->time_ns ||
           (one->time_ns == other->time_ns && one->number < other->number);
}

static void swap(struct graph_candidate *one, struct graph_candidate *other)
{
    const struct graph_candidate held = *one;
    *one = *other;
    *other = held;
}

static void rise(struct graph_candidate *heap, uint32_t place)
{
    while (place && comes_first(&heap[place], &heap[(place - 1) / 2])) {
        swap(&heap[place], &heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
}

static void sink(struct graph_candidate *heap, uint32_t count, uint32_t place)
{
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && comes_first(&heap[child + 1], &heap[child]))
            child++;
        if (!comes_first(&heap[child], &heap[place]))
            return;
        swap(&heap[child], &heap[place]);
    }
}

bool graph_is_candidate(const struct merge_graph *graph, uint32_t node)
{
    const struct graph_node *item = &graph->nodes.items[node];
    return item->number && !item->in_count;
}

bool graph_candidate_is_current(const struct merge_graph *graph,
                                const struct graph_candidate *candidate)
{
    const struct graph_node *item = &graph->nodes.items[candidate->node];
    return graph_is_candidate(graph, candidate->node) && item->number == candidate->number &&
           item->time_ns == candidate->time_ns;
}

/* Without those that are out of date. */
static void sweep(struct merge_graph *graph)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < graph->candidates.count; i++)
        if (graph_candidate_is_current(graph, &graph->candidates.items[i]))
            graph->candidates.items[kept++] = graph->candidates.items[i];
    graph->candidates.count = kept;
    for (uint32_t i = kept / 2; i-- > 0;)
        sink(graph->candidates.items, kept, i);
}

bool graph_reserve_candidates(struct merge_graph *graph, size_t more)
{
    if (graph->candidates.count + more > graph->candidates.capacity &&
        graph->candidates.count > 1024 && graph->candidates.count / 2 > graph->node_count)
        sweep(graph);
    return GROWING_RESERVE(graph, &graph->candidates, more);
}

void graph_add_candidate(struct merge_graph *graph, uint32_t node)
{
    const struct graph_node *item = &graph->nodes.items[node];
    if (!graph_is_candidate(graph, node))
        return;
    assert(graph->candidates.count < graph->candidates.capacity);
    graph->candidates.items[graph->candidates.count++] =
        (struct graph_candidate){item->time_ns, item->number, node};
    rise(graph->candidates.items, graph->candidates.count - 1);
}

struct graph_candidate graph_pop_candidate(struct merge_graph *graph)
{
    assert(graph->candidates.count > 0);
    struct graph_candidate *heap = graph->candidates.items;
    const struct graph_candidate top = heap[0];
    heap[0] = heap[--graph->candidates.count];
    sink(heap, graph->candidates.count, 0);
    return top;
}

void graph_restore_candidate(struct merge_graph *graph)
{
    assert(graph->candidates.count < graph->candidates.capacity);
    graph->candidates.count++;
    rise(graph->candidates.items, graph->candidates.count - 1);
}
