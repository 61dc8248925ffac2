/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/intent/expression_looks.h"

#include "base/vec.h"
#include "cluster/ask/event_conditions.h"
#include "cluster/ask/expression_cluster.h"
#include "cluster/intent/expression_truth.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "expression/expression_reach.h"
#include "expression/expression_sole_part.h"
#include "setup/setup.h"
#include "setup/template_walk.h"

/* A field of one of the classes of objects. */
struct watched_field {
    const struct expression_class *const *class;
    const char *name;
};

static bool reads_any(const struct expression *expression, const struct watched_field *fields,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (expression_reads(expression, *fields[i].class, fields[i].name))
            return true;
    return false;
}

typedef bool expression_question(const struct expression *expression, const char *field);

/* Of an expression of an intent, or of the condition of an event, is this true? */
static bool is_true_of_any(const struct population *population, expression_question *ask,
                           const char *field)
{
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct intent_expressions *own = population->intents.items[i].expressions;
        const struct expression *const all[] = {own ? own->first : NULL,
                                                own ? own->condition : NULL, own ? own->to : NULL};
        for (uint32_t e = 0; e < sizeof(all) / sizeof(all[0]); e++)
            if (all[e] && ask(all[e], field))
                return true;
    }
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct event_condition *condition = population->events.items[e].condition;
        if (condition && ask(event_condition_expression(condition), field))
            return true;
    }
    return false;
}

static bool reads_pods(const struct expression *expression, const char *field)
{
    return expression_reads(expression, expression_cluster(NULL, NULL, NULL).classes->pod, field);
}

bool expressions_read_pods(const struct population *population, const char *field)
{
    return is_true_of_any(population, reads_pods, field);
}

/* Pods of nodes and of zones do not wait. Those that do count for budgets. */
static bool looks_at_waiting(const struct expression *expression, const char *field)
{
    return expression_uses(expression, field) || expression_uses(expression, "budgets") ||
           expression_reads(expression, expression_cluster(NULL, NULL, NULL).classes->workload,
                            field);
}

bool expressions_count_waiting(const struct population *population)
{
    return is_true_of_any(population, looks_at_waiting, "pods");
}

/* What budgets allow depends on which pods are ready. */
static bool sees_readiness(const struct expression *expression)
{
    const struct cluster_classes *of = expression_cluster(NULL, NULL, NULL).classes;
    const struct watched_field fields[] = {
        {&of->pod, "ready"},          {&of->pod, "phase"},        {&of->workload, "ready"},
        {&of->workload, "converged"}, {&of->workload, "updated"},
    };
    return expression && (expression_uses(expression, "budgets") ||
                          reads_any(expression, fields, sizeof(fields) / sizeof(fields[0])));
}

/* Does it depend on which node a pod is on? Whether it is on one at all is no such question. What
 * is said of nodes, zones, budgets and events need not depend on it, but may. */
static bool sees_places(const struct expression *expression)
{
    return expression &&
           (expression_uses(expression, "nodes") || expression_uses(expression, "zones") ||
            expression_uses(expression, "budgets") || expression_uses(expression, "events") ||
            expression_follows(expression, "node"));
}

unsigned expressions_ignore(const struct intent_expressions *own)
{
    const struct expression *const all[] = {own->first, own->condition, own->to};
    unsigned ignored = IGNORES_READINESS | IGNORES_PLACES;
    for (uint32_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (sees_readiness(all[i]))
            ignored &= ~(unsigned)IGNORES_READINESS;
        if (sees_places(all[i]))
            ignored &= ~(unsigned)IGNORES_PLACES;
    }
    return ignored;
}

/* ---- which workloads ---- */

/* What is known of the pods of a workload. */
struct pods_known {
    struct arena *arena;
    const struct scope *scope;
    VEC(struct expression_kind) kinds;
};

static void add_kind(struct pods_known *known, uint32_t workload, const struct labels *labels,
                     const char *namespace)
{
    enum { LABELS, NAMESPACE, OWNER, FIELDS };
    struct arena *arena = known->arena;
    struct expression_value *names = ARENA_ARRAY(arena, struct expression_value, FIELDS);
    struct expression_value *values = ARENA_ARRAY(arena, struct expression_value, FIELDS);
    struct expression_map *fields = ARENA_NEW(arena, struct expression_map);
    names[LABELS] = expression_of_string("labels");
    values[LABELS] = expression_of_labels(arena, labels);
    names[NAMESPACE] = expression_of_string("namespace");
    values[NAMESPACE] = expression_of_string(namespace);
    *fields = (struct expression_map){.keys = names, .values = values, .count = OWNER};
    if (workload != UINT32_MAX) {
        names[OWNER] = expression_of_string("owner");
        values[OWNER] = expression_of_string(known->scope->workloads[workload].name);
        fields->count = FIELDS;
    }
    VEC_PUSH(arena, &known->kinds, ((struct expression_kind){workload, fields}));
}

/* Pods of all templates, those of sets that are there and those that events bring included, and
 * pods that are there, of which new ones may have the labels. False: a pod may yet change hands. */
static bool find_pods_known(struct pods_known *known)
{
    const struct scope *scope = known->scope;
    for (struct template_walk at = templates_of(scope); templates_next(&at);)
        add_kind(known, at.workload, &at.template->meta.labels, at.object->meta->namespace);
    for (uint32_t w = 0; w < scope->workload_count; w++)
        for (uint32_t i = 0; i < scope->workloads[w].set_count; i++) {
            const struct object *set = scope->workloads[w].sets[i];
            add_kind(known, w, &workload_template(set)->meta.labels, set->meta->namespace);
        }
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        if (pod->adopter)
            return false;
        /* Others are in every part. */
        if (pod->workload != UINT32_MAX)
            add_kind(known, pod->workload, &pod->object->meta->labels,
                     pod->object->meta->namespace);
    }
    return true;
}

/* Do all expressions of the intent look at this one workload? */
static bool looks_at_one(struct arena *arena, const struct scope *scope,
                         const struct intent_expressions *own, uint32_t *workload)
{
    const struct expression *const all[] = {own->first, own->condition, own->to};
    const struct expression_value workloads =
        expression_workloads(expression_cluster(NULL, NULL, NULL).classes, scope, arena);
    struct pods_known known = {.arena = arena, .scope = scope};
    const bool pods_are_known = find_pods_known(&known);
    const struct expression_whole whole = {
        .map = "workloads",
        .objects = workloads.map,
        .bag = pods_are_known ? "pods" : "",
        .kinds = known.kinds.items,
        .kind_count = known.kinds.count,
        .is_unsure = label_is_of_controllers,
    };
    *workload = UINT32_MAX;
    for (uint32_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (!all[i])
            continue;
        const uint32_t sole = expression_sole_part(all[i], &whole, arena);
        if (sole == UINT32_MAX || expression_follows(all[i], "node") ||
            (*workload != UINT32_MAX && *workload != sole))
            return false;
        *workload = sole;
    }
    return *workload != UINT32_MAX;
}

typedef bool parting_question(const struct expression *expression,
                              const struct expression_parting *parting);

static enum intent_reach reach_of(struct arena *arena, const struct scope *scope,
                                  const struct check_intent *source, parting_question *parts_decide,
                                  uint32_t *workload)
{
    static const struct expression_parting parting = {
        .bag = "pods", .map = "workloads", .beyond = "node"};
    struct problems problems;
    problems_init(&problems, arena);
    const struct intent_expressions own = expressions_read(arena, NULL, source, &problems);
    if (problems.errors > 0)
        return REACHES_EVERYTHING;
    if (looks_at_one(arena, scope, &own, workload))
        return REACHES_ONE_WORKLOAD;
    *workload = UINT32_MAX;
    return parts_decide && !own.condition && !own.to && parts_decide(own.first, &parting)
               ? REACHES_EACH_WORKLOAD
               : REACHES_EVERYTHING;
}

enum intent_reach expressions_reach_each(struct arena *arena, const struct scope *scope,
                                         const struct check_intent *source, uint32_t *workload)
{
    return reach_of(arena, scope, source, expression_is_of_each, workload);
}

enum intent_reach expressions_reach_some(struct arena *arena, const struct scope *scope,
                                         const struct check_intent *source, uint32_t *workload)
{
    return reach_of(arena, scope, source, expression_is_of_some, workload);
}

enum intent_reach expressions_reach_one(struct arena *arena, const struct scope *scope,
                                        const struct check_intent *source, uint32_t *workload)
{
    return reach_of(arena, scope, source, NULL, workload);
}
