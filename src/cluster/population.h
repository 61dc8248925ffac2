/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster as a model for the checker: one setup of a scope, with all its
 * controllers, kubelets and outside events, as states and steps.
 *
 * The state is the symmetry quotient (decide/view.h): how many nodes have which
 * config, how many pods wait, what the workloads want. Controllers are
 * level-triggered: a step is enabled as long as a sync would change something.
 *
 *   fast    Deployment, ReplicaSet, scheduler, kubelet, taint manager, drains;
 *           they interleave in every order
 *   slow    HorizontalPodAutoscaler, descheduler: not in the middle of what the
 *           workload controllers and the scheduler do (see docs/fidelity.md)
 *   events  outages, deletions and the like, each at most so many times
 *
 * The population is the immutable model of explore/model.h; what a thread writes while it
 * explores is its worker's (state/worker.h).
 */
#ifndef FATHOM_CLUSTER_POPULATION_H
#define FATHOM_CLUSTER_POPULATION_H

#include "base/clock.h"
#include "cluster/forward.h"
#include "cluster/others.h"
#include "decide/features.h"
#include "decide/size_region.h"
#include "explore/model.h"
#include "setup/setup.h"

#include <stdatomic.h>

/* Where steps and differences are left out that change no verdict (reductions.c). With the last
 * one nothing is left out, and the states of loops that fast steps cannot leave are states of rest
 * (rest.h); before, that is left out, too, which is right where there are no such loops. */
enum population_reductions {
    REDUCTIONS_NEVER,
    REDUCTIONS_OF_LARGE,
    REDUCTIONS_ALWAYS,
    REDUCTIONS_NEVER_LOOPS_REST,
};

/* Nodes of a group that are alike are one kind, and fairness is by kinds. To judge
 * fairness to each single node, nodes can be distinguished: all of them, or one of each
 * group, which stands for any of them (the model has orbits then, see explore/model.h). */
enum population_nodes { NODES_ALIKE, NODES_ONE_DISTINGUISHED, NODES_ALL_DISTINGUISHED };

/* When periodic actors (autoscalers, the descheduler, GitOps controllers) act. */
enum population_interleaving {
    INTERLEAVING_SETTLED,     /* when every fast actor has come to rest */
    INTERLEAVING_CONTROLLERS, /* when prompt ones have, or have not reacted yet (state.early) */
    INTERLEAVING_FULL,   /* at any time, but an autoscaler not again before its write is seen */
    INTERLEAVING_RACING, /* at any time */
};

struct population_options {
    struct features features;
    enum population_interleaving interleaving;
    bool budgets_lag;    /* the statuses of budgets are written by steps of their own */
    bool images_pulled;  /* nodes get the images that their pods pull */
    int64_t image_bytes; /* of images whose size no node reports; 0: any size */
    bool sets_lag;       /* ReplicaSets go by the pods that they saw last (ask/set_views.h) */
    uint32_t tick_parts; /* for tests: clocked time in parts of a tick; 0: in ticks */
    enum population_reductions reductions;
    bool every_size; /* for which other numbers of nodes it is the same is noted (findings.sizes) */
    bool every_order; /* steps that commute are explored in every order (reduce/ends.h) */
    enum population_nodes nodes;
    /* What workloads may do that are not modelled (others.h); NULL: all are modelled. */
    const struct others *others;
    /* When to give up what takes long beside the exploration: building the model, finding out where
     * runs begin, asking for the causes of steps; NULL, 0: never. */
    const atomic_bool *interrupted;
    int64_t deadline_ns; /* of the monotonic clock */
};

/* Has the user interrupted the run, or has its time passed? */
static inline bool population_is_over(const struct population_options *options)
{
    return (options->interrupted && atomic_load(options->interrupted)) ||
           (options->deadline_ns > 0 && clock_now_ns() >= options->deadline_ns);
}

/* Four marks are needed beside those of the intents. */
enum { POPULATION_INTENTS_MOST = MODEL_MARKS_MOST - 4 };

/* Is everything modelled that the scope, its Check and the intents ask for?
 * Reports what is not. The Check is among the scope's objects. */
bool population_supports(const struct scope *scope, const struct check_intent *intents,
                         uint32_t intent_count, struct problems *problems);

/* Why settle-first may leave something out, in a sentence; NULL if it leaves nothing out. */
const char *population_settles_late(struct arena *arena, const struct scope *scope);

/* A premise: the model scores nodes that a real scheduler may skip; NULL if it skips none. */
const char *population_scores_more(const struct scope *scope);

/* A premise: with which exit codes killed containers end; NULL if no Job asks. */
const char *population_exit_codes(const struct scope *scope);

/* A premise: the devices of resource claims are wherever a pod goes; NULL if no pod has claims. */
const char *population_devices_are_there(const struct scope *scope);

/* A premise: the statuses of budgets are always up to date; NULL if nothing depends on it. */
const char *population_budgets_are_prompt(const struct scope *scope,
                                          const struct population_options *options);

/* That ReplicaSets and the scheduler see changes at once; NULL if nothing depends on it. */
const char *population_replica_sets_are_prompt(const struct scope *scope,
                                               const struct population_options *options);
const char *population_scheduler_is_prompt(const struct scope *scope);

/* NULL if the setup needs more than the model can count (a problem says so), or more memory than
 * there is, or if the run is over. */
struct population *population_create(struct memory *memory, const struct scope *scope,
                                     const struct setup *setup, const struct check_intent *intents,
                                     uint32_t intent_count,
                                     const struct population_options *options,
                                     struct problems *problems);
void population_free(struct population *population);

/* The model; its property i is intent i. Its workers are those that are made here. Each has
 * numbers of its own for what it meets, so a state goes back to the worker that gave it; to
 * explore with several workers, or with explore_run, use the model of a crew (crew.h). */
const struct model *population_model(const struct population *population);

/* A number that is the same for models of one setup if runs begin with the same pods on the same
 * nodes, whichever of those that are alike. */
uint64_t population_placement(const struct population *population);

/* What one thread writes while it uses the model. NULL: there is not enough memory. */
struct worker *population_worker_create(const struct population *population, struct memory *memory);
void population_worker_free(struct worker *worker);
/* From now on the workloads w for which `leads[w]` is true act in every order. Of the others only
 * one step at a time is explored, before theirs; or, if they lead alone, none. NULL: all act in
 * every order. */
void population_worker_lead(struct worker *worker, const bool *leads, bool alone);
/* The model that the worker is made for. */
const struct model *population_worker_model(const struct worker *worker);

/* Are steps with these arguments about pods of one revision, or both about none? */
bool population_same_subject(uint32_t left, uint32_t right);

/* The steps out of a state, for a caller who takes a run again: those of the action and about the
 * same revision as `argument`, and all of the action `beside` (POPULATION_ACTION_COUNT: of none).
 * They are as the model has them, with their marks, but have other numbers. */
void population_expand_again(struct worker *worker, const uint32_t *words, uint32_t length,
                             uint32_t action, uint32_t argument, uint32_t beside,
                             struct step_sink *sink);

/* All steps out of a state in their order, up to one for which the sink answers false. */
void population_expand_until(struct worker *worker, const uint32_t *words, uint32_t length,
                             struct step_sink *sink);

/* How near a state of the worker's is to a violation of the intent of this number, as far as the
 * intent's class can tell: greater is nearer. */
int64_t population_nearness(struct worker *worker, uint32_t intent, const uint32_t *words,
                            uint32_t length);

/* The same, and the atoms of `wanted`, of the state that a step leads to, for a sink that the
 * step is being handed over to: what it shares with the state before it is not counted again. */
int64_t population_step_nearness(struct worker *worker, uint32_t intent, const struct step *step);
uint64_t population_step_atoms(struct worker *worker, const struct step *step, uint64_t wanted);

/* Has the intent's class a measure of its own? */
bool population_knows_nearness(const struct worker *worker, uint32_t intent);

/* May the step, from this state of the worker's, be refused by a silent webhook? */
bool population_step_is_doubtful(struct worker *worker, const uint32_t *words, uint32_t length,
                                 const struct step *step);

/* How much room one node has, or will have when the pods that terminate there are gone (greater is
 * more). */
int64_t population_gap(struct worker *worker, const uint32_t *words, uint32_t length);
/* The workload whose pods the step is about; UINT32_MAX: none. */
uint32_t population_step_workload(const struct worker *worker, const struct step *step);
/* Does the step happen to a node? */
bool population_step_is_at_node(const struct step *step);
/* Does the step out of the state happen to a node that has as many pods of the workload as any, or
 * to no node at all? */
bool population_step_hits(struct worker *worker, const uint32_t *words, uint32_t length,
                          const struct step *step, uint32_t workload);

/* Was there a state from which workloads were explored one at a time, and why is that
 * right (focus.c)? */
enum population_focus {
    FOCUS_NONE,
    FOCUS_UNNOTICED, /* what the others do makes no difference to any of them */
    FOCUS_ANYWHERE,  /* it makes no difference where pods are put */
};

/* What workers find out about the model itself while they explore it. */
struct population_findings {
    /* True once the exploration came to where runs begin. A start that never settles does
     * not come there. */
    bool judged;
    /* True once a number passed what a state can hold: nothing that was explored counts as
     * complete. */
    bool overflowed;
    /* True once, beside that, a CronJob had more Jobs than it has places (setup/cron_jobs.h). */
    bool piled_up;
    /* True once a reduction turned out to be wrong for this model: the result does not count,
     * and the model has to be explored again with REDUCTIONS_NEVER. */
    bool needs_all;
    /* True once a step was met that can be part of a loop that fast steps cannot leave, in a model
     * in which something waits for rest: it has to be explored again with
     * REDUCTIONS_NEVER_LOOPS_REST. */
    bool may_loop;
    /* True once a step was emitted that depends on a guess (guesses_readiness): a violation
     * has to be explored again with REDUCTIONS_NEVER. */
    bool guessed;
    /* True once it could not be found out whether a state is one of rest: nothing that was
     * explored counts as complete. */
    bool restless;
    /* True once the condition of an event failed in a state (ask/event_conditions.h): nothing that
     * was explored counts as complete. */
    bool conditions_fail;
    /* True once, beside that, it took too many steps. */
    bool conditions_cost;
    /* True once a step was possible that stands for a request, other than the creation of a pod,
     * that a silent webhook may refuse (ask/webhooks.h): nothing that was explored counts as
     * complete, and a run may have such steps. */
    bool webhooks_refuse;
    /* True once a user could do something that a silent webhook may refuse. Users need not do it:
     * what holds of all runs is as it was, but what some run needs may not be possible. */
    bool webhooks_refuse_users;
    /* True once a pod was placed that could have gone elsewhere if nodes kept the images that they
     * have pulled. */
    bool images_could_decide;
    /* Bit i: intent i applied somewhere (intent_class.applies), or it always does. */
    uint64_t applied;
    /* Bit i: event i of the Check came somewhere. */
    uint64_t came;
    /* Beside others: what the modelled workloads held. */
    struct room_held held;
    /* Beside others: the highest priority of a pod that may find no node and would preempt then,
     * as priority_rank gives it; 0: none. */
    uint64_t preempts_from;
    /* Beside others: what they did, of enum hindrance. */
    unsigned hindered;
    /* Beside others: true if states do not say which node that is up has which pods. */
    bool pooled;
    /* Beside others: true once a pod was crowded out for some of those that are asked together
     * (others.siblings), and not in the same way for all of them. */
    bool siblings_differ;
    /* Beside others: true if states do not say how often some event has come. */
    bool uncounted;
    /* With options.every_size: the sizes of which what was explored is true. */
    struct size_region sizes;
    enum population_focus
        focus; /* The strongest reason why workloads were explored one at a time from some state. */
};

/* A priority as a number that is greater than 0. */
static inline uint64_t priority_rank(int32_t priority)
{
    return (uint64_t)((int64_t)priority - INT32_MIN) + 1;
}

/* The actor of steps of this action, and the verb: "scheduler", "bind". */
const char *population_action_actor(uint32_t action);
const char *population_action_verb(uint32_t action);

#endif
