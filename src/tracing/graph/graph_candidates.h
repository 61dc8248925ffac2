/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes without sources, which alone can be removed; the oldest is found first. */
#ifndef FATHOM_TRACING_GRAPH_GRAPH_CANDIDATES_H
#define FATHOM_TRACING_GRAPH_GRAPH_CANDIDATES_H

#include "tracing/graph/graph_internal.h"

/* Is the node in use, and without sources? */
bool graph_is_candidate(const struct merge_graph *graph, uint32_t node);
/* Is the node of this entry still what the entry says? */
bool graph_candidate_is_current(const struct merge_graph *graph,
                                const struct graph_candidate *candidate);

/* Takes the first entry out of the heap, which must not be empty. */
struct graph_candidate graph_pop_candidate(struct merge_graph *graph);
/* Counts the entry that stands behind the heap as its last one, in its place. */
void graph_restore_candidate(struct merge_graph *graph);

/* There is room: a node without sources is a candidate. */
void graph_add_candidate(struct merge_graph *graph, uint32_t node);
bool graph_reserve_candidates(struct merge_graph *graph, size_t more);

#endif
