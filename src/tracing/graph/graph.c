/* SPDX-License-Identifier: Apache-2.0 */
/* What is put into the merge graph, and taken back. */
#include "base/hash.h"
#include "tracing/graph/graph_candidates.h"

#include <assert.h>

/* So that what follows cannot fail half-way. */
static bool reserve(struct merge_graph *graph, size_t nodes, size_t edges)
{
    return GROWING_RESERVE(graph, &graph->nodes, nodes) &&
           GROWING_RESERVE(graph, &graph->edges, edges) &&
           GROWING_RESERVE(graph, &graph->journal, nodes + 1) &&
           graph_reserve_slots(graph, nodes) && graph_reserve_candidates(graph, nodes + 1);
}

static uint32_t find_or_add(struct merge_graph *graph, const struct fathom_trace_id *cpid,
                            int64_t time_ns)
{
    uint32_t node = merge_graph_find(graph, cpid);
    if (node != MERGE_NOWHERE)
        return node;
    node = graph_add_node(graph, cpid, graph->next_number++, time_ns);
    graph->journal.items[graph->journal.count++] =
        (struct graph_deed){.node = node, .created = true};
    graph_add_candidate(graph, node);
    return node;
}

/* The same for the same set of sources, in every run. */
static uint64_t hash_sources(const struct fathom_trace_mergelog *mergelog)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < mergelog->source_count; i++)
        sum += hash_bytes(mergelog->sources[i].bytes, sizeof(mergelog->sources[i].bytes));
    return sum;
}

/* Only a CPID that others were said to come from can be part of a cycle. */
static bool closes_cycle(struct merge_graph *graph, uint32_t node,
                         const struct fathom_trace_mergelog *mergelog)
{
    for (size_t i = 0; i < mergelog->source_count; i++)
        if (fathom_trace_id_equal(&mergelog->sources[i], &mergelog->cpid))
            return true;
    if (node == MERGE_NOWHERE || !graph->nodes.items[node].out_count || !mergelog->source_count)
        return false;
    merge_graph_related(graph, node, UINT32_MAX);
    for (size_t i = 0; i < mergelog->source_count; i++) {
        const uint32_t source = merge_graph_find(graph, &mergelog->sources[i]);
        if (source != MERGE_NOWHERE && graph->nodes.items[source].visit == graph->visit)
            return true;
    }
    return false;
}

enum merge_put merge_graph_put(struct merge_graph *graph,
                               const struct fathom_trace_mergelog *mergelog)
{
    const uint64_t hash = hash_sources(mergelog);
    uint32_t node = merge_graph_find(graph, &mergelog->cpid);
    if (node != MERGE_NOWHERE && graph->nodes.items[node].known)
        return graph->nodes.items[node].sources_hash == hash ? MERGE_KNOWN : MERGE_CONFLICT;
    if (!reserve(graph, mergelog->source_count + 1, mergelog->source_count))
        return MERGE_FULL;
    if (node != MERGE_NOWHERE && graph->nodes.items[node].out_count) {
        graph->walk.count = 0;
        if (!GROWING_RESERVE(graph, &graph->walk, graph->node_count))
            return MERGE_FULL; /* whether there is a cycle must not remain open */
    }
    if (closes_cycle(graph, node, mergelog))
        return MERGE_CYCLE;
    node = find_or_add(graph, &mergelog->cpid, mergelog->time_ns);
    const struct graph_deed deed = {.node = node,
                                    .time_ns_before = graph->nodes.items[node].time_ns};
    graph->nodes.items[node].known = true;
    graph->nodes.items[node].time_ns = mergelog->time_ns;
    graph->nodes.items[node].sources_hash = hash;
    uint32_t last = NO_EDGE;
    for (size_t i = 0; i < mergelog->source_count; i++)
        graph_add_edge(graph, find_or_add(graph, &mergelog->sources[i], mergelog->time_ns), node,
                       &last);
    graph->journal.items[graph->journal.count++] = deed; /* after those of its sources */
    graph_add_candidate(graph, node);
    return MERGE_ADDED;
}

enum merge_put merge_graph_mention(struct merge_graph *graph, const struct fathom_trace_id *cpid,
                                   int64_t time_ns)
{
    if (merge_graph_find(graph, cpid) != MERGE_NOWHERE)
        return MERGE_KNOWN;
    if (!reserve(graph, 1, 0))
        return MERGE_FULL;
    find_or_add(graph, cpid, time_ns);
    return MERGE_ADDED;
}

/* In the reverse order, so that each edge is still the newest of its source. */
static void forget_mergelog(struct merge_graph *graph, const struct graph_deed *deed)
{
    struct graph_node *node = &graph->nodes.items[deed->node];
    uint32_t edge = node->first_in;
    while (edge != NO_EDGE) {
        const struct graph_edge was = graph->edges.items[edge];
        struct graph_node *source = &graph->nodes.items[was.source];
        assert(source->first_out == edge);
        source->first_out = was.next_out;
        source->out_count--;
        graph_drop_edge(graph, edge);
        edge = was.next_in;
    }
    node->first_in = NO_EDGE;
    node->in_count = 0;
    node->known = false;
    node->sources_hash = 0;
    node->time_ns = deed->time_ns_before;
}

void merge_graph_rollback(struct merge_graph *graph)
{
    while (graph->journal.count) {
        const struct graph_deed deed = graph->journal.items[--graph->journal.count];
        if (deed.created) {
            graph_drop_node(graph, deed.node);
            continue;
        }
        forget_mergelog(graph, &deed);
        if (graph_reserve_candidates(graph, 1))
            graph_add_candidate(graph, deed.node);
    }
}

uint64_t merge_graph_sources_hash(const struct merge_graph *graph, uint32_t node)
{
    return graph->nodes.items[node].sources_hash;
}

uint64_t merge_graph_next_number(const struct merge_graph *graph)
{
    return graph->next_number;
}

void merge_graph_restore_next_number(struct merge_graph *graph, uint64_t number)
{
    if (number > graph->next_number)
        graph->next_number = number;
}

bool merge_graph_restore_node(struct merge_graph *graph, const struct merge_node *node,
                              uint64_t sources_hash)
{
    if (node->number < graph->next_number ||
        merge_graph_find(graph, &node->cpid) != MERGE_NOWHERE ||
        fathom_trace_id_is_none(&node->cpid) || !reserve(graph, 1, 0))
        return false;
    const uint32_t index = graph_add_node(graph, &node->cpid, node->number, node->time_ns);
    graph->nodes.items[index].known = node->known;
    graph->nodes.items[index].sources_hash = sources_hash;
    graph->next_number = node->number + 1;
    graph_add_candidate(graph, index);
    return true;
}

/* A graph that is being restored has its nodes in the order of their numbers. */
static uint32_t find_number(const struct merge_graph *graph, uint64_t number)
{
    uint32_t low = 0;
    uint32_t high = graph->nodes.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (graph->nodes.items[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->nodes.count && graph->nodes.items[low].number == number ? low
                                                                                : MERGE_NOWHERE;
}

bool merge_graph_restore_edge(struct merge_graph *graph, uint64_t source_number,
                              uint64_t target_number)
{
    const uint32_t source = find_number(graph, source_number);
    const uint32_t target = find_number(graph, target_number);
    if (source == MERGE_NOWHERE || target == MERGE_NOWHERE || source == target)
        return false;
    if (!GROWING_RESERVE(graph, &graph->edges, 1))
        return false;
    uint32_t last = graph->nodes.items[target].first_in;
    while (last != NO_EDGE && graph->edges.items[last].next_in != NO_EDGE)
        last = graph->edges.items[last].next_in;
    graph_add_edge(graph, source, target, &last);
    return true;
}
