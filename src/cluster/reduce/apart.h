/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads that are looked at one at a time: what apart.c has found out by following
 * each of them alone, for the two ways of showing that nothing is missed by it.
 */
#ifndef FATHOM_CLUSTER_REDUCE_APART_H
#define FATHOM_CLUSTER_REDUCE_APART_H

#include "base/arena.h"
#include "base/vec.h"
#include "base/word_lists.h"
#include "cluster/population.h"
#include "explore/model.h"

struct population_state;
struct population_worker;

/* A node that was `from` in the beginning and has become `to`. */
struct touch {
    uint32_t workload;
    uint32_t from;
    uint32_t to;
};

/* So many nodes of a config a workload takes in one run at most. */
struct taking {
    uint32_t config;
    uint32_t most;
};

/* A workload followed alone. */
struct solo {
    struct word_lists states;
    VEC(struct taking) takings;
    uint32_t new_pods; /* that it has on nodes at most, beyond those of the start */
};

struct parting {
    struct step_sink sink;
    struct population_worker *worker;
    struct arena arena;
    const struct population_state *start;
    struct solo *solos; /* by workload */
    VEC(struct touch) touches;
    uint32_t workload; /* that is followed now */
    const struct population_state *from;
    bool anywhere; /* each pod goes to the first of its best nodes */
    bool good;
};

void parting_begin(struct parting *parting, struct population_worker *worker,
                   const struct population_state *start, bool anywhere);
void parting_end(struct parting *parting);
/* All that the workload does if nobody else acts; not good: it meddles with others. */
void follow_alone(struct parting *parting, uint32_t workload);

/* Is there nothing but room on nodes between the workloads? */
bool workloads_may_part(struct population_worker *worker);
/* Can each be looked at by itself from this state on, and why? The model says that they may be. */
enum population_parting workloads_part(struct population_worker *worker,
                                       const struct population_state *state);

#endif
