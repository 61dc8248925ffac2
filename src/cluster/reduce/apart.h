/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads that are looked at one at a time: what apart.c has found out by following
 * each of them alone, for the two ways of showing that nothing is missed by it.
 */
#ifndef FATHOM_CLUSTER_REDUCE_APART_H
#define FATHOM_CLUSTER_REDUCE_APART_H

#include "cluster/ask/autoscalers.h"
#include "cluster/reduce/reductions.h"
#include "cluster/state/clock.h"

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
    struct population *population;
    struct arena arena;
    const struct population_state *start;
    struct solo *solos; /* by workload */
    VEC(struct touch) touches;
    uint32_t workload; /* that is followed now */
    const struct population_state *from;
    bool anywhere; /* each pod goes to the first of its best nodes */
    bool good;
};

/* ---- apart.c ---- */
void parting_begin(struct parting *parting, struct population *population,
                   const struct population_state *start, bool anywhere);
void parting_end(struct parting *parting);
/* All that the workload does if nobody else acts; not good: it meddles with others. */
void follow_alone(struct parting *parting, uint32_t workload);

/* ---- apart_unnoticed.c ---- */
/* Does the workload never notice what the others do? All have been followed. */
bool notices_nobody(struct parting *parting, uint32_t workload);

/* ---- apart_anywhere.c ---- */
/* Is it all the same, here, to everybody and to every intent where pods are put? */
bool places_are_alike(const struct population *population, const struct population_state *state);
/* Is there a node for every pod, wherever all others have been put? All have been followed. */
bool room_suffices(struct parting *parting);

#endif
