/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/intent/expression_looks.h"

#include "cluster/ask/expression_cluster.h"
#include "cluster/intent/expression_truth.h"
#include "expression/expression_reach.h"
#include "setup/setup.h"

#include <string.h>

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

/* The number of the workload that the text calls so; UINT32_MAX: none, or nobody knows which. */
static uint32_t workload_called(struct arena *arena, const struct scope *scope, const char *name)
{
    struct expression_value found;
    const struct expression_value workloads =
        expression_workloads(expression_cluster(NULL, NULL, NULL).classes, scope, arena);
    return expression_map_find(workloads.map, expression_of_string(name), &found)
               ? found.object.first
               : UINT32_MAX;
}

/* Do all expressions of the intent look at this one workload? */
static bool looks_at_one(struct arena *arena, const struct scope *scope,
                         const struct intent_expressions *own, uint32_t *workload)
{
    const struct expression *const all[] = {own->first, own->condition, own->to};
    *workload = UINT32_MAX;
    for (uint32_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const char *key = all[i] ? expression_only_key(all[i], "workloads") : NULL;
        if (!all[i])
            continue;
        if (!key || expression_follows(all[i], "node"))
            return false;
        const uint32_t called = workload_called(arena, scope, key);
        if (called == UINT32_MAX || (*workload != UINT32_MAX && *workload != called))
            return false;
        *workload = called;
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
    const struct intent_expressions own = expressions_read(arena, source, &problems);
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
