/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of one setup: all that is known before anything happens. It is written while it
 * is built or resized, and never while states are explored: what is written then is a
 * worker's (population_worker.h). What its parts are is said where their structs are; states
 * are in state.h.
 */
#ifndef FATHOM_CLUSTER_STATE_POPULATION_MODEL_H
#define FATHOM_CLUSTER_STATE_POPULATION_MODEL_H

#include "base/vec.h"
#include "cluster/intent/intent.h"
#include "cluster/population.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/configuration.h"
#include "decide/view.h"

struct actor;

struct population {
    struct memory *memory; /* holds the arena and the model itself. */
    struct arena arena;    /* holds all that the model is made of. */

    /* ---- what it was built from ---- */

    const struct scope *scope;         /* is the scope that the setup belongs to. */
    const struct setup *setup;         /* says how many nodes and replicas there are. */
    struct population_options options; /* says how the caller wants it modelled. */
    struct problems *problems;         /* takes what is wrong with the setup. */
    bool kept; /* True once the model has copies of its intents, so that the caller's may go
                  (shelf.c). */

    /* ---- what is numbered in the beginning ---- */

    /* The worker that the model was built with. Nobody writes to it once the model is
     * finished; workers begin as copies of it. */
    struct population_worker *maker;
    const struct catalog *catalog;       /* is the maker's: objects around, and node templates. */
    VEC(struct template_info) templates; /* says what a node template is, by its number. */
    VEC(struct node_kind) node_kinds;    /* has the nodes that are told apart, by kinds. */
    uint32_t zone_count;                 /* counts the zones of the node lifecycle controller. */

    /* ---- workloads, and who looks after them ---- */

    VEC(struct workload) workloads;     /* has those of the scope, then bystanders. */
    uint32_t managed_count;             /* counts those of the scope. */
    VEC(struct revision) revisions;     /* has the kinds of pods of all workloads. */
    VEC(struct autoscaler) autoscalers; /* has the HorizontalPodAutoscalers of workloads. */
    VEC(struct service_info) services;  /* has the Services, if an intent is about traffic. */
    VEC(const struct actor *) actors;   /* has who can act here, in order (actor/actor.h). */
    struct profiles profiles;           /* has the profiles of the scheduler. */
    uint32_t scheduler_count;           /* counts schedulers that know nothing of each other. */
    const struct descheduler_policy *descheduler_policy; /* is NULL without a descheduler. */
    struct clock *clock;                                 /* is NULL if time is asynchronous. */

    /* ---- events and intents ---- */

    VEC(struct population_event) events; /* has what the world may do. */
    uint32_t load_count;                 /* counts the workloads whose load can change. */
    VEC(struct intent) intents;          /* has what is asked. */
    uint32_t monitor_count;              /* counts the words that intents remember. */

    /* ---- what can happen, and therefore is part of states and steps ---- */

    bool has_jobs;           /* True if some workload is a Job. */
    bool has_daemon_sets;    /* True if some workload is a DaemonSet. */
    bool has_pressure;       /* True if a node may run low on memory, disk or process IDs. */
    bool deletes;            /* True if an event may delete objects. */
    bool doubts;             /* True if nodes that fail are not tainted at once
                                (step_lifecycle.c). */
    bool endpoints;          /* True if pods that terminate may still be endpoints, and an intent
                                asks. */
    bool admission_matters;  /* True if pods may reach nodes whose kubelets do not admit them. */
    bool needs_readiness;    /* True if somebody can see a pod that is bound but not ready. */
    bool remembers_settling; /* True if some event waits until the cluster first comes to rest. */
    bool starts_settled;     /* True if runs begin once everything has come to rest. */

    /* ---- what is left out (reductions.c) ---- */

    bool creates_first;     /* True if a set that lacks pods makes them before anything else. */
    bool ready_at_once;     /* True if pods are ready as soon as they are bound. */
    bool remembers_binding; /* True if states say that a pod was bound since the cluster last
                               rested: as long as that is so, some pod may not have started. */
    bool parts;             /* True if workloads may be looked at one at a time (apart.c). */

    /* ---- where runs begin ---- */

    struct population_state *initial; /* is the state that runs begin with. */
    /* Where runs begin with the present state; empty otherwise. */
    uint32_t *observed_revisions;               /* has the revision of each pod of the scope. */
    VEC(struct observed_node) observed_nodes;   /* has the nodes with their pods, by name. */
    VEC(struct observed_name) observed_waiting; /* has the pods on no node, by name. */

    /* ---- the layout of a state (state.h) ---- */

    bool wide;           /* True if numbers of replicas may not fit into 16 bits. */
    uint32_t count_bits; /* counts the bits of a node's word that hold how many nodes there are. */
    uint32_t word_of_workloads, word_of_events, word_of_loads, word_of_flags, word_of_monitors,
        word_of_clocks, word_of_nodes; /* are where each part begins. */

    /* ---- as the checker sees it ---- */

    struct model model;              /* is what population_model gives. */
    VEC(struct property) properties; /* has one for each intent. */
};

#endif
