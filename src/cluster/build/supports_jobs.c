/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of Jobs that would change when they end, where the model does not follow them. Whether a
 * version of Kubernetes honours a policy is not asked here: what one version honours is refused for
 * all. */
#include "cluster/build/supports_jobs.h"
#include "cluster/build/build_jobs.h"
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "cluster/state/job_rules.h"
#include "decide/controller/deployment/template_signature.h"
#include "decide/features.h"
#include "manifest/document.h"
#include "object/policy.h"
#include "setup/setup.h"

#include <string.h>

struct job_support {
    const struct scope *scope;
    const struct object *object;
    const struct job_rules *rules; /* NULL: it has no policies */
    struct problems *problems;
};

static const struct value *job_field(const struct object *object, const char *field)
{
    return object->source ? value_find(value_find(&object->source->root, "spec"), field) : NULL;
}

static void check_restarts(const struct job_support *support)
{
    const struct job *job = support->object->as.job;
    const char *field = job->pod_failure_policy            ? "podFailurePolicy"
                        : job->backoff_limit_per_index.set ? "backoffLimitPerIndex"
                                                           : NULL;
    if (field && job->template.spec.restart_policy != RESTART_NEVER)
        problem_error(support->problems, support->object->place, NULL,
                      "the API server refuses %s without restartPolicy Never; nothing is verified",
                      field);
}

static void check_manager(const struct job_support *support)
{
    const char *manager = support->object->as.job->managed_by;
    if (manager && strcmp(manager, "kubernetes.io/job-controller") != 0)
        problem_warning(support->problems, support->object->place, "spec.managedBy",
                        "verify assumes that %s does what the Job controller would do", manager);
}

/* Only what controllers of the model write can be a condition of a pod. */
static void check_conditions(const struct job_support *support)
{
    static const char *const known[] = {"DisruptionTarget", "Ready", "ContainersReady",
                                        "PodScheduled", "Initialized"};
    const struct pod_failure_policy *policy = support->object->as.job->pod_failure_policy;
    for (uint32_t r = 0; policy && r < policy->rule_count; r++)
        for (uint32_t c = 0; c < policy->rules[r].on_condition_count; c++) {
            const char *type = policy->rules[r].on_conditions[c].type;
            bool found = !type;
            for (size_t k = 0; !found && k < sizeof(known) / sizeof(*known); k++)
                found = strcmp(type, known[k]) == 0;
            if (!found)
                problem_warning(support->problems, support->object->place,
                                "spec.podFailurePolicy.rules.onPodConditions",
                                "verify assumes that no pod has the condition \"%s\": no "
                                "controller of the model writes it",
                                type);
        }
}

static void check_variants(const struct job_support *support)
{
    if (support->rules && job_variants(support->rules) > JOB_VARIANTS_MOST)
        problem_error(support->problems, support->object->place, NULL,
                      "expected at most %d of the kinds of indexes (by the rules of successPolicy) "
                      "times their numbers of failures (0 to backoffLimitPerIndex), found %u; "
                      "nothing is verified",
                      JOB_VARIANTS_MOST, job_variants(support->rules));
}

/* Where indexes are told apart, a Job that wants fewer pods would have to know which of them are
 * the lowest. */
static void check_applied(const struct job_support *support, const struct object *applied)
{
    static const char *const policies[] = {"podFailurePolicy",     "successPolicy",
                                           "podReplacementPolicy", "backoffLimitPerIndex",
                                           "maxFailedIndexes",     "completionMode"};
    const struct job *old = support->object->as.job;
    const struct job *new = applied->as.job;
    struct arena *arena = support->problems->arena;
    for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++)
        if (strcmp(template_signature(arena, job_field(support->object, policies[i])),
                   template_signature(arena, job_field(applied, policies[i]))) != 0)
            problem_error(support->problems, applied->place, NULL,
                          "verify does not model another %s for a Job; nothing is verified",
                          policies[i]);
    if (support->rules && support->rules->tracks &&
        (old->parallelism.value != new->parallelism.value || old->suspend != new->suspend))
        problem_error(support->problems, applied->place, NULL,
                      "verify does not model another parallelism or suspend for a Job with "
                      "backoffLimitPerIndex or successPolicy; nothing is verified");
}

static void check_event(const struct job_support *support, uint32_t number)
{
    const struct scope *scope = support->scope;
    const struct check_event *event = &scope->check->events[number];
    for (uint32_t i = 0; i < scope->applied[number].count; i++)
        if (same_object(&scope->applied[number].items[i], support->object))
            check_applied(support, &scope->applied[number].items[i]);
    const uint32_t target = scope_find_workload(scope, &event->object);
    if (!support->rules || target == UINT32_MAX ||
        scope->workloads[target].object != support->object)
        return;
    if (event->kind == EVENT_SCALE && support->rules->tracks)
        problem_error(support->problems, event->place, NULL,
                      "verify does not model that a Job with backoffLimitPerIndex or successPolicy "
                      "is scaled; nothing is verified");
    else if (event->kind == EVENT_DELETE)
        problem_error(support->problems, event->place, NULL,
                      "verify does not model that a Job with policies is deleted; nothing is "
                      "verified");
}

/* A pod that terminates has one level: which endpoint it is, or who told it to. */
static void check_services(const struct job_support *support, const struct check_intent *intents,
                           uint32_t intent_count)
{
    bool needed = false;
    for (uint32_t i = 0; i < intent_count; i++)
        needed |= intent_class_of(&intents[i])->needs_endpoints;
    for (uint32_t i = 0; needed && i < support->scope->objects->count; i++) {
        const struct object *object = &support->scope->objects->items[i];
        if (object->kind == OBJECT_SERVICE && object->as.service->selector.count > 0 &&
            strcmp(object->meta->namespace, support->object->meta->namespace) == 0 &&
            labels_include(&support->object->as.job->template.meta.labels,
                           &object->as.service->selector))
            problem_error(support->problems, object->place, NULL,
                          "verify does not model endpoints of a Job with podFailurePolicy or "
                          "podReplacementPolicy; nothing is verified");
    }
}

void supports_job(const struct scope *scope, const struct setup_workload *workload,
                  const struct check_intent *intents, uint32_t intent_count,
                  struct problems *problems)
{
    const struct object *object = workload->object;
    const struct features newest = features_of_version(FEATURES_MINOR_LAST);
    const struct job_support support = {
        scope, object,
        job_rules_make(problems->arena, &newest, object->as.job, object->as.job->completions),
        problems};
    check_restarts(&support);
    check_manager(&support);
    check_conditions(&support);
    check_variants(&support);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        check_event(&support, e);
    if (support.rules && support.rules->waits_for_ends)
        check_services(&support, intents, intent_count);
    /* A Job that does not wait before it replaces failed pods may be done too early. */
    if (scope->time == TIME_CLOCKED && object->as.job->active_deadline_seconds.set &&
        !workload->cron_job)
        problem_error(problems, object->place, "spec.activeDeadlineSeconds",
                      "verify does not model deadlines of Jobs with clocked time, except those of "
                      "CronJobs; nothing is verified");
    /* Failures that a policy tells apart wait for other times. */
    if (support.rules && workload->cron_job)
        problem_error(problems, object->place, NULL,
                      "verify does not model CronJobs by the calendar whose Jobs have policies; "
                      "nothing is verified");
    if (workload->autoscaler_count > 0)
        problem_error(problems, object->place, NULL,
                      "expected no HorizontalPodAutoscaler for a Job: it cannot be scaled");
}
