/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports what the model does not do before anything is explored: nothing is verified on
 * input that is only partly understood. A controller that becomes modelled is removed
 * from the lists here; what an intent or an event does not support is in its own row
 * (intent_class.h, event_type.h).
 */
#include "cluster/ask/event_conditions.h"
#include "cluster/ask/support.h"
#include "cluster/build/build_autoscaling.h"
#include "cluster/build/observed_revisions.h"
#include "cluster/build/supports_claims.h"
#include "cluster/build/supports_counts.h"
#include "cluster/build/supports_karpenter.h"
#include "cluster/build/supports_kinds.h"
#include "cluster/build/supports_volumes.h"
#include "cluster/build/supports_webhooks.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/intent/registry.h"
#include "cluster/intent/services.h"
#include "cluster/intent_class.h"
#include "cluster/population.h"
#include "decide/descheduler/descheduler.h"
#include "decide/quota/usage.h"
#include "decide/scheduler/configuration.h"
#include "manifest/document.h"
#include "object/descheduler_policy.h"
#include "object/policy.h"

#include <string.h>

/* Reports a zone that has no nodes: it would never fail. */
static void check_zone(const struct support *support, const struct check_event *event)
{
    if (event->topology_key && !support_has_label(support, event->topology_key, event->zone))
        problem_error(support->problems, event->place, NULL, "no node has the label %s%s%s",
                      event->topology_key, event->zone ? ": " : "", event->zone ? event->zone : "");
}

/* Reports what only clocks can judge if there are none. */
static void needs_clocks(const struct support *support, struct place place, const char *path,
                         const char *what, const char *name)
{
    if (support->scope->time != TIME_CLOCKED)
        problem_error(support->problems, place, path,
                      "only clocked time can judge %s%s (spec.time of the Check, --time); nothing "
                      "is verified",
                      what, name);
}

static void check_event(const struct support *support, const struct check_event *event)
{
    const struct event_type *type = event_type(event->kind);
    if (type->check_object)
        type->check_object(support, event);
    else
        support_workload(support, event->place, &event->object);
    if (event_kind_needs_clocks(event->kind))
        needs_clocks(support, event->place, NULL, "the event ", event_kind_name(event->kind));
    if (type->check)
        type->check(support, event);
    check_zone(support, event);
    event_condition_check(support, event);
    if (event->group && !support_group(support, event->group))
        problem_error(support->problems, event->place, NULL, "there is no node group \"%s\"",
                      event->group);
    const struct setup_group *node = event->node ? support_group(support, event->node) : NULL;
    if (event->node && (!node || !node->single))
        problem_error(support->problems, event->place, NULL,
                      "expected the name of a Node object, found \"%s\"", event->node);
}

/* Does the intent ask what a cluster comes to in the end, or when it rests? */
static bool is_about_rest(const struct intent_class *class)
{
    return class->violated_by == VIOLATED_BY_LOOP || class->violated_by == VIOLATED_BY_STAYING ||
           class->violated_by == VIOLATED_BY_LEAVING || class->violated_by == VIOLATED_BY_NO_WAY ||
           class->minds_rest;
}

static void check_intent(const struct support *support, const struct check_intent *intent)
{
    const struct intent_class *class = intent_class_of(intent);
    if (support->scope->cron_job_count > 0 && is_about_rest(class))
        problem_error(support->problems, intent->place, NULL,
                      "expected %s in a Check without jobsAtMost: CronJobs that go by their "
                      "schedules make Jobs for ever, so that nothing comes to rest; nothing is "
                      "verified",
                      intent_kind_name(intent->kind));
    if (intents_need_clocks(intent, 1))
        needs_clocks(support, intent->place, NULL, "after and within of ",
                     intent->title ? intent->title : intent_kind_name(intent->kind));
    if (!class->about_cron_jobs)
        support_workload(support, intent->place, &intent->workload);
    if (class->needs_services)
        services_check(support->scope, intent, support->problems);
    if (class->check)
        class->check(support->scope, intent, support->problems);
}

/* The place of a field of the Check. */
static struct place field_place(const struct support *support, const char *parent,
                                const char *field)
{
    if (!support->check || !support->check->source)
        return (struct place){0};
    const struct value *spec = value_find(&support->check->source->root, "spec");
    const struct value *mapping = *parent ? value_find(spec, parent) : spec;
    const struct member *member = value_find_member(mapping, field);
    return member ? member_place(mapping, member) : support->check->place;
}

/* Without clocks ages are not in a state: plugins that go by them would never evict
 * anything here, and a loop of theirs would pass unseen. */
static void check_policy(const struct support *support, const struct descheduler_policy *policy,
                         struct place place)
{
    for (uint32_t p = 0; p < policy->profile_count; p++) {
        const struct descheduler_plugin_list *enabled = &policy->profiles[p].deschedule;
        for (uint32_t i = 0; i < enabled->count; i++)
            if (descheduler_plugin_is_timed(enabled->items[i]))
                needs_clocks(support, place, NULL, "the descheduler's plugin ",
                             descheduler_plugin_name(enabled->items[i]));
    }
}

static void check_descheduler(const struct support *support,
                              const struct check_descheduler *descheduler)
{
    const struct place place = field_place(support, "controllers", "descheduler");
    int minor;
    if (descheduler && descheduler->policy)
        check_policy(support, descheduler->policy, place);
    if (descheduler && descheduler->version &&
        !descheduler_parse_version(descheduler->version, &minor))
        problem_error(support->problems, place, "spec.controllers.descheduler.version",
                      "expected v0.%d or v0.%d, found \"%s\"; nothing is verified",
                      DESCHEDULER_MINOR_FIRST, DESCHEDULER_MINOR_LAST, descheduler->version);
}

static void check_check(const struct support *support, const struct check *check)
{
    check_descheduler(support, check->controllers.descheduler);
    if (support->scope->time == TIME_CLOCKED &&
        (check->start == START_SETTLED || check->start == START_CANONICAL))
        problem_error(support->problems, field_place(support, "", "start"), "spec.start",
                      "with clocked time nothing ever settles for good, so verify cannot begin "
                      "there; nothing is verified");
    supports_autoscaling(support, check, field_place(support, "controllers", "clusterAutoscaler"));
    if (scope_scheduler_configuration(support->scope))
        profiles_resolve(support->arena, scope_scheduler_configuration(support->scope),
                         field_place(support, "controllers", "scheduler"), support->problems);
    for (uint32_t e = 0; e < check->event_count; e++)
        check_event(support, &check->events[e]);
}

/* Usage is modelled for whole pods: CPU by its levels, memory as requested. */
static const char *unknown_metric(const struct metric_spec *metric, const struct pod_spec *pods)
{
    const bool of_container = metric->source == METRIC_CONTAINER_RESOURCE;
    const bool of_pods = metric->source == METRIC_RESOURCE || of_container;
    const bool of_memory = of_pods && strcmp(metric->resource, "memory") == 0;
    const bool of_cpu = of_pods && strcmp(metric->resource, "cpu") == 0;
    if (!of_memory && !of_cpu)
        return "verify models autoscaling by the CPU and memory of pods only; nothing is verified";
    if (of_container && pods->container_count > 1)
        return "verify does not know which of several containers uses what; nothing is verified";
    for (uint32_t c = 0; of_memory && c < pods->container_count; c++)
        if (metric->target.type != METRIC_UTILIZATION &&
            !resource_list_find(&pods->containers[c].resources.requests, "memory"))
            return "verify takes the use of memory to be what is requested of it, and nothing is; "
                   "nothing is verified";
    return NULL;
}

static void check_metrics(const struct support *support, const struct object *object,
                          const struct setup_workload *workload)
{
    const struct horizontal_pod_autoscaler *autoscaler = object->as.horizontal_pod_autoscaler;
    for (uint32_t m = 0; m < autoscaler->metric_count; m++) {
        const char *unknown =
            unknown_metric(&autoscaler->metrics[m], &workload_template(workload->object)->spec);
        if (unknown)
            problem_error(support->problems, object->place, "spec.metrics", "%s", unknown);
    }
    if (workload->autoscaler_follows && workload->autoscaler_count > 1)
        problem_error(support->problems, object->place, "spec.scaleTargetRef",
                      "expected one autoscaler to follow the explored replicas of %s, found %u",
                      workload->name, workload->autoscaler_count);
    /* Without clocks a surge may last for ever, so a stabilization window would
     * seem to have no effect. */
    if (autoscaler->has_behavior && autoscaler->scale_up.stabilization_window_seconds.set &&
        autoscaler->scale_up.stabilization_window_seconds.value > 0)
        needs_clocks(support, object->place, "spec.behavior.scaleUp.stabilizationWindowSeconds",
                     "a stabilization window for scaling up", "");
}

static void check_autoscaler(const struct support *support, const struct object *object)
{
    const struct horizontal_pod_autoscaler *autoscaler = object->as.horizontal_pod_autoscaler;
    for (uint32_t w = 0; w < support->scope->workload_count; w++)
        if (autoscaler_targets(autoscaler, support->scope->workloads[w].object)) {
            check_metrics(support, object, &support->scope->workloads[w]);
            return;
        }
    problem_warning(support->problems, object->place, "spec.scaleTargetRef",
                    "there is no %s/%s among the manifests: the autoscaler has no effect",
                    autoscaler->scale_target.kind, autoscaler->scale_target.name);
}

/* Reports a pod that was to be created and that admission refuses: kubectl fails on it, and the
 * cluster would be another one without it. A pod that a cluster has stands. */
static void check_pod(const struct support *support, const struct object *object)
{
    const struct pod *pod = object->as.pod;
    const bool exists = pod->status.phase != POD_PHASE_UNSET || pod->meta.uid ||
                        pod->meta.creation_time != TIME_NONE;
    const struct member *spec =
        object->source ? value_find_member(&object->source->root, "spec") : NULL;
    if (pod->spec.refusal && !exists)
        problem_error(
            support->problems, spec ? member_place(&object->source->root, spec) : object->place,
            "spec", "the API server refuses this pod: %s; nothing is verified", pod->spec.refusal);
}

static bool is_in_namespace(const struct setup_workload *workload, const struct object *quota)
{
    return strcmp(workload->object->meta->namespace, quota->meta->namespace) == 0;
}

/* Pods that have ended are in no state, but count/pods has them until they are deleted. */
static bool pods_end(const struct support *support, const struct object *quota)
{
    const struct scope *scope = support->scope;
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        if (scope->check->events[e].kind == EVENT_NODE_PRESSURE)
            return true;
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (is_in_namespace(&scope->workloads[w], quota) &&
            scope->workloads[w].object->kind == OBJECT_JOB)
            return true;
    return false;
}

/* What of a quota limits more than pods that have not ended is not modelled, and neither is how
 * long controllers wait before they try again, which only clocks can tell. */
static void check_quota(const struct support *support, const struct object *object)
{
    const struct resource_list *hard = &object->as.resource_quota->hard;
    bool used = false;
    for (uint32_t w = 0; w < support->scope->workload_count; w++)
        used |= is_in_namespace(&support->scope->workloads[w], object);
    for (uint32_t i = 0; used && i < hard->count; i++) {
        const char *name = hard->items[i].name;
        const char *path = arena_printf(support->arena, "spec.hard.%s", name);
        if (!quota_name_of_pods(name) && !quota_name_of_claims(name) &&
            !supports_count(support, object, name))
            problem_warning(support->problems, object->place, path,
                            "verify models what quotas limit of pods and of the claims of "
                            "StatefulSets, and not this");
        else if (strcmp(name, "count/pods") == 0 && pods_end(support, object))
            problem_error(support->problems, object->place, path,
                          "verify does not model count/pods where pods end: it counts them until "
                          "they are deleted; nothing is verified");
    }
    supports_claims(support, object);
    if (used && support->scope->time == TIME_CLOCKED)
        problem_warning(support->problems, object->place, NULL,
                        "with clocked time, controllers that the quota refuses are taken to try "
                        "again at once; really they wait, for up to 16 minutes");
}

static void check_objects(const struct support *support)
{
    for (uint32_t i = 0; i < support->scope->objects->count; i++) {
        const struct object *object = &support->scope->objects->items[i];
        if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER)
            check_autoscaler(support, object);
        else if (object->kind == OBJECT_DESCHEDULER_POLICY)
            check_policy(support, object->as.descheduler_policy, object->place);
        else if (object->kind == OBJECT_POD)
            check_pod(support, object);
        else if (object->kind == OBJECT_RESOURCE_QUOTA)
            check_quota(support, object);
        else if (object->kind == OBJECT_VALIDATING_WEBHOOK_CONFIGURATION)
            supports_webhooks(support, object, object->as.validating_webhooks);
        else if (object->kind == OBJECT_MUTATING_WEBHOOK_CONFIGURATION)
            supports_webhooks(support, object, object->as.mutating_webhooks);
    }
}

bool population_supports(const struct scope *scope, const struct check_intent *intents,
                         uint32_t intent_count, struct problems *problems)
{
    const uint32_t errors = problems->errors;
    struct support support = {.arena = problems->arena, .scope = scope, .problems = problems};
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_CHECK &&
            scope->objects->items[i].as.check == scope->check)
            support.check = &scope->objects->items[i];
    if (scope->check)
        check_check(&support, scope->check);
    for (uint32_t i = 0; i < intent_count; i++)
        check_intent(&support, &intents[i]);
    if (intent_count > POPULATION_INTENTS_MOST)
        problem_error(problems, intents[POPULATION_INTENTS_MOST].place, NULL,
                      "expected at most %d intents, found %u", POPULATION_INTENTS_MOST,
                      intent_count);
    check_objects(&support);
    observed_check(scope, problems);
    supports_volumes(&support);
    supports_kinds(scope, intents, intent_count, problems);
    supports_karpenter(scope, problems);
    return problems->errors == errors;
}
