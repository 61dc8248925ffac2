/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is removed from the merge graph.
 *
 * A CPID that was merged from others is never removed directly: no person holds
 * it. It goes with the last of its sources. What has no source can go, the
 * oldest first; those are kept in a heap. An entry that is out of date is left
 * where it is and recognized when it comes up.
 */
#include "tracing/graph/graph_internal.h"

#include <assert.h>
#include <string.h>

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

static bool is_candidate(const struct merge_graph *graph, uint32_t node)
{
    const struct graph_node *item = &graph->nodes.items[node];
    return item->number && !item->in_count;
}

static bool is_up_to_date(const struct merge_graph *graph, const struct graph_candidate *candidate)
{
    const struct graph_node *item = &graph->nodes.items[candidate->node];
    return is_candidate(graph, candidate->node) && item->number == candidate->number &&
           item->time_ns == candidate->time_ns;
}

/* Without those that are out of date. */
static void sweep(struct merge_graph *graph)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < graph->candidates.count; i++)
        if (is_up_to_date(graph, &graph->candidates.items[i]))
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
    if (!is_candidate(graph, node))
        return;
    assert(graph->candidates.count < graph->candidates.capacity);
    graph->candidates.items[graph->candidates.count++] =
        (struct graph_candidate){item->time_ns, item->number, node};
    rise(graph->candidates.items, graph->candidates.count - 1);
}

static struct graph_candidate pop(struct merge_graph *graph)
{
    struct graph_candidate *heap = graph->candidates.items;
    const struct graph_candidate top = heap[0];
    heap[0] = heap[--graph->candidates.count];
    sink(heap, graph->candidates.count, 0);
    return top;
}

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
    if (!is_candidate(graph, node) || !find_victims(graph, node))
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
        if (!is_up_to_date(graph, &heap[0])) {
            pop(graph);
            heap[graph->candidates.count] = heap[--aside];
        } else if (find_victims(graph, heap[0].node)) {
            found = heap[0].node;
        } else {
            const struct graph_candidate live = pop(graph);
            heap[graph->candidates.count] = live;
        }
    }
    while (graph->candidates.count < aside) {
        graph->candidates.count++;
        rise(heap, graph->candidates.count - 1);
    }
    return found;
}

void merge_graph_set_live(struct merge_graph *graph, uint32_t node, bool live)
{
    graph->nodes.items[node].live = live;
}
