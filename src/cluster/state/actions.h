/* SPDX-License-Identifier: Apache-2.0 */
/* What can happen in a cluster: the actions, their names and their traits (actions.def). */
#ifndef FATHOM_CLUSTER_STATE_ACTIONS_H
#define FATHOM_CLUSTER_STATE_ACTIONS_H

#include <stdbool.h>

enum population_action {
#define ACTION(constant, actor, verb, traits, ...) constant,
#include "cluster/state/actions.def"
#undef ACTION
    POPULATION_ACTION_COUNT
};

/* What fairness, intents, reductions and reports ask about an action. An action that lacks
 * a trait is treated with more care or in more detail, never with less. */
enum action_trait {
    /* The action is weakly fair: if such a step is possible for ever, it is taken some time. A
     * step of an action without the trait may never be taken. */
    IS_FAIR = 1 << 0,
    /* A step of one node (of its kubelet, or of a drain): each kind of nodes has a fairness class
     * of its own. */
    IS_OF_NODE = 1 << 1,
    /* Likewise if the pod is for one node only, or has a place kept on it. */
    IS_OF_PINNED_NODE = 1 << 2,
    /* All steps of the action are in one fairness class: which one is taken is random. */
    IS_OF_ANYBODY = 1 << 3,
    /* An event of the Check, not a step of a controller. */
    IS_EVENT = 1 << 4,
    /* The step only says something about the state (a pod finds no node, the cluster rests): a
     * run that has only such steps from some point on is at rest. */
    IS_IDLE = 1 << 5,
    /* With clocks: the step changes nothing but time and what controllers remember. */
    IS_QUIET = 1 << 6,
    /* With clocks: the next step of a pattern that the Check gives, of usage or load. */
    IS_PATTERN = 1 << 7,
    /* Pods are evicted: by taints, drains, pressure, the descheduler or preemption. */
    EVICTS_PODS = 1 << 8,
    /* ... by preemption. */
    PREEMPTS_PODS = 1 << 9,
    /* A controller makes pods. */
    MAKES_PODS = 1 << 10,
    /* The step changes nothing of other workloads, and takes no room from them except for pods
     * that it binds (reduce/focus.c). */
    IS_SOLO = 1 << 11,
    /* Pods of a Job that are gone after it have not failed. */
    IS_NO_FAILURE = 1 << 12,
    /* In reports it is about the set or Job that owns the pods. */
    IS_ABOUT_OWNER = 1 << 13,
    /* ... about the workload. */
    IS_ABOUT_WORKLOAD = 1 << 14,
    /* It brings the cluster closer to what its objects say, and undoes nothing of that kind: every
     * loop of fast steps has a step of an action without this trait (rest.h). */
    LEADS_ON = 1 << 15,
    /* Pods are evicted through the eviction API, which lowers the status of their budget. */
    ASKS_BUDGETS = 1 << 16,
    /* A pod that is there comes nearer to being ready, or a Job begins. */
    BRINGS_PODS = 1 << 17,
    /* Something goes wrong, or has to make up for a want of room: a repair after which it never
     * happens any more takes nothing away. */
    IS_MISHAP = 1 << 18,
    /* Pods, nodes or Jobs leave by it, or stop serving. */
    TAKES_AWAY = 1 << 19,
    /* Without clocks only actors of the fast pace take such steps, so that whether one is possible
     * can be asked of these actors alone. */
    IS_QUICK = 1 << 20,
};

/* How an action is told; "{pods}" and the like are filled in (story/words.h). */
struct action_words {
    const char *plainly; /* in any case; NULL: a function tells it */
    const char *of_pods; /* of a step about pods; NULL: as of_node */
    const char *of_node; /* of a step about a node; NULL: as plainly */
};

struct action_row {
    unsigned traits;
    const char *actor;
    const char *verb;
    struct action_words words;
};

extern const struct action_row action_rows[POPULATION_ACTION_COUNT];

/* Has the action one of these traits? */
static inline bool action_has(enum population_action action, unsigned traits)
{
    return (action_rows[action].traits & traits) != 0;
}

static inline const struct action_words *action_words(enum population_action action)
{
    return &action_rows[action].words;
}

/* "scheduler bind", by action. */
extern const char *const population_action_names[POPULATION_ACTION_COUNT];

#endif
