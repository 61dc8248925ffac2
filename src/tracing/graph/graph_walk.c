/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to the merge graph. */
#include "tracing/graph/graph_internal.h"

#include <stdlib.h>

struct merge_node merge_graph_node(const struct merge_graph *graph, uint32_t node)
{
    const struct graph_node *item = &graph->nodes.items[node];
    return (struct merge_node){
        .cpid = item->cpid,
        .number = item->number,
        .time_ns = item->time_ns,
        .source_count = item->in_count,
        .target_count = item->out_count,
        .known = item->known,
        .live = item->live,
    };
}

uint32_t merge_graph_count(const struct merge_graph *graph)
{
    return graph->node_count;
}

uint32_t merge_graph_edge_count(const struct merge_graph *graph)
{
    return graph->edge_count;
}

uint32_t merge_graph_end(const struct merge_graph *graph)
{
    return graph->nodes.count;
}

uint32_t graph_begin_walk(struct merge_graph *graph)
{
    graph->walk.count = 0;
    if (++graph->visit == 0) {
        for (uint32_t i = 0; i < graph->nodes.count; i++)
            graph->nodes.items[i].visit = 0;
        graph->visit = 1;
    }
    return graph->visit;
}

static bool visit(struct merge_graph *graph, uint32_t node, uint32_t most)
{
    struct graph_node *item = &graph->nodes.items[node];
    if (item->visit == graph->visit || graph->walk.count >= most)
        return true;
    if (!GROWING_RESERVE(graph, &graph->walk, 1))
        return false;
    item->visit = graph->visit;
    graph->walk.items[graph->walk.count++] = node;
    return true;
}

static int by_number(const void *one, const void *other, void *context)
{
    const struct merge_graph *graph = context;
    const uint64_t a = graph->nodes.items[*(const uint32_t *)one].number;
    const uint64_t b = graph->nodes.items[*(const uint32_t *)other].number;
    return (a > b) - (a < b);
}

static struct merge_nodes walked(struct merge_graph *graph)
{
    if (graph->walk.count)
        qsort_r(graph->walk.items, graph->walk.count, sizeof(uint32_t), by_number, graph);
    return (struct merge_nodes){graph->walk.items, graph->walk.count};
}

static bool visit_neighbours(struct merge_graph *graph, uint32_t node, bool forward, uint32_t most)
{
    bool good = true;
    const struct graph_node *item = &graph->nodes.items[node];
    uint32_t edge = forward ? item->first_out : item->first_in;
    while (edge != NO_EDGE && good) {
        const struct graph_edge *next = &graph->edges.items[edge];
        good = visit(graph, forward ? next->target : next->source, most);
        edge = forward ? next->next_out : next->next_in;
    }
    return good;
}

static struct merge_nodes walk(struct merge_graph *graph, uint32_t node, bool forward,
                               uint32_t most)
{
    graph_begin_walk(graph);
    bool good = visit(graph, node, most);
    for (uint32_t i = 0; i < graph->walk.count && good; i++)
        good = visit_neighbours(graph, graph->walk.items[i], forward, most);
    return good ? walked(graph) : (struct merge_nodes){0};
}

struct merge_nodes merge_graph_related(struct merge_graph *graph, uint32_t node, uint32_t most)
{
    return walk(graph, node, true, most);
}

struct merge_nodes merge_graph_ancestors(struct merge_graph *graph, uint32_t node, uint32_t most)
{
    return walk(graph, node, false, most);
}

struct merge_nodes merge_graph_roots(struct merge_graph *graph, uint32_t node)
{
    const struct merge_nodes all = walk(graph, node, false, UINT32_MAX);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all.count; i++)
        if (!graph->nodes.items[all.items[i]].in_count)
            graph->walk.items[kept++] = all.items[i];
    return (struct merge_nodes){graph->walk.items, kept};
}

static struct merge_nodes neighbours(struct merge_graph *graph, uint32_t node, bool forward)
{
    graph_begin_walk(graph);
    const bool good = visit_neighbours(graph, node, forward, UINT32_MAX);
    return good ? walked(graph) : (struct merge_nodes){0};
}

struct merge_nodes merge_graph_sources(struct merge_graph *graph, uint32_t node)
{
    return neighbours(graph, node, false);
}

struct merge_nodes merge_graph_targets(struct merge_graph *graph, uint32_t node)
{
    return neighbours(graph, node, true);
}
