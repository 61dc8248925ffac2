/* SPDX-License-Identifier: Apache-2.0 */
/* What can happen in a cluster: the actions, their names and their traits (actions.def). */
#ifndef FATHOM_CLUSTER_STATE_ACTIONS_H
#define FATHOM_CLUSTER_STATE_ACTIONS_H

#include <stdbool.h>

enum population_action {
#define ACTION(constant, actor, verb, traits, plainly, of_pods, of_node) constant,
#include "cluster/state/actions.def"
#undef ACTION
    POPULATION_ACTION_COUNT
};

/* What fairness, intents, reductions and reports ask about an action. An action that lacks
 * a trait is treated with more care or in more detail, never with less. */
enum action_trait {
    /* Weakly fair: who can take such a step for ever takes it some day. Without it the
     * step may never come. */
    IS_FAIR = 1 << 0,
    /* A step of one node (of its kubelet, or of who clears it): fairness is promised to
     * each kind of nodes by itself. */
    IS_OF_NODE = 1 << 1,
    /* Likewise if the pod is for one node only, or has a place kept on it. */
    IS_OF_PINNED_NODE = 1 << 2,
    /* Fairness does not tell apart whom the step is about: it is a matter of luck. */
    IS_OF_ANYBODY = 1 << 3,
    /* The world or the user acts, not a controller. */
    IS_EVENT = 1 << 4,
    /* It says something of the state (a pod finds no node, the cluster rests): a run that
     * does nothing else for ever is at rest. */
    IS_IDLE = 1 << 5,
    /* With clocks: nothing but time and the memories of controllers change by it. */
    IS_QUIET = 1 << 6,
    /* With clocks: the next step of a pattern that the Check gives, of usage or load. */
    IS_PATTERN = 1 << 7,
    /* Pods are evicted: by taints, drains, pressure, the descheduler or preemption. */
    EVICTS_PODS = 1 << 8,
    /* ... by preemption. */
    PREEMPTS_PODS = 1 << 9,
    /* A controller makes pods. */
    MAKES_PODS = 1 << 10,
    /* It changes nothing of other workloads and takes no room from them, but for the room
     * of pods that it binds (reduce/apart.c). */
    IS_SOLO = 1 << 11,
    /* Pods of a Job that are gone after it have not failed. */
    IS_NO_FAILURE = 1 << 12,
    /* In reports it is about the set or Job that owns the pods. */
    IS_ABOUT_OWNER = 1 << 13,
    /* ... about the workload. */
    IS_ABOUT_WORKLOAD = 1 << 14,
};

/* How an action is told; "{pods}" and the like are filled in (story/words.h). */
struct action_words {
    const char *plainly; /* NULL: it is told in a way of its own */
    const char *of_pods; /* NULL: as one of a node */
    const char *of_node; /* NULL: plainly */
};

/* The traits of each action. */
extern const unsigned action_traits[POPULATION_ACTION_COUNT];

/* Has the action one of these traits? */
static inline bool action_has(enum population_action action, unsigned traits)
{
    return (action_traits[action] & traits) != 0;
}

const struct action_words *action_words(enum population_action action);

/* "scheduler bind", by action. */
extern const char *const population_action_names[POPULATION_ACTION_COUNT];

#endif
