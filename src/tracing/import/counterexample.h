/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A counterexample as a change graph: the checker knows exactly which steps made
 * which others possible, and CPIDs are labels on top of that.
 *
 * What the manifests say at the start is one root if anything goes back to it, every step from
 * outside (a user's change, a fault, an event) begins another; any other step is done under the
 * merge of what its causes passed on. A step takes a millisecond. The ids follow from the run's
 * name, so that the same report gives the same graph.
 */
#ifndef FATHOM_TRACING_IMPORT_COUNTEREXAMPLE_H
#define FATHOM_TRACING_IMPORT_COUNTEREXAMPLE_H

#include "tracing/import/change_graph.h"

struct counterexample_step {
    const char *actor;
    const char *detail;     /* the sentence */
    const char *object;     /* "Kind/namespace/name", or something else, or "" */
    const uint32_t *causes; /* numbers of steps, from 1; 0: the start */
    uint32_t cause_count;
    bool outside;
};

struct counterexample {
    const char *check;
    const char *intent; /* that is violated */
    const struct counterexample_step *steps;
    uint32_t step_count;
};

/* Adds it to the graph, whose arena is set. Texts are not copied. */
void change_add_counterexample(struct change_graph *graph, const struct counterexample *run);

#endif
