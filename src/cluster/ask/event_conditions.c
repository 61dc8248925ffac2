/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/event_conditions.h"

#include "cluster/ask/expression_cluster.h"
#include "cluster/ask/expression_names.h"
#include "cluster/ask/support.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "expression/expression.h"

struct event_condition {
    const struct expression *expression;
    struct expression_value workloads;
};

static const struct expression *compile(struct arena *arena, const struct check_event *event,
                                        const struct scope *scope, struct problems *problems)
{
    return expression_of_cluster(arena, event->when, scope, event->place, "when", problems);
}

void event_condition_check(const struct support *support, const struct check_event *event)
{
    if (event->when)
        compile(support->arena, event, support->scope, support->problems);
}

const struct event_condition *event_condition_compile(struct population *population,
                                                      const struct check_event *event)
{
    struct problems problems;
    problems_init(&problems, &population->arena);
    if (!event->when)
        return NULL;
    struct event_condition *condition = ARENA_NEW(&population->arena, struct event_condition);
    condition->expression = compile(&population->arena, event, NULL, &problems);
    condition->workloads = expression_workloads(expression_cluster(NULL, NULL, NULL).classes,
                                                population->scope, &population->arena);
    if (problems.errors > 0)
        bug("a condition that was checked is not compiled: %s", problems.items[0].message);
    return condition;
}

const struct expression *event_condition_expression(const struct event_condition *condition)
{
    return condition->expression;
}

bool event_condition_allows(struct worker *worker, const struct state *state,
                            const struct population_event *event)
{
    if (!event->condition)
        return true;
    struct expression_cluster cluster =
        expression_cluster(worker, state, &event->condition->workloads);
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct expression_value value =
        expression_evaluate(event->condition->expression, &cluster, &worker->scratch);
    worker->findings.conditions_cost |= expression_is_too_costly(value);
    arena_rewind(&worker->scratch, mark);
    worker->findings.conditions_fail |= value.tag != VALUE_IS_BOOL;
    return expression_is_true(value);
}
