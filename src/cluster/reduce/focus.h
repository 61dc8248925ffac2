/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads that are explored one at a time: what focus.c finds out by following each of them
 * alone, for the two ways of showing that no run is missed by it.
 */
#ifndef FATHOM_CLUSTER_REDUCE_FOCUS_H
#define FATHOM_CLUSTER_REDUCE_FOCUS_H

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

struct focus_proof {
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

/* Begins a proof; the caller releases its arena. */
void focus_proof_begin(struct focus_proof *proof, struct worker *worker, const struct state *start,
                       bool anywhere);
/* Explores what the workload does if no other acts; false: it does nothing. The proof fails
 * (`good` becomes false) if it interferes with others, or does nothing and violates an intent. */
bool follow_alone(struct focus_proof *proof, uint32_t workload);

/* Can no further event come after this one (UINT32_MAX: none), and does every set have its pods? */
bool is_last_event(struct worker *worker, const struct state *state, uint32_t event);
/* Do workloads of this model interfere only by the room that their pods take on nodes? */
bool focus_is_possible(struct worker *worker);
/* May workloads be explored one at a time from this state on, and for which reason?
 * Only for models in which that is possible. */
enum population_focus focus_from(struct worker *worker, const struct state *state);

#endif
