/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of the model told with names: the state counts nodes and pods, a reader
 * wants to know which.
 *
 * The teller follows a run from its initial state and gives every node and pod
 * a name of its own (GROUP-1, GROUP-2, ...; REPLICASET-1, ...), choosing among
 * those that are alike the first. What happened is read off the difference of
 * two states, so that a new kind of step needs nothing here.
 *
 *     teller = storyteller_create(arena, population, words, length);
 *     storyteller_tell(teller, &step, &told);     for each step
 *     storyteller_picture(teller, &picture);      at any time
 *
 * Everything told lives in the arena and outlives the population.
 */
#ifndef FATHOM_CLUSTER_STORY_STORY_H
#define FATHOM_CLUSTER_STORY_STORY_H

#include "object/meta.h"

struct arena;
struct check_event;
struct population_worker;
struct step;
struct storyteller;

/* Numbers of earlier steps, from 1 on, in order; 0: the initial state, or what
 * the world does of its own accord. */
struct story_causes {
    uint32_t *items;
    uint32_t count;
};

struct story_step {
    const char *actor;
    const char *action;
    const char *object;              /* "Pod/default/web-1-3", "Node/zone-1-1" */
    const char *detail;              /* a sentence without a full stop */
    struct string_list why;          /* sentences that explain it, where that is known */
    const char *node;                /* name; NULL: none, or several */
    uint32_t workload;               /* of the scope; UINT32_MAX: none, or several */
    bool outside;                    /* the world or the user did it */
    bool waits;                      /* nothing changes by it */
    bool quiet;                      /* time passes, and nothing else that anybody sees */
    int64_t period_ns;               /* that passes before it: of periodic controllers */
    bool notable;                    /* why is worth telling even in short */
    const char *plugin;              /* of the scheduler or descheduler that decided it; NULL */
    const char *reason;              /* of that plugin; NULL */
    const struct check_event *event; /* that came; NULL: none */
    struct story_causes causes;      /* without their effects it could not be taken */
};

struct story_node {
    const char *name;
    const char *condition;   /* "" when all is well */
    struct string_list pods; /* names, with their stage where it is not ready */
};

struct story_workload {
    const char *name; /* Kind/namespace/name */
    int32_t replicas; /* wanted now */
    struct string_list waiting;
    const char *note; /* how things are with it, "it is complete"; NULL */
};

struct story_picture {
    struct story_node *nodes;
    uint32_t node_count;
    struct story_workload *workloads;
    uint32_t workload_count;
};

struct storyteller *storyteller_create(struct arena *arena, struct population_worker *worker,
                                       const uint32_t *words, uint32_t length);

/* A teller that goes on from the same point on its own, without causes: to see how
 * a step would be told. */
struct storyteller *storyteller_copy(struct arena *arena, const struct storyteller *teller);

/* The next step; step->words is the state that it leads to. */
void storyteller_tell(struct storyteller *teller, const struct step *step, struct story_step *told);

/* Without whose effects the atom of this intent would be another in the present
 * state: who is to blame for a state that an intent does not like. If the run
 * `rests` there: would be another once everything has come to rest again. */
void storyteller_blame(struct storyteller *teller, uint32_t intent, bool rests,
                       struct story_causes *causes);

/* The workload that the intent is not content with in the present state: its number in the
 * scope; UINT32_MAX: none, or the intent is not about states. */
uint32_t storyteller_whose(struct storyteller *teller, uint32_t intent);

void storyteller_picture(struct storyteller *teller, struct story_picture *picture);

#endif
