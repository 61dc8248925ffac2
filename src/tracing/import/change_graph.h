/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change graph: spans (what was done, by whom, to what, under which CPID), for
 * each span the spans that caused it, and the mergelogs that say which CPIDs come
 * from which others.
 *
 * It is what imports make, what a trace server's records become, and what every
 * export and the dashboard is made from; it does not know where it comes from.
 * Everything lives in one arena. Texts may be NULL when they are not known.
 */
#ifndef FATHOM_TRACING_IMPORT_CHANGE_GRAPH_H
#define FATHOM_TRACING_IMPORT_CHANGE_GRAPH_H

#include "base/vec.h"
#include "fathom/trace.h"

#include <stdbool.h>

/* How sure is it that one change caused another? Strongest first. */
enum change_label {
    CHANGE_EXACT,       /* the records say so */
    CHANGE_OWNER,       /* the latest change of an owner */
    CHANGE_TIME_WINDOW, /* it came in between, to something related */
};
enum { CHANGE_LABEL_COUNT = 3 };

extern const char *const change_label_names[CHANGE_LABEL_COUNT];

struct change_cause {
    uint32_t span; /* index of the cause */
    uint8_t label;
    const char *rule; /* why: "precondition", "generation", "owner", ... */
};

struct change_object {
    const char *kind; /* NULL: the span is about no object */
    const char *namespace;
    const char *name;
    const char *uid;
};

struct change_span {
    struct fathom_trace_id cpid;
    struct fathom_trace_id id;
    struct fathom_trace_id parent; /* none: the first of its reconcile */
    int64_t start_ns;
    int64_t end_ns;
    const char *service;
    const char *name;
    struct change_object object;
    const char *version_read;
    const char *version_written;
    const char *origin;  /* auditID of the request */
    const char *failure; /* what went wrong; NULL: nothing */
    int64_t step;        /* of a counterexample; -1: none */
    bool root;           /* a change from outside begins here */
    bool call;           /* a request to the API server */
    const struct change_cause *causes;
    uint32_t cause_count;
    uint32_t choices; /* this many of the causes are candidates of which perhaps only one is real */
    uint32_t unlisted; /* candidates that found no room */
};

struct change_merge {
    struct fathom_trace_id cpid;
    const struct fathom_trace_id *sources; /* none: a root */
    uint32_t source_count;
    int64_t time_ns;
};

struct change_graph {
    struct arena *arena;
    VEC(struct change_span) spans; /* as a rule in the order of their commits */
    VEC(struct change_merge) merges;
};

/* Clamps a time to the years 1824 to 2116, so that differences of times fit 64 bits. */
static inline int64_t change_instant(int64_t time_ns)
{
    const int64_t most = INT64_MAX / 2;
    return time_ns > most ? most : time_ns < -most ? -most : time_ns;
}

/* What to look at. Zeroed: everything. */
struct change_selection {
    struct fathom_trace_id cpid; /* none: all */
    bool backward;               /* what it comes from, not what comes from it */
    const char *service;         /* NULL: any */
    const char *kind;            /* of the object; NULL: any */
};

/* The part of a graph that was asked for; false: there is no such CPID. Merges
 * may name sources outside of it. */
bool change_select(struct arena *arena, const struct change_graph *graph,
                   const struct change_selection *selection, struct change_graph *part);

#endif
