/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of one setup: all that is known before anything happens. It is written while it
 * is built or resized, and never while states are explored: what is written then is a
 * worker's (worker.h). What its parts are is said where their structs are; states
 * are in state.h.
 */
#ifndef FATHOM_CLUSTER_STATE_POPULATION_MODEL_H
#define FATHOM_CLUSTER_STATE_POPULATION_MODEL_H

#include "base/arena.h"
#include "base/vec.h"
#include "cluster/forward.h"
#include "cluster/population.h"
#include "cluster/state/ends.h"
#include "cluster/state/images.h"
#include "cluster/state/waits.h"
#include "decide/scheduler/configuration.h"
#include "decide/view.h"
#include "explore/model.h"

struct autoscaling;
struct clock;
struct descheduler_policy;
struct observed_name;
struct observed_node;
struct budget_pods;
struct population_quota;
struct population_webhook;
struct property;
struct service_info;

struct population {
    /* The arena and the model itself are taken from here. */
    struct memory *memory;
    /* All that the model is made of lies here, the maker's tables excepted. */
    struct arena arena;

    /* ---- what it was built from ---- */

    /* The setup belongs to this scope. */
    const struct scope *scope;
    /* The setup says how many nodes and replicas there are. */
    const struct setup *setup;
    /* States have so many nodes, with those that the cluster autoscaler may add. */
    int32_t total_nodes;
    /* The caller's options. */
    struct population_options options;

    /* ---- what is numbered while it is built ---- */

    /* The maker is the worker that the model was built with. It is not written while states
     * are explored: every other worker begins as a copy of it. */
    struct worker *maker;
    /* The maker's catalog has the objects around pods and nodes, and all node templates. */
    const struct catalog *catalog;
    /* Each node template has its meaning here, by number. */
    VEC(struct template_info) templates;
    /* The kinds of nodes: nodes of one kind are interchangeable. */
    VEC(struct node_kind) node_kinds;
    /* Nodes may pull these sets of images while the cluster runs. */
    VEC(struct image_set) image_sets;
    /* So many kinds, one after the other, differ only in which of the sets they have pulled. */
    uint32_t image_choices;
    /* True if where pods go may rest on what is assumed of images: that nodes do not get them, or
     * how large they are. */
    bool images_assumed;
    /* The node lifecycle controller knows so many zones. */
    uint32_t zone_count;

    /* ---- workloads and their controllers ---- */

    /* The workloads of the scope come first, then bystanders. */
    VEC(struct workload) workloads;
    /* So many workloads are of the scope. */
    uint32_t managed_count;
    /* The kinds of pods of all workloads are these. */
    VEC(struct revision) revisions;
    /* The workloads have these HorizontalPodAutoscalers. */
    VEC(struct autoscaler) autoscalers;
    /* The Services are listed only if an intent is about traffic. */
    VEC(struct service_info) services;
    /* Of each PodDisruptionBudget of the surroundings. */
    const struct budget_pods *budgets;
    /* Pods of the workloads are charged to these quotas. */
    VEC(struct population_quota) quotas;
    /* ... and to these, which others use as well. */
    VEC(struct population_quota) shared_quotas;
    /* These webhooks may keep new pods out, or refuse other requests. */
    VEC(struct population_webhook) webhooks;
    /* True if one of them may refuse other requests than those that create pods. */
    bool webhooks_ask_more;
    /* The actors that this model has, in the order of their steps (actor_type.h). */
    VEC(const struct actor *) actors;
    /* The scheduler has these profiles. */
    struct profiles profiles;
    /* True if an intent counts Jobs that CronJobs keep after their end. */
    bool counts_finished_jobs;
    /* There are so many schedulers that know nothing of each other. */
    uint32_t scheduler_count;
    /* The descheduler follows this policy. NULL: there is no descheduler. */
    const struct descheduler_policy *descheduler_policy;
    /* The cluster autoscaler scales these groups of nodes. NULL: there is none. */
    const struct autoscaling *autoscaling;
    /* The clock has the periods and delays of clocked time. NULL: time is asynchronous. */
    struct clock *clock;

    /* ---- events and intents ---- */

    /* The events of the Check. */
    VEC(struct population_event) events;
    /* So many workloads bear a load that can change. */
    uint32_t load_count;
    /* So many words of a state are notes of controllers (notes.h). */
    uint32_t note_count;
    /* Those of the statuses of budgets begin with this word of them; note_of_views: none. */
    uint32_t note_of_budgets;
    /* What ReplicaSets saw last begins with this word of them; note_of_jobs: it is what is there.
     */
    uint32_t note_of_views;
    /* What Jobs know of their indexes begins with this word of them (job_rules.h); note_of_tries:
     * nothing. */
    uint32_t note_of_jobs;
    /* The scheduler's notes begin with this word of them; note_of_homes: it has none. */
    uint32_t note_of_tries;
    /* The places of volumes begin with this word of them; note_of_backoffs: there are none. */
    uint32_t note_of_homes;
    /* So many claims have a volume that stays where it is, and these are the zones and the given
     * volumes (homes.h). */
    struct home *homes;
    uint32_t home_count;
    VEC(const char *) zones;
    struct volume_kind *volume_kinds;
    uint32_t volume_kind_count;
    bool volumes_elsewhere; /* true if volumes may also be anywhere */
    /* Which groups the cluster autoscaler keeps off is this word of them; note_of_templates: none.
     */
    uint32_t note_of_backoffs;
    /* Of which groups it has seen a node is this word of them; note_count: that makes no
     * difference. */
    uint32_t note_of_templates;
    /* The intents that are checked. */
    VEC(struct intent) intents;
    /* Bit i: whether intent i applies depends on what happens. */
    uint64_t may_apply;
    /* Bit i: intent i may mark steps, and those that say that the cluster rests. */
    uint64_t may_mark;
    uint64_t may_mind_rest;
    /* So many words of a state are what intents remember. */
    uint32_t monitor_count;

    /* ---- what can happen ---- */

    /* True if some workload is a Job, */
    bool has_jobs;
    /* and true if one has policies (job_rules.h). */
    bool has_job_rules;
    /* True if some workload is a DaemonSet. */
    bool has_daemon_sets;
    /* True if pods of some revision may have to wait for a disk (ask/attachments.c). */
    bool has_disks;
    /* True if a node may run low on memory, disk space or process IDs. */
    bool has_pressure;
    /* True if an event may delete objects. */
    bool deletes;
    /* True if a node that fails is not tainted NoExecute at once (step_lifecycle.c). */
    bool taints_late;
    /* True if an intent depends on which pods that terminate are still endpoints. */
    bool endpoints;
    /* True if pods may reach nodes whose kubelets do not admit them. */
    bool admission_matters;
    /* True if it makes a difference whether a kubelet that runs low rejects a pod, or evicts it. */
    bool tells_rejections;
    /* True if somebody counts pods that wait, so that those whose owner or node is gone are deleted
     * one by one, and not at once. */
    bool counts_waiting;
    /* True if it makes a difference whether a pod that is bound is ready (readiness.c). */
    bool needs_readiness;
    /* True if some event waits until the cluster has come to rest once. */
    bool remembers_settling;
    /* True if periodic actors wait for prompt ones: states say whether these were at work since
     * they last had nothing to do. */
    bool remembers_quiet;
    /* True if something waits until the cluster rests: an actor, an event, an intent, time. */
    bool waits_for_rest;
    /* True if drains know which pods they have found, without clocks (classes.h). */
    bool drains_list;
    /* True if it makes a difference whether pods that terminate were preempted, without clocks
     * (classes.h), */
    bool marks_victims;
    /* and true if the scheduler deletes them some time after it has nominated the pod that they
     * make room for. */
    bool preempts_later;
    /* True if an intent is about states of rest. */
    bool judges_rest;
    /* True if a property says that there are no loops that may count as rest. */
    bool looks_for_loops;
    /* True if runs begin only when everything has come to rest. */
    bool starts_settled;

    /* ---- what is left out (reductions.c) ---- */

    /* True if a set that lacks pods makes them before anything else happens. */
    bool creates_first;
    /* True if pods are ready as soon as they are bound. */
    bool ready_at_once;
    /* True if states do not say which pods are ready, and autoscalers guess it: after a pod was
     * bound, any number of their pods may be unready (step_autoscalers.c). */
    bool guesses_readiness;
    /* True if states say how many pods have not started, and not which (state/starts.h). */
    bool counts_starts;
    /* True if states say whether a pod was bound since the cluster last rested. Pods are ready
     * at once then, but autoscalers have to wait as long as one may not have started. */
    bool remembers_binding;
    /* True if states do not say which of the nodes that are up has which pods (pool.h). */
    bool pools;
    /* True if pods of the dump are not in it while nothing happens to their nodes. */
    bool pool_keeps;
    /* How states keep pods that terminate (reduce/ends.h). */
    enum ends ends;
    /* How states keep pods that wait (reduce/waits.h). */
    enum waits waits;
    /* True if workloads may be explored one at a time (focus.c). */
    bool may_focus;

    /* ---- where runs begin ---- */

    /* Runs begin with this state, or with one that differs from it only in its clocks or in
     * which node is distinguished (distinguished_node.c). */
    struct state *initial;
    /* Where runs begin with the present state, each pod of the scope is of this revision. */
    uint32_t *observed_revisions;
    /* Then these nodes are there, with the pods on them, by name. */
    VEC(struct observed_node) observed_nodes;
    /* And these pods are on no node. */
    VEC(struct observed_name) observed_waiting;

    /* ---- the layout of a state (state.h) ---- */

    /* True if some number of replicas may not fit into 16 bits. */
    bool wide;
    /* So many bits of a node's word are how many nodes there are. */
    uint32_t count_bits;
    /* The parts of a state begin at these words, the workloads at the first. */
    uint32_t word_of_events, word_of_loads, word_of_notes, word_of_flags, word_of_monitors,
        word_of_clocks, word_of_nodes;
    /* The arrays of an unpacked state take so many bytes, its nodes excepted. Its clocks have as
     * many words as when they are packed. */
    size_t array_bytes;
    /* True if states say what the controller of some workload remembers. */
    bool keeps_statuses;

    /* ---- as the checker sees it ---- */

    /* Each action has so many fairness classes at each gate (emit.c). */
    uint32_t fairness_subjects;
    /* True if states keep what has to be brought up to date after each step (emit.c): places that
     * are kept for pods excepted, of which the worker knows whether there are any. */
    bool keeps_more;
    /* The checker core explores this; its context is the population. */
    struct model model;
    /* Property i says what intent i asks. One more is behind them if loops are looked for. */
    VEC(struct property) properties;
};

/* Is the run over, or its memory taken, before the model is built? What compares all workloads with
 * each other asks this once for each; what it has found so far is not used then. */
static inline bool population_must_give_up(const struct population *population)
{
    return memory_is_over(population->memory) || population_is_over(&population->options);
}

#endif
