/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of a population if one forgets which pods have not started yet. */
#ifndef FATHOM_TEST_TWIN_FLAT_H
#define FATHOM_TEST_TWIN_FLAT_H

#include "base/map.h"
#include "base/vec.h"
#include "cluster/population.h"

struct flat_graph {
    struct arena arena;
    struct worker *worker;
    struct map states; /* words -> the state without readiness */
    VEC(const uint32_t *) words;
    VEC(uint32_t) lengths;
    struct map reduced; /* states without readiness */
    struct map edges;   /* from, action, to, marks; that a pod becomes ready is none */
    struct map rests;   /* states where nothing but what takes its time may happen */
    uint64_t marks;     /* those that are looked at */
    uint32_t limit;
    bool too_large;
    enum population_focus focus; /* how the worker followed workloads somewhere */
};

void flatten(struct flat_graph *graph, struct memory *memory, struct worker *worker, uint64_t marks,
             uint32_t limit);

/* What the model has chosen to leave out. */
struct left_out {
    bool readiness;
    bool creation;
};
struct left_out left_out_of(const struct worker *worker);

#endif
