/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/size_marks.h"

#include "base/map.h"
#include "base/saturating.h"
#include "base/vec.h"
#include "decide/controller/job_indexes.h"
#include "decide/quota/usage.h"
#include "expression/expression_token.h"
#include "object/descheduler_policy.h"
#include "object/policy.h"

#include <stdlib.h>
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

/* As many pods as the quota has room for. */
static void mark_quota(const struct marking *marking, const struct resource_quota *quota)
{
    const struct object *object = marking->workload->object;
    if (strcmp(quota->meta.namespace, object->meta->namespace) != 0)
        return;
    const struct features features = features_of_version(FEATURES_MINOR_LAST);
    const struct resource_list usage =
        quota_pod_usage(marking->arena, &features, &workload_template(object)->spec, true);
    for (uint32_t i = 0; i < quota->hard.count; i++) {
        const struct quantity *use = resource_list_find(&usage, quota->hard.items[i].name);
        if (use && use->nanos > 0)
            mark(marking, MARK_NUMBER, (int64_t)(quota->hard.items[i].quantity.nanos / use->nanos));
    }
}

static void mark_spread(const struct marking *marking, const struct pod_spec *spec)
{
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++) {
        mark(marking, MARK_EACH, spec->topology_spread_constraints[i].max_skew);
        mark_number(marking, spec->topology_spread_constraints[i].min_domains);
    }
}

/* Numbers of indexes that a Job asks for, and where lists of them begin and end. */
static void mark_job(const struct marking *marking, const struct job *job)
{
    const struct success_policy *policy = job->success_policy;
    mark_number(marking, job->completions);
    mark(marking, MARK_NUMBER, job->backoff_limit);
    mark_number(marking, job->max_failed_indexes);
    for (uint32_t r = 0; policy && r < policy->rule_count; r++) {
        const struct job_indexes listed =
            job_indexes_parse(marking->arena, policy->rules[r].succeeded_indexes, INT32_MAX);
        mark_number(marking, policy->rules[r].succeeded_count);
        for (uint32_t i = 0; i < listed.count; i++) {
            mark(marking, MARK_NUMBER, listed.items[i].first);
            mark(marking, MARK_NUMBER, listed.items[i].last + 1);
        }
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
    case OBJECT_JOB: mark_job(marking, object->as.job); break;
    default: break;
    }
}

static void mark_policy(const struct marking *marking, const struct descheduler_policy *policy)
{
    if (policy->evictions_per_node_most.set)
        mark(marking, MARK_EACH, policy->evictions_per_node_most.value);
    mark_number(marking, policy->evictions_per_namespace_most);
    for (uint32_t i = 0; i < policy->profile_count; i++)
        mark_number(marking, policy->profiles[i].default_evictor.replicas_least);
}

static void mark_object(const struct marking *marking, const struct object *object)
{
    if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER)
        mark_autoscaler(marking, object->as.horizontal_pod_autoscaler);
    else if (object->kind == OBJECT_POD_DISRUPTION_BUDGET)
        mark_budget(marking, object->as.pod_disruption_budget);
    else if (object->kind == OBJECT_RESOURCE_QUOTA)
        mark_quota(marking, object->as.resource_quota);
    else if (same_object(object, marking->workload->object))
        mark_workload(marking, object);
}

static void mark_applied(const struct marking *marking, const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        mark_object(marking, &objects->items[i]);
        if (same_object(&objects->items[i], marking->workload->object))
            mark(marking, MARK_NUMBER, workload_replicas(&objects->items[i]));
    }
}

/* ---- which objects ---- */

struct object_numbers {
    uint32_t *items;
    uint32_t count;
    uint32_t capacity;
};

struct marking_index {
    struct object_numbers rules; /* may be about any workload */
    struct map named;            /* by the name of a workload: struct object_numbers */
};

static bool is_rule(const struct object *object)
{
    return object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER ||
           object->kind == OBJECT_POD_DISRUPTION_BUDGET || object->kind == OBJECT_RESOURCE_QUOTA;
}

static const char *key_of(struct arena *arena, const struct object *object)
{
    return arena_printf(arena, "%d/%s/%s", (int)object->kind, object->meta->namespace,
                        object->meta->name);
}

struct marking_index *size_marks_index(struct arena *arena, const struct scope *scope)
{
    struct marking_index *index = ARENA_NEW(arena, struct marking_index);
    map_init(&index->named, arena);
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        struct map_entry *entry = map_put(&index->named, key_of(arena, scope->workloads[w].object));
        if (!entry->value)
            entry->value = ARENA_NEW(arena, struct object_numbers);
    }
    for (uint32_t i = 0; i < scope->objects->count; i++) {
        const struct object *object = &scope->objects->items[i];
        struct object_numbers *numbers = is_rule(object) ? &index->rules
                                         : workload_template(object)
                                             ? map_get(&index->named, key_of(arena, object))
                                             : NULL;
        if (numbers)
            VEC_PUSH(arena, numbers, i);
    }
    return index;
}

/* In the order of the manifests. */
static void mark_objects(const struct marking *marking, const struct objects *objects,
                         const struct marking_index *index)
{
    static const struct object_numbers none = {0};
    const struct object_numbers *rules = &index->rules;
    const struct object_numbers *own =
        map_get(&index->named, key_of(marking->arena, marking->workload->object));
    uint32_t next_rule = 0;
    uint32_t next_own = 0;
    own = own ? own : &none;
    while (next_rule < rules->count || next_own < own->count) {
        const bool rule =
            next_own == own->count ||
            (next_rule < rules->count && rules->items[next_rule] < own->items[next_own]);
        mark_object(marking,
                    &objects->items[rule ? rules->items[next_rule++] : own->items[next_own++]]);
    }
}

/* ---- the Check ---- */

static bool concerns(const struct object_name *name, const struct marking *marking)
{
    return !name->name || object_name_matches(name, marking->workload->object);
}

/* A number of an expression may be one of pods. */
static void mark_expression(const struct marking *marking, const char *text)
{
    struct expression_token token = {0};
    for (uint32_t at = 0; text; at = token.end) {
        token = expression_token_at(marking->arena, text, at);
        if (token.kind == TOKEN_END || token.kind == TOKEN_WRONG)
            return;
        if (token.kind == TOKEN_INT)
            mark(marking, MARK_NUMBER, strtoll(token.content, NULL, 0));
        if (token.kind == TOKEN_DOUBLE)
            mark(marking, MARK_NUMBER, saturating_from_double(strtod(token.content, NULL)));
    }
}

static void mark_event(const struct marking *marking, const struct check_event *event)
{
    mark(marking, MARK_NUMBER, event->at_most);
    mark_expression(marking, event->when);
    for (uint32_t i = 0; i < event->to_count && concerns(&event->object, marking); i++)
        mark(marking, MARK_NUMBER, event->to[i]);
}

static void mark_intent(const struct marking *marking, const struct check_intent *intent)
{
    const unsigned takes = intent_kind_takes(intent->kind);
    mark_expression(marking, intent->expression);
    mark_expression(marking, intent->condition);
    mark_expression(marking, intent->to);
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
                                      const struct marking_index *index,
                                      const struct setup_workload *workload,
                                      const struct scope_options *options)
{
    struct size_marks *marks = ARENA_NEW(arena, struct size_marks);
    const struct marking marking = {arena, workload, marks};
    const struct descheduler_policy *policy = scope_descheduler_policy(scope);
    const struct check *check = scope->check;
    mark_objects(&marking, scope->objects, index);
    if (policy)
        mark_policy(&marking, policy);
    for (uint32_t e = 0; check && e < check->event_count; e++) {
        mark_event(&marking, &check->events[e]);
        mark_applied(&marking, &scope->applied[e]);
    }
    for (uint32_t i = 0; check && i < check->intent_count; i++)
        mark_intent(&marking, &check->intents[i]);
    for (uint32_t i = 0; i < options->intent_count; i++)
        mark_intent(&marking, &options->intents[i]);
    return marks;
}
