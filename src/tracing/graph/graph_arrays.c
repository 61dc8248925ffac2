/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of the merge graph, and the table that finds a node by its CPID. */
#include "tracing/graph/graph_internal.h"

#include "base/hash.h"

#include <assert.h>
#include <sys/random.h>

enum { FIRST_SLOTS = 64 };

bool graph_reserve(struct merge_graph *graph, void **items, uint32_t count, uint32_t *capacity,
                   size_t more, size_t item_bytes)
{
    if (count + more <= *capacity)
        return true;
    if (count + more > UINT32_MAX / 2)
        return false;
    size_t wanted = *capacity < 16 ? 16 : *capacity + *capacity / 2;
    if (wanted < count + more)
        wanted = count + more;
    void *grown =
        memory_try_resize(graph->memory, *items, *capacity * item_bytes, wanted * item_bytes);
    if (!grown)
        return false;
    *items = grown;
    *capacity = (uint32_t)wanted;
    return true;
}

struct merge_graph *merge_graph_create(struct memory *memory)
{
    struct merge_graph *graph = memory_try_allocate_zeroed(memory, sizeof(*graph));
    if (!graph)
        return NULL;
    graph->memory = memory;
    graph->next_number = 1;
    graph->free_node = MERGE_NOWHERE;
    graph->free_edge = NO_EDGE;
    /* A random seed, so that a sender cannot choose CPIDs that collide. */
    if (getrandom(&graph->seed, sizeof(graph->seed), 0) != sizeof(graph->seed))
        graph->seed = (uint64_t)(uintptr_t)graph;
    graph->slots = memory_try_allocate_zeroed(memory, FIRST_SLOTS * sizeof(uint32_t));
    graph->slot_count = FIRST_SLOTS;
    if (!graph->slots) {
        memory_release(memory, graph, sizeof(*graph));
        return NULL;
    }
    return graph;
}

#define RELEASE(graph, list)                             \
    memory_release((graph)->memory, (graph)->list.items, \
                   (graph)->list.capacity * sizeof((graph)->list.items[0]))

void merge_graph_free(struct merge_graph *graph)
{
    if (!graph)
        return;
    RELEASE(graph, nodes);
    RELEASE(graph, edges);
    RELEASE(graph, candidates);
    RELEASE(graph, journal);
    RELEASE(graph, walk);
    memory_release(graph->memory, graph->slots, graph->slot_count * sizeof(uint32_t));
    memory_release(graph->memory, graph, sizeof(*graph));
}

static uint32_t home_slot(const struct merge_graph *graph, const struct fathom_trace_id *cpid)
{
    return (uint32_t)hash_bytes_seeded(cpid->bytes, sizeof(cpid->bytes), graph->seed) &
           (graph->slot_count - 1);
}

/* The slot of this CPID, or the free one where it would be. */
static uint32_t find_slot(const struct merge_graph *graph, const struct fathom_trace_id *cpid)
{
    uint32_t slot = home_slot(graph, cpid);
    while (graph->slots[slot] &&
           !fathom_trace_id_equal(&graph->nodes.items[graph->slots[slot] - 1].cpid, cpid))
        slot = (slot + 1) & (graph->slot_count - 1);
    return slot;
}

uint32_t merge_graph_find(const struct merge_graph *graph, const struct fathom_trace_id *cpid)
{
    const uint32_t found = graph->slots[find_slot(graph, cpid)];
    return found ? found - 1 : MERGE_NOWHERE;
}

/* The table is at most five eighths full. */
bool graph_reserve_slots(struct merge_graph *graph, size_t more)
{
    size_t wanted = graph->slot_count;
    while ((graph->node_count + more) * 8 > wanted * 5)
        wanted *= 2;
    if (wanted == graph->slot_count)
        return true;
    if (wanted > UINT32_MAX / 2)
        return false;
    uint32_t *slots = memory_try_allocate_zeroed(graph->memory, wanted * sizeof(uint32_t));
    if (!slots)
        return false;
    memory_release(graph->memory, graph->slots, graph->slot_count * sizeof(uint32_t));
    graph->slots = slots;
    graph->slot_count = (uint32_t)wanted;
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.items[i].number)
            graph->slots[find_slot(graph, &graph->nodes.items[i].cpid)] = i + 1;
    return true;
}

uint32_t graph_add_node(struct merge_graph *graph, const struct fathom_trace_id *cpid,
                        uint64_t number, int64_t time_ns)
{
    uint32_t node = graph->free_node;
    if (node != MERGE_NOWHERE)
        graph->free_node = graph->nodes.items[node].first_in;
    else
        node = graph->nodes.count++;
    graph->nodes.items[node] = (struct graph_node){
        .cpid = *cpid,
        .number = number,
        .time_ns = time_ns,
        .first_in = NO_EDGE,
        .first_out = NO_EDGE,
    };
    graph->slots[find_slot(graph, cpid)] = node + 1;
    graph->node_count++;
    return node;
}

void graph_add_edge(struct merge_graph *graph, uint32_t source, uint32_t target, uint32_t *last)
{
    uint32_t edge = graph->free_edge;
    if (edge != NO_EDGE)
        graph->free_edge = graph->edges.items[edge].next_in;
    else
        edge = graph->edges.count++;
    graph->edges.items[edge] = (struct graph_edge){
        .source = source,
        .target = target,
        .next_in = NO_EDGE,
        .next_out = graph->nodes.items[source].first_out,
    };
    graph->nodes.items[source].first_out = edge;
    graph->nodes.items[source].out_count++;
    if (*last == NO_EDGE)
        graph->nodes.items[target].first_in = edge;
    else
        graph->edges.items[*last].next_in = edge;
    *last = edge;
    graph->nodes.items[target].in_count++;
    graph->edge_count++;
}

/* Those that stand behind the freed slot because it was taken move up. */
static void free_slot(struct merge_graph *graph, uint32_t slot)
{
    const uint32_t mask = graph->slot_count - 1;
    uint32_t hole = slot;
    for (uint32_t next = (hole + 1) & mask; graph->slots[next]; next = (next + 1) & mask) {
        const uint32_t home = home_slot(graph, &graph->nodes.items[graph->slots[next] - 1].cpid);
        if (((next - home) & mask) < ((next - hole) & mask))
            continue;
        graph->slots[hole] = graph->slots[next];
        hole = next;
    }
    graph->slots[hole] = 0;
}

void graph_drop_node(struct merge_graph *graph, uint32_t node)
{
    struct graph_node *item = &graph->nodes.items[node];
    assert(item->first_in == NO_EDGE);
    assert(item->first_out == NO_EDGE);
    free_slot(graph, find_slot(graph, &item->cpid));
    item->number = 0;
    item->first_in = graph->free_node;
    graph->free_node = node;
    graph->node_count--;
}

void graph_drop_edge(struct merge_graph *graph, uint32_t edge)
{
    graph->edges.items[edge].next_in = graph->free_edge;
    graph->free_edge = edge;
    graph->edge_count--;
}

void merge_graph_commit(struct merge_graph *graph)
{
    graph->journal.count = 0;
}
