/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The merge graph from inside: arrays of nodes and edges, linked by index.
 *
 *     node --first_out--> edge --next_out--> edge ...    newest first
 *     node --first_in---> edge --next_in---> edge ...    as in the mergelog
 *
 * Nodes and edges that are not in use are chained by first_in and next_in.
 */
#ifndef FATHOM_TRACING_GRAPH_GRAPH_INTERNAL_H
#define FATHOM_TRACING_GRAPH_GRAPH_INTERNAL_H

#include "tracing/graph/graph.h"

#define NO_EDGE UINT32_MAX

struct graph_node {
    struct fathom_trace_id cpid;
    uint64_t number; /* 0: not in use */
    int64_t time_ns;
    uint64_t sources_hash; /* of the set of its sources, to compare mergelogs */
    uint32_t first_in;     /* edge from its first source */
    uint32_t first_out;    /* edge to its newest target */
    uint32_t in_count;
    uint32_t out_count;
    uint32_t visit;     /* the number of the last walk that came here */
    uint32_t lost : 30; /* how many of its sources the current removal takes */
    uint32_t known : 1; /* its mergelog has come */
    uint32_t live : 1;  /* an object still has it: it is never removed */
};

struct graph_edge {
    uint32_t source;
    uint32_t target;
    uint32_t next_in;
    uint32_t next_out;
};

/* A node without sources, for the search of the oldest. Out of date if the
 * node is another by now, has sources or another time. */
struct graph_candidate {
    int64_t time_ns;
    uint64_t number;
    uint32_t node;
};

/* A change since the last commit, so that it can be undone. */
struct graph_deed {
    uint32_t node;
    bool created;           /* the node is new; otherwise its mergelog came */
    int64_t time_ns_before; /* the node's time before its mergelog came */
};

#define GROWING(type)      \
    struct {               \
        type *items;       \
        uint32_t count;    \
        uint32_t capacity; \
    }

struct merge_graph {
    struct memory *memory;
    uint64_t seed;        /* of the hashes of CPIDs */
    uint64_t next_number; /* that a new node gets */
    uint32_t node_count;  /* nodes in use */
    uint32_t edge_count;  /* edges in use */
    uint32_t free_node;   /* the first node that is not in use; MERGE_NOWHERE: none */
    uint32_t free_edge;   /* the first edge that is not in use; NO_EDGE: none */
    uint32_t visit;       /* the number of the current walk */
    GROWING(struct graph_node) nodes;
    GROWING(struct graph_edge) edges;
    GROWING(struct graph_candidate) candidates; /* a heap, the oldest on top */
    GROWING(struct graph_deed) journal;         /* since the last commit */
    GROWING(uint32_t) walk;                     /* nodes that the current walk has come to */
    uint32_t *slots;                            /* by the hash of a CPID: its node + 1; 0: free */
    uint32_t slot_count;
};

/* Room for so many more items; false when memory is exhausted. */
#define GROWING_RESERVE(graph, list, more)                                                    \
    graph_reserve((graph), (void **)&(list)->items, (list)->count, &(list)->capacity, (more), \
                  sizeof((list)->items[0]))
bool graph_reserve(struct merge_graph *graph, void **items, uint32_t count, uint32_t *capacity,
                   size_t more, size_t item_bytes);

/* Room for so many more nodes in the table of CPIDs; false when memory is
 * exhausted. */
bool graph_reserve_slots(struct merge_graph *graph, size_t more);

/* There is room: a node that has no edges yet. */
uint32_t graph_add_node(struct merge_graph *graph, const struct fathom_trace_id *cpid,
                        uint64_t number, int64_t time_ns);
/* There is room: an edge behind `last`, the last one that goes to the target,
 * NO_EDGE if there is none. `last` becomes the new one. */
void graph_add_edge(struct merge_graph *graph, uint32_t source, uint32_t target, uint32_t *last);

/* Forgets a node that has no edges. */
void graph_drop_node(struct merge_graph *graph, uint32_t node);
void graph_drop_edge(struct merge_graph *graph, uint32_t edge);

/* A new number for the visits of one walk. */
uint32_t graph_begin_walk(struct merge_graph *graph);

#endif
