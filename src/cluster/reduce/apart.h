/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads that are explored one at a time: what apart.c finds out by following each of them
 * alone, for the two ways of showing that no run is missed by it.
 */
#ifndef FATHOM_CLUSTER_REDUCE_APART_H
#define FATHOM_CLUSTER_REDUCE_APART_H

#include "base/arena.h"
#include "base/vec.h"
#include "base/word_lists.h"
#include "cluster/forward.h"
#include "cluster/population.h"
#include "explore/model.h"

/* A node of the config `from` in the start that the workload has changed into one of `to`. */
struct touch {
    uint32_t workload;
    uint32_t from;
    uint32_t to;
};

/* In one run the workload puts pods on at most so many nodes of the config. */
struct taking {
    uint32_t config;
    uint32_t most;
};

/* A workload followed alone. */
struct solo {
    struct word_lists states;
    VEC(struct taking) takings;
};

struct parting {
    struct step_sink sink;
    struct worker *worker;
    struct arena arena;
    const struct state *start;
    struct solo *solos; /* by workload */
    uint32_t
        *new_pods; /* by workload: it has at most so many pods on nodes more than in the start */
    VEC(struct touch) touches;
    uint32_t workload;        /* this workload is followed now, */
    const struct state *from; /* and its steps out of this state are looked at */
    bool anywhere;            /* true if each pod goes to the first of its best nodes */
    bool good; /* false once it turned out that workloads cannot be explored one at a time */
};

/* The parting ends when its arena is released. */
void parting_begin(struct parting *parting, struct worker *worker, const struct state *start,
                   bool anywhere);
/* Explores what the workload does if no other acts; false: it does nothing. Not good afterwards: it
 * interferes with others, or does nothing and violates an intent. */
bool follow_alone(struct parting *parting, uint32_t workload);

/* Can no further event come once this one (UINT32_MAX: none) has, and has every set its pods? */
bool is_last_event(struct worker *worker, const struct state *state, uint32_t event);
/* Is there nothing but room on nodes between the workloads? */
bool workloads_may_part(struct worker *worker);
/* Can each be explored by itself from this state on, and why? The model says that they may be. */
enum population_parting workloads_part(struct worker *worker, const struct state *state);

#endif
