/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker of a thread that explores a population: all that is written while states are
 * expanded. The model itself (population_model.h) is only read then, by all threads.
 *
 * A worker numbers what it meets (node configs, classes of pods, what clocks remember) in
 * tables of its own. It begins as a copy of the model's maker, so what was known when the
 * model was finished has the same number in every worker. What two workers meet later has
 * numbers of its own in each of them; crew.h has numbers that several workers share.
 */
#ifndef FATHOM_CLUSTER_STATE_POPULATION_WORKER_H
#define FATHOM_CLUSTER_STATE_POPULATION_WORKER_H

#include "base/word_lists.h"
#include "cluster/ask/memos.h"
#include "cluster/state/population_model.h"
#include "decide/scheduler/scheduler.h"
#include "decide/view.h"

struct config_change;
struct config_facts;

struct population_worker {
    const struct population *population; /* is the model that the worker explores. */
    struct memory *memory;               /* holds the arenas and the worker itself. */
    struct arena arena;                  /* holds tables and memos; it lives as long as they do. */
    struct arena scratch;                /* holds what one expansion needs; it is rewound after. */
    struct arena removals; /* holds what a ReplicaSet needs to rank the pods it deletes. */

    /* ---- what has numbers ---- */

    struct catalog *catalog;        /* has the pods, node templates and node configs. */
    VEC(struct class_info) classes; /* says what a class of the catalog is, by its number. */
    /* With clocks: lists that words of a state are the numbers of (clock.h). */
    struct word_lists memories;        /* has what autoscalers remember. */
    struct word_lists cohorts;         /* has the cohorts of pods. */
    struct word_lists node_cohorts;    /* has the cohorts of nodes. */
    struct slot_classes *slot_classes; /* has the classes in each slot, by revision. */
    uint32_t slot_count;               /* counts the slots that have classes. */
    struct word_lists folds;           /* has the states in which no node is apart (fold.c). */

    /* ---- memos: what was computed before and is not computed again ---- */

    struct scheduler *scheduler;    /* decides, and remembers plans and records of nodes. */
    VEC(struct config_facts) facts; /* has what a config means, by its number. */
    struct config_change *changes;  /* has what came of a change of a config; open addressing. */
    uint32_t change_slots;          /* is the size of `changes`, a power of two. */
    uint32_t change_count;          /* counts the entries of `changes`. */
    struct known_syncs known_syncs; /* has what syncs decided (known_syncs.c). */
    struct known_placements *known_placements; /* has where pods went (known_placements.c). */

    /* True while periodic actors may act at any time, whatever the options of the model say: a
     * story asks which steps are possible at all. */
    bool interleaves;

    /* ---- what it found out ---- */

    /* True once a config was met on which a place is kept for a pod; before that, no state has
     * to be searched for places to give back. */
    bool nominates;
    struct population_findings findings; /* is for whoever judges the exploration. */
};

/* The worker that a model is built with; it has no numbers yet. */
struct population_worker *maker_create(const struct population *population, struct memory *memory);

/* As a model's callbacks: population_worker_create and population_worker_free. */
void *worker_of_model(const struct model *model, struct memory *memory);
void worker_free_of_model(const struct model *model, struct memory *memory, void *worker);

/* Forgets what was found out, but not the tables and memos: the model has been resized. */
void worker_begin_again(struct population_worker *worker);

/* Adds what one worker found out to what others did. */
void findings_join(struct population_findings *all, const struct population_findings *found);

#endif
