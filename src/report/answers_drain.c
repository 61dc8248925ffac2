/* SPDX-License-Identifier: Apache-2.0 */
/* Why a drain does not end, or leaves a node that is not empty. */
#include "report/explaining.h"

#include "decide/controller/eviction.h"
#include "object/as_written.h"
#include "object/node.h"
#include "object/policy.h"
#include "object/workload.h"
#include "setup/autoscaler_words.h"
#include "setup/budget_words.h"

#include <string.h>

typedef VEC(const struct object *) budgets;

static budgets budgets_of(const struct explaining *explaining)
{
    const struct objects *objects = explaining->report->scope->objects;
    const struct object *workload = explaining->workload->object;
    budgets found = {0};
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind == OBJECT_POD_DISRUPTION_BUDGET &&
            strcmp(object->meta->namespace, workload->meta->namespace) == 0 &&
            eviction_budget_selects(&explaining->report->features, object->as.pod_disruption_budget,
                                    &workload_template(workload)->meta.labels))
            VEC_PUSH(explaining->arena, &found, object);
    }
    return found;
}

/* How many pods the budget is about: those of all workloads that it selects. */
static int64_t pods_of(const struct explaining *explaining,
                       const struct pod_disruption_budget *budget)
{
    const struct scope *scope = explaining->report->scope;
    const struct story_picture *picture = &explaining->result->picture;
    int64_t pods = 0;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        if (strcmp(object->meta->namespace, budget->meta.namespace) != 0 ||
            !eviction_budget_selects(&explaining->report->features, budget,
                                     &workload_template(object)->meta.labels))
            continue;
        int64_t replicas = workload_replicas(object);
        for (uint32_t p = 0; p < picture->workload_count; p++)
            if (strcmp(picture->workloads[p].name, scope->workloads[w].name) == 0)
                replicas = picture->workloads[p].replicas;
        pods += replicas;
    }
    return pods;
}

static void say_autoscaler(const struct explaining *explaining, int64_t pods)
{
    const struct object *autoscaler = explain_autoscaler(explaining);
    if (autoscaler && autoscaler->as.horizontal_pod_autoscaler->min_replicas <= pods)
        explain_say(explaining, "%s may scale it down to %s",
                    written_words(explaining->arena, autoscaler),
                    autoscaler_fewest(explaining->arena, autoscaler));
}

/* The toleration by which its pods may come to a cordoned node; NULL: there is none. */
static const struct toleration *cordon_toleration(const struct explaining *explaining)
{
    const struct pod_spec *spec = &workload_template(explaining->workload->object)->spec;
    return tolerations_find_cordon(spec->tolerations, spec->toleration_count);
}

static void explain_return_by_name(const struct explaining *explaining, const char *node)
{
    explain_say(
        explaining,
        "its pods name their node %s: the scheduler, which leaves out cordoned nodes, is not asked",
        node);
    explaining->finding->remedy =
        "nodeSelector: {" LABEL_HOSTNAME ": NODE} instead of nodeName: then an evicted pod waits "
        "until the node is uncordoned";
    report_source_at(explaining->arena, explaining->workload->object, "spec.template.spec.nodeName",
                     &explaining->finding->sources);
}

/* kubectl drain lists the pods once, so that it does not wait for those that come later; who wants
 * the node empty does. */
void explain_return(const struct explaining *explaining)
{
    const struct pod_spec *spec = &workload_template(explaining->workload->object)->spec;
    const struct toleration *toleration = cordon_toleration(explaining);
    explaining->finding->title = "its pods come back to a node that is being drained";
    if (spec->node_name) {
        explain_return_by_name(explaining, spec->node_name);
    } else if (toleration) {
        explain_say(explaining,
                    "its pods tolerate " TAINT_UNSCHEDULABLE
                    ":NoSchedule, the taint of a cordoned node: "
                    "the scheduler may put the replacement of an evicted pod there again");
        explaining->finding->remedy =
            *toleration->key
                ? "leave out the toleration of " TAINT_UNSCHEDULABLE
                : "name the taints that the pods have to tolerate (key: ...): a toleration without "
                  "a key tolerates all of them";
        report_source_at(explaining->arena, explaining->workload->object,
                         arena_printf(explaining->arena, "spec.template.spec.tolerations[%u]",
                                      (unsigned)(toleration - spec->tolerations)),
                         &explaining->finding->sources);
    } else {
        explain_end(explaining);
    }
    explain_say(
        explaining,
        "kubectl drain ends, because it waits only for the pods that it found; an upgrade or a "
        "scale-down that waits for an empty node does not");
}

static void explain_budget(const struct explaining *explaining, const struct object *object)
{
    const struct pod_disruption_budget *budget = object->as.pod_disruption_budget;
    const int64_t pods = pods_of(explaining, budget);
    explain_say(explaining, "PodDisruptionBudget %s/%s: %s", object->meta->namespace,
                object->meta->name, budget_words(explaining->arena, budget, pods));
    if (budget_allows(budget, pods) == 0) {
        report_source_at(explaining->arena, object,
                         budget->max_unavailable.set ? "spec.maxUnavailable" : "spec.minAvailable",
                         &explaining->finding->sources);
        const struct object *autoscaler = explain_autoscaler(explaining);
        const char *field =
            autoscaler ? autoscaler_fewest_field(explaining->arena, autoscaler) : "replicas";
        say_autoscaler(explaining, pods);
        explaining->finding->remedy = budget_remedy(explaining->arena, budget, pods, field);
        return;
    }
    const struct story_step *unschedulable =
        explain_last_step(explaining, "scheduler", "unschedulable");
    explain_largest(explaining);
    if (unschedulable) {
        explain_step(explaining, unschedulable);
        explain_say(explaining,
                    "the pod that was evicted has no node to go to, so it stays unavailable: the "
                    "budget allows no further eviction");
        explaining->finding->remedy = explain_room(unschedulable);
    } else {
        explain_end(explaining);
    }
}

void explain_drain(const struct explaining *explaining)
{
    const budgets guards = budgets_of(explaining);
    explaining->finding->title = "a node with one of its pods can never be drained";
    if (guards.count > 1) {
        explain_say(explaining,
                    "%u PodDisruptionBudgets select its pods (%s and %s%s): the API server "
                    "refuses every eviction of a pod that has more than one",
                    guards.count, guards.items[0]->meta->name, guards.items[1]->meta->name,
                    guards.count > 2 ? " among them" : "");
        report_source_at(explaining->arena, guards.items[1], "spec.selector",
                         &explaining->finding->sources);
        explaining->finding->remedy = "keep one of them, or make their selectors disjoint";
    } else if (guards.count == 1 &&
               (budget_allows(guards.items[0]->as.pod_disruption_budget,
                              pods_of(explaining, guards.items[0]->as.pod_disruption_budget)) ==
                    0 ||
                !cordon_toleration(explaining)))
        explain_budget(explaining, guards.items[0]);
    else if (cordon_toleration(explaining))
        explain_return(explaining);
    else
        explain_end(explaining);
}
