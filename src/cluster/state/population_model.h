/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of one setup: all that is known before anything happens, and what is
 * remembered of what was computed. What its parts are is said where their structs
 * are; states are in state.h.
 */
#ifndef FATHOM_CLUSTER_STATE_POPULATION_MODEL_H
#define FATHOM_CLUSTER_STATE_POPULATION_MODEL_H

#include "base/vec.h"
#include "base/word_lists.h"
#include "cluster/ask/memos.h"
#include "cluster/intent/intent.h"
#include "cluster/population.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/scheduler.h"
#include "decide/view.h"

struct actor;

struct population {
    struct memory *memory;
    struct arena arena;   /* of the cluster's life */
    struct arena scratch; /* of one expansion */
    const struct scope *scope;
    const struct setup *setup;
    struct population_options options;
    struct problems *problems;

    struct clock *clock; /* NULL: time is asynchronous */

    struct catalog *catalog;
    const struct descheduler_policy *descheduler_policy; /* NULL: there is no descheduler */
    struct profiles profiles;
    struct scheduler *scheduler;
    VEC(struct class_info) classes;      /* by class number */
    VEC(struct template_info) templates; /* by template number */
    VEC(struct config_facts) facts;      /* by config number, as far as anybody asked */
    struct config_change *changes;       /* open addressing */
    uint32_t change_slots;               /* a power of two */
    uint32_t change_count;
    struct known_syncs known_syncs;            /* a cache: known_syncs.c */
    struct known_placements *known_placements; /* likewise: known_placements.c */
    VEC(struct node_kind) node_kinds;
    struct word_lists *folds;       /* states in which no node is apart (fold.c) */
    VEC(struct workload) workloads; /* those of the scope, then bystanders */
    uint32_t managed_count;         /* the former */
    VEC(struct revision) revisions;
    VEC(struct autoscaler) autoscalers;
    VEC(struct service_info) services; /* if an intent is about traffic */
    bool endpoints;                    /* pods that terminate may be endpoints still */
    VEC(const struct actor *) actors;  /* that can act in this model, in order (actor/actor.h) */
    VEC(struct population_event) events;
    VEC(struct intent) intents;
    uint32_t monitor_count;
    uint32_t load_count;
    uint32_t zone_count;
    bool deletes;             /* objects may be deleted */
    bool doubts;              /* nodes are not tainted at once: see step_lifecycle.c */
    uint32_t scheduler_count; /* those that know nothing of each other */

    struct arena removals; /* working space of the ReplicaSets' ranking */
    bool nominates;        /* some place was kept for a pod */
    bool has_jobs;
    bool remembers_settling; /* some event waits for the first settling */
    bool needs_readiness;    /* somebody can see a pod that is bound but not ready */
    bool has_daemon_sets;
    bool has_pressure;      /* a node may run low */
    bool admission_matters; /* pods may reach nodes that do not admit them */
    bool starts_settled;    /* runs begin once everything rests */
    bool begins;            /* some run does */
    bool overflow;          /* a limit of the state's layout was passed: undecided */
    bool wide;              /* replicas may pass 16 bits */
    bool creates_first;     /* reductions.c */
    bool ready_at_once;
    bool remembers_binding;         /* as long as some pod may not have started yet */
    bool parts;                     /* workloads may be looked at one at a time: apart.c */
    enum population_parting parted; /* and somewhere they were */
    bool needs_all;                 /* a step was met that the reductions are not made for */
    uint32_t count_bits;            /* of a node's word */

    /* Where runs begin with the present state; empty otherwise. */
    uint32_t *observed_revisions; /* by pod of the scope */
    VEC(struct observed_node) observed_nodes;
    VEC(struct observed_name) observed_waiting;

    uint32_t word_of_workloads, word_of_events, word_of_loads, word_of_flags, word_of_monitors,
        word_of_clocks, word_of_nodes;
    const struct population_state *initial;
    bool kept; /* the intents are its own (shelf.c) */
    struct model model;
    VEC(struct property) properties;
};

#endif
