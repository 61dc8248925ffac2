/* SPDX-License-Identifier: Apache-2.0 */
/* The words for what verify/parts.h records: what couples workloads, what stands in the way of a
 * verdict, and what to change. */
#include "report/parts_words.h"

#include "object/check.h"

#include <string.h>

/* ---- couplings ---- */

struct coupling_words {
    const char *name;   /* for programs */
    const char *kind;   /* of the object whose name follows; NULL: there is none */
    const char *words;  /* before the name, or all there is */
    const char *advice; /* what would take it away; NULL: nothing in particular */
};

#define CHECK_WITHOUT(what) "a Check without " what ", for what does not depend on it"

static const struct coupling_words couplings[COUPLING_RULE_COUNT] = {
    [COUPLED_BY_SCHEDULER] = {"scheduler", NULL, "the scheduler's plugin ", NULL},
    [COUPLED_BY_DISK] = {"disk", NULL, "the disk ", NULL},
    [COUPLED_BY_BUDGET] = {"budget", "PodDisruptionBudget", "",
                           "a PodDisruptionBudget for each workload instead of one for several"},
    [COUPLED_BY_SERVICE] = {"service", "Service", "", NULL},
    [COUPLED_BY_AUTOSCALER] = {"autoscaler", "HorizontalPodAutoscaler", "", NULL},
    [COUPLED_BY_QUOTA] = {"quota", "ResourceQuota", "",
                          "a Check without the ResourceQuota, for what does not depend on it"},
    [COUPLED_BY_WEBHOOK] = {"webhook", "WebhookConfiguration", "", NULL},
    [COUPLED_BY_APPLY] = {"apply", NULL, "an apply that changes both", NULL},
    [COUPLED_BY_DESCHEDULER] = {"descheduler", NULL, "the descheduler, which looks at all pods",
                                CHECK_WITHOUT("the descheduler")},
    [COUPLED_BY_CLUSTER_AUTOSCALER] = {"clusterAutoscaler", NULL,
                                       "the cluster autoscaler, which looks at all pods and nodes",
                                       CHECK_WITHOUT("the cluster autoscaler")},
    [COUPLED_BY_PRESSURE] = {"pressure", NULL, "pressure on nodes, which comes from all their pods",
                             CHECK_WITHOUT("nodePressure")},
    [COUPLED_BY_ADMISSION] = {"admission", NULL, "kubelets, which may reject pods", NULL},
    [COUPLED_BY_PANIC] = {"kernelPanic", NULL, "kernel panics, which come from all pods of a node",
                          CHECK_WITHOUT("kernelPanic")},
    [COUPLED_BY_DELETE] = {"delete", NULL, "the delete of an object that is no workload",
                           CHECK_WITHOUT("this delete")},
    [COUPLED_BY_CONDITION] = {"condition", NULL,
                              "the condition of an event, which may look at all pods",
                              CHECK_WITHOUT("this condition")},
};

const char *coupling_rule_name(enum coupling_rule rule)
{
    return couplings[rule].name;
}

const char *coupling_words(struct arena *arena, const struct coupled *coupled)
{
    const struct coupling_words *words = &couplings[coupled->rule];
    const struct object_name name = {words->kind, coupled->namespace, coupled->name};
    if (words->kind)
        return object_name_format(arena, &name);
    return coupled->name ? arena_printf(arena, "%s%s", words->words, coupled->name) : words->words;
}

const char *coupling_advice(enum coupling_rule rule)
{
    return couplings[rule].advice;
}

/* ---- obstacles ---- */

struct obstacle_words {
    const char *name;
    const char *words;  /* "%s": the culprit */
    const char *nobody; /* the same without a culprit; NULL: there always is one */
    const char *itself; /* the same if it is the component itself; NULL: as of others */
    const char *advice; /* what to change; NULL: nothing in particular */
};

#define MORE_ROOM                                                                                  \
    "more or larger nodes, so that all other workloads together (with surge, autoscalers' maxima " \
    "and terminating pods) cannot fill every node that a pod fits on"

static const struct obstacle_words obstacles[OBSTACLE_COUNT] = {
    [OBSTACLE_LIMIT] = {"limit", NULL, NULL, "too many states even without the others", NULL},
    [OBSTACLE_UNMEASURED] = {"unmeasured", "how much room %s takes is not known", NULL, NULL, NULL},
    [OBSTACLE_LASTING_ROOM] = {"room", NULL,
                               "others may take all room that its pods need on nodes that are up",
                               NULL, MORE_ROOM},
    [OBSTACLE_PASSING_ROOM] = {"roomForAWhile", NULL,
                               "others may for a while take all room that its pods need on nodes "
                               "that are up",
                               NULL, MORE_ROOM},
    [OBSTACLE_STAYING] = {"drain", "pods of %s may stay on a node that is drained",
                          "others may stay on a node that is drained",
                          "its pods may stay on a node that is drained",
                          "budgets that let every pod leave a node that is drained, in the end"},
    [OBSTACLE_UNREST] = {"unrest",
                         "%s may never come to rest, and what waits for the cluster to rest may "
                         "never happen",
                         "others may never come to rest, and what waits for the cluster to rest "
                         "may never happen",
                         NULL, NULL},
    [OBSTACLE_ANY_NODE] = {"scores", NULL,
                           "others may make any node that fits the best one for its pods", NULL,
                           NULL},
    [OBSTACLE_LOOP] = {"loop",
                       "%s can be in a loop that counts as rest, so the cluster may rest where its "
                       "workloads by themselves do not",
                       NULL,
                       "it can be in a loop that counts as rest, so the cluster may rest where its "
                       "workloads by themselves do not",
                       NULL},
    [OBSTACLE_START] = {"start", "runs begin when the cluster rests, and %s may never do so", NULL,
                        "runs begin when the cluster rests, and it may never do so",
                        "start: empty, with which runs begin at once"},
    [OBSTACLE_PREEMPTS] = {"preemption", "pods of %s may find no node and preempt others", NULL,
                           "its pods may find no node and preempt others",
                           "more room for the pods of higher priority, or one priority for all"},
    [OBSTACLE_TURNS] = {"turns",
                        "priorities differ, and %s may never come to rest, so its pods may keep "
                        "others from their turn",
                        NULL,
                        "priorities differ, and it may never come to rest, so its pods may keep "
                        "others from their turn",
                        "one priority for all workloads"},
};

const char *obstacle_name(enum part_obstacle obstacle)
{
    return obstacles[obstacle].name;
}

const char *obstacle_words(struct arena *arena, enum part_obstacle obstacle, const char *culprit,
                           bool itself)
{
    const struct obstacle_words *words = &obstacles[obstacle];
    if (itself && words->itself)
        return words->itself;
    if (!culprit || !words->words)
        return words->nobody;
    const char *place = strstr(words->words, "%s");
    return arena_printf(arena, "%.*s%s%s", (int)(place - words->words), words->words, culprit,
                        place + 2);
}

const char *obstacle_advice(enum part_obstacle obstacle)
{
    return obstacles[obstacle].advice;
}

/* ---- why all workloads were explored together ---- */

static const struct {
    const char *words;
    const char *advice;
} together[TOGETHER_COUNT] = {
    [TOGETHER_IS_ASKED] = {"--no-modular asks for it",
                           "each workload by itself, without --no-modular"},
    [TOGETHER_IS_SMALL] = {"the limit on states leaves no others for each by itself", NULL},
    [TOGETHER_BY_CLOCKS] = {"with clocked time, what others do decides when something can happen",
                            "each workload by itself, with time: asynchronous"},
    [TOGETHER_IS_SAVED] = {"only such a run can be interrupted and gone on with",
                           "each workload by itself, without --checkpoint and --resume"},
    [TOGETHER_BY_INTENTS] = {"the intents are about several workloads at once, or too many", NULL},
    [TOGETHER_COUPLED] = {"they are coupled", NULL},
    [TOGETHER_UNKNOWN] = {"it could not be found out which of them are coupled", NULL},
};

const char *together_words(enum together_because because)
{
    return together[because].words;
}

const char *together_advice(enum together_because because)
{
    return together[because].advice;
}
