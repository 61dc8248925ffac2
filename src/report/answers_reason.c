/* SPDX-License-Identifier: Apache-2.0 */
/* Why a question has a finding, as one would explain it to a colleague: the rule of Kubernetes
 * that is in the way with its numbers, and what to change. */
#include "report/explaining.h"

#include "manifest/document.h"
#include "object/as_written.h"
#include "object/workload.h"
#include "setup/autoscaler_words.h"

#include <string.h>

static const struct setup_workload *find_workload(const struct report *report,
                                                  const struct verify_result *result)
{
    const uint32_t number = scope_find_workload(report->scope, &result->intent->workload);
    return number == UINT32_MAX ? NULL : &report->scope->workloads[number];
}

/* What the autoscaler did last, if that is why there are pods to place. */
static void say_scaling(const struct explaining *explaining)
{
    const struct story_step *step = explain_last_step(explaining, "HorizontalPodAutoscaler", NULL);
    if (!step)
        return;
    explain_say(explaining, "%s", step->detail);
    if (step->why.count > 0)
        explain_say(explaining, "  %s", step->why.items[0]);
}

/* An autoscaler by metrics that the model does not know is an event. */
static void say_bound(const struct explaining *explaining)
{
    const struct object *autoscaler = explain_autoscaler(explaining);
    if (autoscaler && explain_last_step(explaining, "user", "scale"))
        explain_say(explaining, "%s may scale it up to %s",
                    written_words(explaining->arena, autoscaler),
                    autoscaler_most(explaining->arena, autoscaler));
}

static const char *share_words(struct arena *arena, struct int_or_percent value, int64_t pods,
                               bool up)
{
    const long long number = (long long)int_or_percent_of(value, pods, up);
    if (!value.percent)
        return arena_printf(arena, "%lld", number);
    return arena_printf(arena, "%lld%% of %lld, rounded %s: %lld", (long long)value.value,
                        (long long)pods, up ? "up" : "down", number);
}

/* Where it is said how pods are replaced, or where that should be. */
static void point_at_strategy(const struct explaining *explaining)
{
    struct report_sources *sources = &explaining->finding->sources;
    const struct object *object = explaining->workload->object;
    const struct value *spec = object->source ? value_find(&object->source->root, "spec") : NULL;
    report_source_at(explaining->arena, object, "spec.strategy", sources);
    if (sources->count == 1 && object->as.deployment->strategy == DEPLOYMENT_ROLLING_UPDATE)
        sources->items[0].note =
            value_find(spec, "strategy")
                ? "RollingUpdate: a new pod starts before an old one stops"
                : "none is given, so it is RollingUpdate: a new pod starts before an old one stops";
}

static void explain_rollout(const struct explaining *explaining)
{
    const struct object *object = explaining->workload->object;
    const struct story_step *unschedulable =
        explain_last_step(explaining, "scheduler", "unschedulable");
    const struct story_step *detached =
        explain_last_step(explaining, "attach-detach", "multi-attach");
    const bool rolls = object->kind == OBJECT_DEPLOYMENT &&
                       object->as.deployment->strategy == DEPLOYMENT_ROLLING_UPDATE;
    explaining->finding->title = "a rollout of it never completes";
    const bool refused = cause_explain_refusal(explaining->arena, explaining->report,
                                               explaining->result, explaining->finding);
    if (unschedulable)
        explain_step(explaining, unschedulable);
    else if (detached)
        explain_step(explaining, detached);
    if (rolls) {
        const struct deployment *deployment = object->as.deployment;
        const int64_t pods = deployment->replicas;
        const bool none_stops = int_or_percent_of(deployment->max_unavailable, pods, false) == 0;
        explain_say(explaining, "maxSurge %s; maxUnavailable %s%s",
                    share_words(explaining->arena, deployment->max_surge, pods, true),
                    share_words(explaining->arena, deployment->max_unavailable, pods, false),
                    none_stops ? ": no old pod stops before a new one is ready" : "");
        if (none_stops && (unschedulable || detached)) {
            explaining->finding->remedy =
                detached ? "strategy: {type: Recreate}, since the volume can be on one node only; "
                           "or a StatefulSet"
                         : "maxUnavailable: 1 and maxSurge: 0, so that an old pod makes room for a "
                           "new one";
            point_at_strategy(explaining);
        }
    }
    if (!unschedulable && !detached && !refused)
        explain_end(explaining);
}

/* The workload at the end of the run; NULL: the picture does not have it. */
static const struct story_workload *at_the_end(const struct explaining *explaining)
{
    const struct story_picture *picture = &explaining->result->picture;
    for (uint32_t w = 0; w < picture->workload_count; w++)
        if (strcmp(picture->workloads[w].name, explaining->workload->name) == 0)
            return &picture->workloads[w];
    return NULL;
}

/* Of pods that fit nowhere: how many there are, and why. */
static void explain_waiting(const struct explaining *explaining,
                            const struct story_step *unschedulable)
{
    const struct story_workload *end = at_the_end(explaining);
    explain_step(explaining, unschedulable);
    if (end && end->replicas > 1 && end->waiting.count > 0)
        explain_say(explaining, "%u of its %d pods wait%s for a node", end->waiting.count,
                    end->replicas, end->waiting.count == 1 ? "s" : "");
    explaining->finding->remedy = explain_room(unschedulable);
}

/* False: its pods do not name a node that is missing. */
static bool explain_missing_node(const struct explaining *explaining)
{
    const struct story_step *deleted = explain_last_step(explaining, "pod-garbage-collector", NULL);
    if (!deleted || !workload_template(explaining->workload->object)->spec.node_name)
        return false;
    explaining->finding->title = "its pods are deleted as soon as they are made, for ever";
    explain_say(explaining, "%s", deleted->detail);
    explaining->finding->remedy =
        "the name of a node that there is; or a nodeSelector, so that its pods wait for one";
    return true;
}

/* False: it is not paused. */
static bool explain_paused(const struct explaining *explaining)
{
    const struct object *object = explaining->workload->object;
    if (object->kind != OBJECT_DEPLOYMENT || !object->as.deployment->paused)
        return false;
    explain_say(explaining, "it is paused: its controller makes no ReplicaSet for a new template");
    explaining->finding->remedy = "paused: false";
    report_source_at(explaining->arena, object, "spec.paused", &explaining->finding->sources);
    return true;
}

static void explain_placement(const struct explaining *explaining)
{
    const struct story_step *unschedulable =
        explain_last_step(explaining, "scheduler", "unschedulable");
    const struct story_step *detached =
        explain_last_step(explaining, "attach-detach", "multi-attach");
    const struct story_workload *end = at_the_end(explaining);
    const bool waits = explaining->result->intent->kind == INTENT_PODS_SCHEDULABLE ||
                       (unschedulable && end && end->waiting.count > 0);
    explaining->finding->title =
        waits ? "a pod of it never finds a node" : "it does not become ready, or does not stay so";
    if (explain_paused(explaining) || explain_missing_node(explaining) || explain_job(explaining))
        return;
    say_scaling(explaining);
    say_bound(explaining);
    explain_largest(explaining);
    if (cause_explain_refusal(explaining->arena, explaining->report, explaining->result,
                              explaining->finding))
        explaining->finding->title = "the API server refuses its pods";
    else if (unschedulable)
        explain_waiting(explaining, unschedulable);
    else if (detached)
        explain_attached(explaining, detached, end ? end->replicas : 1);
    else
        explain_end(explaining);
}

static enum gravity severity_of(enum intent_kind kind)
{
    switch (kind) {
    case INTENT_PODS_SCHEDULABLE:
    case INTENT_CONVERGES: return GRAVITY_CRITICAL;
    case INTENT_NEVER_ON_DRAINED: return GRAVITY_MEDIUM;
    default: return GRAVITY_HIGH;
    }
}

void cause_explain(struct arena *arena, const struct report *report,
                   const struct verify_result *result, struct cause *finding)
{
    const struct explaining explaining = {arena, report, result, finding,
                                          find_workload(report, result)};
    finding->title = report_intent_violated(result->intent->kind);
    finding->severity = severity_of(result->intent->kind);
    if (!explaining.workload)
        return;
    switch (result->intent->kind) {
    case INTENT_DRAIN_COMPLETES: explain_drain(&explaining); break;
    case INTENT_NEVER_ON_DRAINED: explain_return(&explaining); break;
    case INTENT_ROLLOUT_COMPLETES: explain_rollout(&explaining); break;
    case INTENT_PODS_SCHEDULABLE:
    case INTENT_CONVERGES: explain_placement(&explaining); break;
    case INTENT_NO_REPLICA_OSCILLATION:
        finding->title = "its autoscaler can change the number of replicas for ever";
        explain_end(&explaining);
        break;
    case INTENT_NO_EVICTION_LOOP:
        finding->title = "its pods can be evicted and replaced for ever";
        explain_end(&explaining);
        break;
    default: explain_end(&explaining); break;
    }
}
