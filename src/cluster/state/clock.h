/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocked time: periods and delays as configured.
 *
 * Every duration in a state is time left or an age, so that states recur:
 *
 *   periodic controllers   ticks until the next sync or cycle
 *   an autoscaler          what it remembers, in its bounded form, by syncs ago
 *   pods                   ages of cohorts: pods that began in the same instant
 *   nodes                  since when they are lost, since when they are tainted
 *
 * A tick is the greatest duration that divides all that matter; docs/fidelity.md
 * says why nothing is lost between two ticks. What somebody can tell apart by an
 * age are thresholds; an age beyond the last of them is not told from any other.
 *
 * In one instant the fast steps come first, then what is due, one after the
 * other in every order. To pass a threshold is such a step, so whoever looks at
 * that very instant finds the pod on either side of it. Ages are therefore kept
 * in halves of ticks: even ones are at an instant, odd ones just past it.
 *
 * Pods are told apart by their cohort in the number of their class: a class has
 * a slot, and the state says which cohort a slot stands for.
 *
 *   SLOT_NONE    no age of it matters (any more)
 *   SLOT_NEW     it begins right now; never in a packed state
 *   SLOT_CHANGED it comes into its stage right now, and began long ago; neither
 *   3, 4, ...    a cohort of the state
 *
 * Cohorts of nodes work the same, by the slot of the node's template.
 */
#ifndef FATHOM_CLUSTER_STATE_CLOCK_H
#define FATHOM_CLUSTER_STATE_CLOCK_H

#include "cluster/emit.h"

enum { SLOT_NONE, SLOT_NEW, SLOT_CHANGED, SLOT_FIRST, COHORTS_MOST = 64, NODE_COHORTS_MOST = 6 };

/* Ticks, rising, none of them 0. */
struct thresholds {
    uint32_t *items;
    uint32_t count;
    uint32_t capacity;
};

/* What ages of the pods of a revision are told apart. */
struct pod_times {
    uint32_t ready_earliest; /* ticks from its start until it is ready: any in between */
    uint32_t ready_latest;
    uint32_t min_ready;                   /* ticks until a ready pod is available */
    struct thresholds start[STAGE_COUNT]; /* since it began on its node */
    struct thresholds since[STAGE_COUNT]; /* since it came into this stage */
};

/* A load that comes in waves. */
struct wave {
    uint32_t event;
    uint32_t *lengths; /* of its steps, in ticks */
};

struct clock {
    int64_t tick_ns;
    uint32_t sync_period;                          /* of autoscalers, in ticks */
    uint32_t cycle_period;                         /* of the descheduler; 0: there is none */
    struct pod_times *pods;                        /* by revision */
    struct thresholds nodes[NODE_CONDITION_COUNT]; /* since a node came into the condition */
    struct thresholds *patterns;                   /* by workload: where steps of usage begin */
    struct wave *waves;
    uint32_t wave_count;
    bool has_cohorts;
    bool has_node_cohorts;
    struct word_lists memories;
    struct word_lists cohorts;
    struct word_lists node_cohorts;
    struct slot_classes {
        uint32_t *items; /* by slot, from the one behind SLOT_NONE on: the first of its classes,
                            which stand by stage and level */
        uint32_t count;
        uint32_t capacity;
    } * classes;         /* by revision */
    uint32_t slot_count; /* that have classes */
};

/* ---- clock.c: what the setup says about time ---- */
/* After the revisions and before the nodes: how many words it takes, not more. */
void clock_create(struct population *population);
/* After the nodes: periods, thresholds and the tick. */
void clock_finish(struct population *population);
uint32_t clock_word_count(const struct population *population);
/* Every way in which the periodic controllers may begin. */
void clock_each_start(struct population *population, struct population_state *state,
                      bool (*emit)(void *context, struct population_state *state), void *context);
int64_t clock_ticks_ns(const struct population *population, uint64_t ticks);
/* What is not exact about it, for the report. */
const char *clock_premise(const struct population *population);

/* ---- clock_state.c ---- */
void clocks_allocate(const struct population *population, struct arena *arena,
                     struct population_state *state);
void clocks_unpack(struct population *population, const uint32_t *words,
                   struct population_state *state);
void clocks_copy(struct population *population, const struct population_state *from,
                 struct population_state *to);
/* Gives every pod and node the slot of its cohort, forgets cohorts that nobody
 * is in, and packs; false if there are too many. */
bool clocks_pack(struct population *population, struct population_state *state, uint32_t *words);
/* Half ticks; the largest there is if no age of it matters. */
uint32_t cohort_start(const struct population_state *state, uint32_t slot);
/* The age that stands for all beyond the last threshold, in half ticks. */
uint32_t age_cap(const struct thresholds *thresholds);

/* At a threshold, and not past it yet? */
bool age_is_at(const struct thresholds *thresholds, uint32_t age);
/* Ticks until the next threshold; UINT32_MAX: none is left. */
uint32_t age_until_next(const struct thresholds *thresholds, uint32_t age);
/* An age beyond the last threshold stands still: it is not told from any other. */
uint32_t age_after(uint32_t age, const struct thresholds *thresholds, uint32_t ticks);

/* ---- step_clock.c ---- */
/* When no fast step is left: what is due, and if nothing is (`due`: a periodic controller
 * already had something to do), time. True if the cluster rests: nothing but periodic
 * controllers will act. */
bool step_clock(struct expansion *expansion, bool due);

/* ---- clock_nodes.c ---- */
/* What is due of nodes; true if something is. */
bool step_clock_nodes(struct expansion *expansion);
/* Ticks until something is; UINT32_MAX: nothing ever is. */
uint32_t clock_nodes_until_due(const struct expansion *expansion);
/* So many ticks after the state of the expansion. */
void clock_nodes_age(const struct expansion *expansion, struct population_state *next,
                     uint32_t ticks);
/* Does it take time for some pod to become ready? */
bool clock_delays_readiness(const struct population *population);

#endif
