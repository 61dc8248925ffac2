/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The merge graph: which changes went into which others.
 *
 * A node for each CPID, an edge from each source of a mergelog to the CPID that
 * the mergelog announces. A CPID that was only mentioned, as the source of
 * another or in a span, is a placeholder until its mergelog comes: records may
 * arrive in any order, and any number of times. The graph has no cycles; a
 * mergelog that would close one is refused.
 *
 * Nodes are numbered from 1 in the order in which they were first heard of; a
 * number is never used again. Lists of nodes that functions give live in the
 * graph until its next change or query. One thread at a time.
 */
#ifndef FATHOM_TRACING_GRAPH_GRAPH_H
#define FATHOM_TRACING_GRAPH_GRAPH_H

#include "base/memory.h"
#include "fathom/trace.h"

struct merge_graph;

/* What can be seen of a node. */
struct merge_node {
    struct fathom_trace_id cpid;
    uint64_t number;
    int64_t time_ns; /* of its mergelog; of a placeholder, of what it was first heard in */
    uint32_t source_count;
    uint32_t target_count;
    bool known; /* its mergelog came; false: a placeholder */
    bool live;  /* still on an object: never removed */
};

struct merge_nodes {
    const uint32_t *items; /* for merge_graph_node */
    uint32_t count;
};

enum merge_put {
    MERGE_ADDED,
    MERGE_KNOWN,    /* it came before, with the same sources */
    MERGE_CONFLICT, /* it came before, with other sources */
    MERGE_CYCLE,    /* a source comes from the CPID that is said to come from it */
    MERGE_FULL,     /* no memory is left */
};

/* NULL when memory is exhausted. */
struct merge_graph *merge_graph_create(struct memory *memory);
void merge_graph_free(struct merge_graph *graph);

/* Sources come in any order, each once. */
enum merge_put merge_graph_put(struct merge_graph *graph,
                               const struct fathom_trace_mergelog *mergelog);
/* A CPID that something else than a mergelog mentions: MERGE_ADDED, MERGE_KNOWN or MERGE_FULL. */
enum merge_put merge_graph_mention(struct merge_graph *graph, const struct fathom_trace_id *cpid,
                                   int64_t time_ns);

#define MERGE_NOWHERE UINT32_MAX

/* MERGE_NOWHERE when there is none. The index of a node is its own until it is
 * removed; a number is never used again. */
uint32_t merge_graph_find(const struct merge_graph *graph, const struct fathom_trace_id *cpid);
struct merge_node merge_graph_node(const struct merge_graph *graph, uint32_t node);
uint32_t merge_graph_count(const struct merge_graph *graph);
uint32_t merge_graph_edge_count(const struct merge_graph *graph);
/* Indices are below this; those that are not in use have number 0. */
uint32_t merge_graph_end(const struct merge_graph *graph);

/* Forward: the node and all that come from it. Backward: the node and all that
 * it comes from. The nearest `most` nodes of them, by number. Empty when memory
 * is exhausted. */
struct merge_nodes merge_graph_related(struct merge_graph *graph, uint32_t node, uint32_t most);
struct merge_nodes merge_graph_ancestors(struct merge_graph *graph, uint32_t node, uint32_t most);
/* Those of the ancestors (the node itself included) that have no source. */
struct merge_nodes merge_graph_roots(struct merge_graph *graph, uint32_t node);
/* The next ones backward and forward, by number. */
struct merge_nodes merge_graph_sources(struct merge_graph *graph, uint32_t node);
struct merge_nodes merge_graph_targets(struct merge_graph *graph, uint32_t node);

/* Removes a node without sources, and all that have no source left thereby.
 * `gone` (may be NULL) is told of each, the node first. False: it has sources, or it or one that
 * would go with it is live. */
bool merge_graph_remove(struct merge_graph *graph, uint32_t node,
                        void (*gone)(void *context, const struct merge_node *node), void *context);
/* The oldest node that can be removed; MERGE_NOWHERE when there is none. */
uint32_t merge_graph_oldest(struct merge_graph *graph);
void merge_graph_set_live(struct merge_graph *graph, uint32_t node, bool live);

/* What was put since the last commit can be taken back: a store that could not
 * write it must not know it. Removing commits. */
void merge_graph_commit(struct merge_graph *graph);
void merge_graph_rollback(struct merge_graph *graph);

/* For a store that brings a graph back: nodes in the order of their numbers, then
 * edges. `sources_hash` tells whether a mergelog that comes again is the same,
 * even if sources of it were removed since. False when memory is exhausted or
 * the numbers do not fit. */
uint64_t merge_graph_sources_hash(const struct merge_graph *graph, uint32_t node);
uint64_t merge_graph_next_number(const struct merge_graph *graph);
bool merge_graph_restore_node(struct merge_graph *graph, const struct merge_node *node,
                              uint64_t sources_hash);
bool merge_graph_restore_edge(struct merge_graph *graph, uint64_t source_number,
                              uint64_t target_number);
void merge_graph_restore_next_number(struct merge_graph *graph, uint64_t number);

#endif
