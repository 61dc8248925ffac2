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
#ifndef FATHOM_CLUSTER_STATE_WORKER_H
#define FATHOM_CLUSTER_STATE_WORKER_H

#include "base/arena.h"
#include "base/vec.h"
#include "base/word_lists.h"
#include "cluster/forward.h"
#include "cluster/population.h"
#include "cluster/state/memos.h"
#include "decide/scheduler/scheduler.h"
#include "decide/view.h"

struct config_change;
struct config_facts;
struct config_starts;
struct known_placements;
struct map;
struct scaling_prototypes;
struct scheduler;
struct known_crowding;
struct slot_classes;

/* A successor as it was before it was packed. */
struct emitted_state {
    const uint32_t *words;    /* what it was packed into; NULL: there is none */
    const struct state *from; /* the state that it comes after */
    struct state *state;
};

struct worker {
    /* The worker explores this model, and only reads it. */
    const struct population *population;
    /* Tables and memos lie here. It is never rewound. The worker itself is taken from the same
     * memory. */
    struct arena arena;
    /* What an expansion needs lies here. It is rewound when the expansion is done. */
    struct arena scratch;
    /* What a ReplicaSet needs to rank the pods that it deletes lies here. */
    struct arena removals;

    /* By workload: true if it takes its steps in every order, after all others have taken theirs,
     * of which only one at a time is explored (verify/modular.c). NULL: no workload goes first. */
    const bool *leads;
    /* True if those that do not lead take no steps at all. */
    bool lead_alone;
    /* True if then nothing depends on which steps those could take, but whether there are any. */
    bool leaves_out;

    /* ---- what has numbers ---- */

    /* Pods, node templates and node configs have their numbers here. */
    struct catalog *catalog;
    /* Each class of pods in the catalog has its meaning here, by number. */
    VEC(struct class_info) classes;
    /* With clocks, a state has the number of what each autoscaler remembers (clock.h). */
    struct word_lists memories;
    /* With clocks, a state has the number of the list of all its cohorts of pods. */
    struct word_lists cohorts;
    /* With clocks, a state has the number of the list of all its cohorts of nodes. */
    struct word_lists node_cohorts;
    /* With clocks, each revision has the classes of its pods in every slot here. */
    struct slot_classes *slot_classes;
    /* So many slots have classes; the classes of all revisions are made a slot at a time. */
    uint32_t slot_count;
    /* Orbits of states, which differ only in which node is distinguished, have their
     * numbers here (distinguished_node.c). */
    struct word_lists orbits;

    /* ---- memos: what was computed once is not computed again ---- */

    /* The scheduler keeps its plans for pods, and what it found out about nodes. The maker has
     * one only while it looks for where runs begin. */
    struct scheduler *scheduler;
    /* The facts of each config that were asked for are here, by number. */
    VEC(struct config_facts) facts;
    /* Where starts are counted, the pods of each config that have not started (starts.c). */
    VEC(struct config_starts) starts;
    /* The results of changes of configs are a hash table with open addressing. */
    struct config_change *changes;
    uint32_t change_slots; /* The table has room for so many; it is a power of two. */
    uint32_t change_count; /* The table has so many. */
    /* The results of syncs are a cache (known_syncs.c). */
    struct known_syncs known_syncs;
    /* The loops that fast steps cannot leave are known by their states (rest.c). */
    struct rests rests;
    /* The places that the scheduler chose are a cache (known_placements.c). */
    struct known_placements *known_placements;
    /* Beside others, the last answers to whether they crowd a pod out (room_of_others.c). */
    struct known_crowding *known_crowdings;
    /* Beside others, the kind of the pods of each revision (room_held.c); NULL: not asked yet. */
    uint32_t *room_kinds;
    /* Beside others, the places of the pods of each revision in the pool, as bits, likewise. */
    uint32_t *room_places;

    /* For the cluster autoscaler, a pod of each revision (scaling_picture.c), and what its loops
     * come to in each state that was asked for (scaling_loops.c); NULL: not asked yet. */
    struct scaling_prototypes *scaling_prototypes;
    struct map *scaling_known;

    /* ---- how it works now ---- */

    /* True while periodic actors may act at any time, whatever the options of the model say: a
     * story asks which steps are possible at all. */
    bool interleaves;
    /* True while rest.c looks for where runs begin, so that nobody does so inside of that. */
    bool looks_for_start;
    /* The step that is being handed over, whose state need not be unpacked (emit.c). */
    struct emitted_state emitted;
    /* True once a config was met on which a place is kept for a pod. Until then no place has to
     * be given back. */
    bool nominates;

    /* ---- what it found out ---- */

    struct population_findings findings;
};

/* The worker that a model is built with; it has no numbers yet. */
struct worker *maker_create(const struct population *population, struct memory *memory);

/* Adds what one worker found out to what others did. */
void findings_join(struct population_findings *all, const struct population_findings *found);

#endif
