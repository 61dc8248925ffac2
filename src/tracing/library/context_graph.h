/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of some contexts come from which others (Algorithm 1 of Ehira et al.,
 * with its errors fixed).
 *
 * The graph is a list of roots in the order of insertion, each with its known
 * ancestors, nearest first: what remains when every context that is an ancestor
 * of another was taken in by that one. One root means that nothing has to be
 * merged.
 *
 * A merge is on the critical path of a reconcile, so that a usual graph fits
 * into the struct itself, and memory is only asked for by unusual ones.
 */
#ifndef FATHOM_TRACING_LIBRARY_CONTEXT_GRAPH_H
#define FATHOM_TRACING_LIBRARY_CONTEXT_GRAPH_H

#include "fathom/trace.h"

enum { CONTEXT_GRAPH_OWN_LISTS = 16, CONTEXT_GRAPH_OWN_IDS = 256 };

struct context_list {
    struct fathom_trace_id root;
    struct fathom_trace_id *ancestors;
    uint32_t count;
    uint32_t capacity;
};

struct context_block; /* of ids, beyond the own ones */

struct context_graph {
    enum fathom_trace_mode mode;
    bool failed; /* memory was exhausted; nothing else is true any more */
    struct context_list *lists;
    uint32_t list_count;
    uint32_t list_capacity;
    struct fathom_trace_id *free_ids;
    size_t free_id_count;
    struct context_block *blocks;
    struct context_list own_lists[CONTEXT_GRAPH_OWN_LISTS];
    struct fathom_trace_id own_ids[CONTEXT_GRAPH_OWN_IDS];
};

void context_graph_init(struct context_graph *graph, enum fathom_trace_mode mode);
void context_graph_release(struct context_graph *graph);
void context_graph_add(struct context_graph *graph, const struct fathom_trace_context *context);

#endif
