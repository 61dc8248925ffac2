/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What exports have in common: the spans of a graph with those that tools need
 * besides (export.h), each with an id of 8 bytes, services numbered, and links
 * from every merge to its sources.
 */
#ifndef FATHOM_TRACING_IMPORT_PLOT_H
#define FATHOM_TRACING_IMPORT_PLOT_H

#include "base/map.h"
#include "tracing/import/change_graph.h"

enum { PLOT_NOWHERE = UINT32_MAX };

enum plot_kind {
    PLOT_SPAN,
    PLOT_MERGE, /* stands for a mergelog with sources */
    PLOT_STUB,  /* stands for a CPID that has no span here */
};

struct plot_span {
    enum plot_kind kind;
    const struct change_span *span;   /* of a PLOT_SPAN */
    const struct change_merge *merge; /* of a PLOT_MERGE */
    struct fathom_trace_id cpid;
    const char *name;
    uint64_t id; /* never 0, unique */
    int64_t start_ns;
    int64_t end_ns;
    uint32_t service;
    uint32_t parent;       /* index; PLOT_NOWHERE: none */
    bool root;             /* the first of a CPID without sources */
    const uint32_t *links; /* of a merge: the last span of each source */
    uint32_t link_count;
};

struct plot {
    struct arena *arena;
    const struct change_graph *graph;
    VEC(struct plot_span) spans; /* those of the graph first, at the same indices */
    VEC(const char *) services;
    uint32_t edge_count; /* (source, new) of all merges */
};

void plot_make(struct plot *plot, struct arena *arena, const struct change_graph *graph);

/* "0011223344556677", and the 32 digits of a CPID, with a NUL. */
void plot_format_id(uint64_t id, char text[17]);
void plot_format_cpid(const struct fathom_trace_id *cpid, char text[33]);

#endif
