/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/size_marks.h"

#include "base/vec.h"
#include "object/descheduler_policy.h"
#include "object/policy.h"

#include <string.h>

struct marking {
    struct arena *arena;
    const struct setup_workload *workload;
    struct size_marks *marks;
};

static void mark(const struct marking *marking, enum size_mark_kind kind, int64_t value)
{
    const struct size_mark item = {kind, (int32_t)(value < 0           ? 0
                                                   : value > INT32_MAX ? INT32_MAX
                                                                       : value)};
    VEC_PUSH(marking->arena, marking->marks, item);
}

static void mark_number(const struct marking *marking, struct optional_int number)
{
    if (number.set)
        mark(marking, MARK_NUMBER, number.value);
}

/* A number of pods that may be missing is marked like a number that must be there. */
static void mark_allowance(const struct marking *marking, struct int_or_percent allowance)
{
    enum { WHOLE = 100 };
    if (!allowance.set)
        return;
    if (!allowance.percent) {
        mark(marking, MARK_ALLOWANCE, allowance.value);
        return;
    }
    mark(marking, MARK_PERCENT, allowance.value);
    mark(marking, MARK_PERCENT, WHOLE - allowance.value);
}

/* ---- objects ---- */

static void mark_rules(const struct marking *marking, const struct scaling_rules *rules)
{
    for (uint32_t i = 0; i < rules->policy_count; i++)
        mark(marking, rules->policies[i].type == SCALING_PODS ? MARK_NUMBER : MARK_PERCENT,
             rules->policies[i].value);
}

/* Bounds that follow the explored replicas do not change at a certain size. */
static void mark_autoscaler(const struct marking *marking,
                            const struct horizontal_pod_autoscaler *autoscaler)
{
    if (!autoscaler_targets(autoscaler, marking->workload->object))
        return;
    if (!marking->workload->autoscaler_follows) {
        mark(marking, MARK_NUMBER, autoscaler->min_replicas);
        mark(marking, MARK_NUMBER, autoscaler->max_replicas);
    }
    mark_rules(marking, &autoscaler->scale_up);
    mark_rules(marking, &autoscaler->scale_down);
}

static void mark_budget(const struct marking *marking, const struct pod_disruption_budget *budget)
{
    const struct object *object = marking->workload->object;
    if (strcmp(budget->meta.namespace, object->meta->namespace) != 0 || !budget->selector ||
        !label_selector_matches(budget->selector, &workload_template(object)->meta.labels))
        return;
    mark_allowance(marking, budget->min_available);
    mark_allowance(marking, budget->max_unavailable);
}

static void mark_spread(const struct marking *marking, const struct pod_spec *spec)
{
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++) {
        mark(marking, MARK_EACH, spec->topology_spread_constraints[i].max_skew);
        mark_number(marking, spec->topology_spread_constraints[i].min_domains);
    }
}

/* The workload itself, as it is or as it is applied later. */
static void mark_workload(const struct marking *marking, const struct object *object)
{
    mark_spread(marking, &workload_template(object)->spec);
    switch (object->kind) {
    case OBJECT_DEPLOYMENT:
        mark_allowance(marking, object->as.deployment->max_surge);
        mark_allowance(marking, object->as.deployment->max_unavailable);
        break;
    case OBJECT_STATEFUL_SET:
        mark(marking, MARK_NUMBER, object->as.stateful_set->partition);
        mark_allowance(marking, object->as.stateful_set->max_unavailable);
        break;
    case OBJECT_JOB:
        mark_number(marking, object->as.job->completions);
        mark(marking, MARK_NUMBER, object->as.job->backoff_limit);
        break;
    default: break;
    }
}

static void mark_policy(const struct marking *marking, const struct descheduler_policy *policy)
{
    if (policy->evictions_per_node_most.set)
        mark(marking, MARK_EACH, policy->evictions_per_node_most.value);
    mark_number(marking, policy->evictions_per_namespace_most);
    mark_number(marking, policy->evictions_total_most);
    for (uint32_t i = 0; i < policy->profile_count; i++)
        mark_number(marking, policy->profiles[i].default_evictor.replicas_least);
}

static void mark_objects(const struct marking *marking, const struct objects *objects, bool applied)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER)
            mark_autoscaler(marking, object->as.horizontal_pod_autoscaler);
        else if (object->kind == OBJECT_POD_DISRUPTION_BUDGET)
            mark_budget(marking, object->as.pod_disruption_budget);
        else if (same_object(object, marking->workload->object))
            mark_workload(marking, object);
        if (applied && same_object(object, marking->workload->object))
            mark(marking, MARK_NUMBER, workload_replicas(object));
    }
}

/* ---- the Check ---- */

static bool concerns(const struct object_name *name, const struct marking *marking)
{
    return !name->name || object_name_matches(name, marking->workload->object);
}

static void mark_event(const struct marking *marking, const struct check_event *event)
{
    mark(marking, MARK_NUMBER, event->at_most);
    for (uint32_t i = 0; i < event->to_count && concerns(&event->object, marking); i++)
        mark(marking, MARK_NUMBER, event->to[i]);
}

static void mark_intent(const struct marking *marking, const struct check_intent *intent)
{
    const unsigned takes = intent_kind_takes(intent->kind);
    if (!concerns(&intent->workload, marking))
        return;
    if ((takes & INTENT_PARAMETER_VALUE) && intent->bound == REPLICAS_NUMBER)
        mark(marking, MARK_NUMBER, intent->value);
    if ((takes & INTENT_PARAMETER_VALUE) && intent->bound == REPLICAS_DESIRED)
        mark(marking, MARK_FEWER, -(int64_t)intent->value);
    if (takes & INTENT_PARAMETER_SWING)
        mark(marking, MARK_NUMBER, intent->swing);
    if (takes & INTENT_PARAMETER_MAX_SKEW)
        mark(marking, MARK_EACH, intent->max_skew);
}

struct size_marks *size_marks_collect(struct arena *arena, const struct scope *scope,
                                      const struct setup_workload *workload,
                                      const struct scope_options *options)
{
    struct size_marks *marks = ARENA_NEW(arena, struct size_marks);
    const struct marking marking = {arena, workload, marks};
    const struct descheduler_policy *policy = scope_descheduler_policy(scope);
    const struct check *check = scope->check;
    mark_objects(&marking, scope->objects, false);
    if (policy)
        mark_policy(&marking, policy);
    for (uint32_t e = 0; check && e < check->event_count; e++) {
        mark_event(&marking, &check->events[e]);
        mark_objects(&marking, &scope->applied[e], true);
    }
    for (uint32_t i = 0; check && i < check->intent_count; i++)
        mark_intent(&marking, &check->intents[i]);
    for (uint32_t i = 0; i < options->intent_count; i++)
        mark_intent(&marking, &options->intents[i]);
    return marks;
}
