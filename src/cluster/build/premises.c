/* SPDX-License-Identifier: Apache-2.0 */
/* The premises of the model, where the manifests may contradict them. */
#include "cluster/ask/availability.h"
#include "cluster/population.h"
#include "decide/controller/eviction.h"
#include "manifest/document.h"
#include "object/scheduler_configuration.h"
#include "object/time.h"

#include <string.h>

/* Settle-first means that pods are ready before the next sync. */
const char *population_settles_late(struct arena *arena, const struct scope *scope)
{
    const int64_t period = scope_sync_period_ns(scope);
    for (uint32_t w = 0; scope->time != TIME_CLOCKED && w < scope->workload_count; w++) {
        const struct setup_workload *workload = &scope->workloads[w];
        int64_t earliest;
        int64_t latest;
        pod_ready_window(&workload_template(workload->object)->spec, &earliest, &latest);
        if (workload->autoscaler && latest > period)
            return arena_printf(arena,
                                "pods of %s take up to %s to be ready, and its autoscaler syncs "
                                "every %s: --time clocked sees what it does in between",
                                workload->name, duration_format(arena, latest),
                                duration_format(arena, period));
    }
    return NULL;
}

/* What share of the nodes the least thorough profile scores; 0: as upstream sees fit. */
static int64_t percentage_scored(const struct scope *scope)
{
    const struct scheduler_configuration *configuration = scope_scheduler_configuration(scope);
    const int64_t common = configuration ? configuration->percentage_of_nodes_to_score : 0;
    int64_t least = configuration && configuration->profile_count > 0 ? INT64_MAX : common;
    for (uint32_t i = 0; configuration && i < configuration->profile_count; i++) {
        const struct optional_int own = configuration->profiles[i].percentage_of_nodes_to_score;
        const int64_t scored = own.set ? own.value : common;
        least = scored < least ? scored : least;
    }
    return least;
}

const char *population_scores_more(const struct scope *scope)
{
    enum { NODES_ALWAYS_EXAMINED = 100, ALL = 100 };
    int64_t nodes = 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        nodes += scope->groups[g].open ? NODES_ALWAYS_EXAMINED + 1 : scope->groups[g].most;
    return nodes <= NODES_ALWAYS_EXAMINED || percentage_scored(scope) >= ALL
               ? NULL
               : "every node is scored: beyond 100 nodes kube-scheduler stops at a sample, in "
                 "which the best need not be, unless percentageOfNodesToScore is 100";
}

const char *population_exit_codes(const struct scope *scope)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        const struct pod_failure_policy *policy =
            object->kind == OBJECT_JOB ? object->as.job->pod_failure_policy : NULL;
        for (uint32_t r = 0; policy && r < policy->rule_count; r++)
            if (policy->rules[r].on_exit_codes)
                return "exit codes: a container that is killed exits with 143 (SIGTERM) or 137 "
                       "(SIGKILL), and one of a pod that may fail (fathom.dev/outcome) with any "
                       "code; a program that handles SIGTERM may exit with another one";
    }
    return NULL;
}

const char *population_devices_are_there(const struct scope *scope)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct value *source = workload_template_source(scope->workloads[w].object);
        const struct value *claims = value_find(value_find(source, "spec"), "resourceClaims");
        if (claims && claims->kind == VALUE_SEQUENCE && claims->count > 0)
            return "devices: whatever pods claim (resourceClaims) is on every node, and enough of "
                   "it: where devices are, or how many, is not looked at";
    }
    return NULL;
}

static int64_t priority_of(const struct pod_spec *spec)
{
    return spec->priority.set ? spec->priority.value : 0;
}

/* Preemption looks for victims whose budgets allow it. */
static bool may_be_preempted(const struct scope *scope, const struct pod_spec *spec)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct pod_spec *other = &workload_template(scope->workloads[w].object)->spec;
        if (priority_of(other) > priority_of(spec) && other->preemption_policy != PREEMPT_NEVER)
            return true;
    }
    return false;
}

/* Does the budget guard pods of a workload that something evicts? */
static bool is_asked(const struct scope *scope, const struct features *features,
                     const struct pod_disruption_budget *budget, bool evicts)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        const struct pod_template *template = workload_template(object);
        if (strcmp(object->meta->namespace, budget->meta.namespace) == 0 &&
            eviction_budget_selects(features, budget, &template->meta.labels) &&
            (evicts || may_be_preempted(scope, &template->spec)))
            return true;
    }
    return false;
}

static bool something_drains(const struct scope *scope)
{
    const struct check *check = scope->check;
    for (uint32_t e = 0; check && e < check->event_count; e++)
        if (event_kind_has(check->events[e].kind, EVENT_FACT_DRAINS) && check->events[e].drain)
            return true;
    return false;
}

/* Does something ask the eviction API that does not wait for the disruption controller? */
static bool something_evicts(const struct scope *scope, const struct population_options *options)
{
    return something_drains(scope) ||
           (options->interleaving != INTERLEAVING_SETTLED && scope_descheduler_policy(scope));
}

const char *population_budgets_are_prompt(const struct scope *scope,
                                          const struct population_options *options)
{
    const bool evicts = something_evicts(scope, options);
    for (uint32_t i = 0; !options->budgets_lag && i < scope->objects->count; i++) {
        const struct object *object = &scope->objects->items[i];
        if (object->kind == OBJECT_POD_DISRUPTION_BUDGET &&
            is_asked(scope, &options->features, object->as.pod_disruption_budget, evicts))
            return "budget status does not lag: the disruption controller writes what a "
                   "PodDisruptionBudget allows before somebody asks. A drain, the descheduler or a "
                   "preemption that is faster takes more pods than it allows (--lag budgets lifts "
                   "this)";
    }
    return NULL;
}

/* Can the workload's ReplicaSets get smaller, so that they delete pods? */
static bool can_shrink(const struct scope *scope, const struct setup_workload *workload)
{
    const struct check *check = scope->check;
    bool changes = workload->autoscaler != NULL;
    for (uint32_t e = 0; check && e < check->event_count; e++)
        changes |= check->events[e].kind == EVENT_SCALE || check->events[e].kind == EVENT_APPLY;
    return changes && (workload->object->kind == OBJECT_DEPLOYMENT ||
                       workload->object->kind == OBJECT_REPLICA_SET ||
                       workload->object->kind == OBJECT_REPLICATION_CONTROLLER);
}

/* Does an eviction by an up-to-date status of a budget, or the descheduler, take pods of it? */
static bool may_be_evicted(const struct scope *scope, const struct population_options *options,
                           const struct object *workload)
{
    const bool drains = something_drains(scope) && !options->budgets_lag;
    for (uint32_t i = 0; drains && i < scope->objects->count; i++) {
        const struct object *object = &scope->objects->items[i];
        if (object->kind == OBJECT_POD_DISRUPTION_BUDGET &&
            strcmp(object->meta->namespace, workload->meta->namespace) == 0 &&
            eviction_budget_selects(&options->features, object->as.pod_disruption_budget,
                                    &workload_template(workload)->meta.labels))
            return true;
    }
    return options->interleaving != INTERLEAVING_SETTLED && scope_descheduler_policy(scope);
}

/* A ReplicaSet that deletes by an old view does what it would have done earlier. This makes a
 * difference only if somebody took one of its pods in the meantime who would have found another
 * state, and left the pod alone. */
const char *population_replica_sets_are_prompt(const struct scope *scope,
                                               const struct population_options *options)
{
    for (uint32_t w = 0; !options->sets_lag && w < scope->workload_count; w++) {
        const struct setup_workload *workload = &scope->workloads[w];
        const struct pod_template *template = workload_template(workload->object);
        if (can_shrink(scope, workload) && (may_be_preempted(scope, &template->spec) ||
                                            may_be_evicted(scope, options, workload->object)))
            return "ReplicaSets see at once which pods are left: one that gets smaller and has not "
                   "seen yet that a pod was preempted or evicted deletes another one, so that for "
                   "a "
                   "moment fewer are left than it should have (--lag replicasets lifts this)";
    }
    return NULL;
}

const char *population_scheduler_is_prompt(const struct scope *scope)
{
    return something_drains(scope)
               ? "the scheduler sees at once that a node is cordoned: a pod that it is about to "
                 "bind "
                 "in that moment may come to the node when the drain has already listed its pods, "
                 "and is not evicted"
               : NULL;
}
