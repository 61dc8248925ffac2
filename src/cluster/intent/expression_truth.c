/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/intent/expression_truth.h"

#include "cluster/ask/expression_cluster.h"
#include "cluster/ask/expression_names.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "expression/expression.h"
#include "expression/expression_known.h"

/* ---- reading ---- */

static const struct expression *compile_text(struct arena *arena, const char *text,
                                             const struct scope *scope,
                                             const struct check_intent *source, const char *path,
                                             struct problems *problems)
{
    if (!text)
        return NULL;
    return expression_of_cluster(arena, text, scope, source->place, path, problems);
}

struct intent_expressions expressions_read(struct arena *arena, const struct scope *scope,
                                           const struct check_intent *source,
                                           struct problems *problems)
{
    return (struct intent_expressions){
        .first = compile_text(arena, source->expression, scope, source, "expression", problems),
        .condition = compile_text(arena, source->condition, scope, source, "when", problems),
        .to = compile_text(arena, source->to, scope, source, "to", problems),
    };
}

/* Which workloads and events there are is the same in all states of a model. */
static void know_maps(struct population *population, struct intent_expressions *own)
{
    struct arena *arena = &population->arena;
    const struct cluster_classes *classes = expression_cluster(NULL, NULL, NULL).classes;
    const struct expression_value events = expression_events(classes, population, arena);
    const struct expression *const all[] = {own->first, own->condition, own->to};
    own->workloads = expression_workloads(classes, population->scope, arena);
    for (uint32_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (!all[i])
            continue;
        expression_know(all[i], arena, "workloads", own->workloads);
        expression_know(all[i], arena, "events", events);
    }
}

const struct intent_expressions *expressions_compile(struct population *population,
                                                     const struct check_intent *source)
{
    struct problems problems;
    problems_init(&problems, &population->arena);
    struct intent_expressions *expressions =
        ARENA_NEW(&population->arena, struct intent_expressions);
    *expressions = expressions_read(&population->arena, NULL, source, &problems);
    if (problems.errors > 0)
        bug("an expression that was checked is not compiled: %s", problems.items[0].message);
    know_maps(population, expressions);
    return expressions;
}

void expressions_check(const struct scope *scope, const struct check_intent *intent,
                       struct problems *problems)
{
    if (intent->workload.name)
        problem_error(problems, intent->place, "workload",
                      "an expression is about the whole cluster; say in it what it is about");
    expressions_read(problems->arena, scope, intent, problems);
}

/* ---- evaluation ---- */

enum truth expressions_truth(const struct judged *judged, const struct state *state,
                             const struct expression *expression)
{
    struct worker *worker = judged->worker;
    struct expression_cluster cluster =
        expression_cluster(worker, state, &judged->intent->expressions->workloads);
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct expression_value value =
        expression_evaluate(expression, &cluster, &worker->scratch);
    const bool too_costly = expression_is_too_costly(value);
    arena_rewind(&worker->scratch, mark);
    if (value.tag != VALUE_IS_BOOL)
        return too_costly ? IS_TOO_COSTLY : FAILS;
    return value.truth ? IS_TRUE : IS_FALSE;
}

/* Does the intent count here? A condition that fails makes it count. */
bool expressions_ask(const struct judged *judged)
{
    const struct expression *condition = judged->intent->expressions->condition;
    return !condition || expressions_truth(judged, judged->state, condition) != IS_FALSE;
}

bool expressions_ask_of_state(const struct judged *judged)
{
    return !judged->happening && expressions_ask(judged);
}

/* What one of the expressions says that takes too many steps here; NULL: none does. */
static const char *what_is_too_costly(const struct intent_expressions *own,
                                      struct expression_cluster *cluster, struct arena *arena)
{
    const struct expression *const all[] = {own->condition, own->first, own->to};
    for (uint32_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const struct expression_value value =
            all[i] ? expression_evaluate(all[i], cluster, arena) : expression_of_bool(true);
        if (expression_is_too_costly(value))
            return value.text;
    }
    return NULL;
}

/* What a reader wants to know of the state: the parts of the first expression, or why it fails. */
uint32_t expressions_parts(const struct judged *judged, struct arena *arena,
                           struct expression_part *parts, uint32_t most)
{
    const struct intent_expressions *expressions = judged->intent->expressions;
    struct expression_cluster cluster =
        expression_cluster(judged->worker, judged->state, &expressions->workloads);
    const struct expression *expression =
        expressions->to && expressions_truth(judged, judged->state, expressions->first) == IS_TRUE
            ? expressions->to
            : expressions->first;
    const struct expression_value value = expression_evaluate(expression, &cluster, arena);
    const char *costly = what_is_too_costly(expressions, &cluster, arena);
    if (most > 0 && (costly || value.tag == VALUE_IS_ERROR)) {
        parts[0] = (struct expression_part){"it fails", costly ? costly : value.text};
        return 1;
    }
    return expression_parts(expression, &cluster, arena, parts, most);
}

/* ---- atoms ---- */

bool expressions_not_true(const struct judged *judged)
{
    return expressions_ask(judged) &&
           expressions_truth(judged, judged->state, judged->intent->expressions->first) != IS_TRUE;
}

bool expressions_not_false(const struct judged *judged)
{
    return expressions_ask(judged) &&
           expressions_truth(judged, judged->state, judged->intent->expressions->first) != IS_FALSE;
}

bool expressions_true(const struct judged *judged)
{
    return expressions_truth(judged, judged->state, judged->intent->expressions->first) == IS_TRUE;
}

/* A state in which the expression fails is no example; one in which it takes too many steps ends
 * the search, so that nobody takes the expression for one that no run makes true. */
bool expressions_reached(const struct judged *judged)
{
    const enum truth truth =
        expressions_truth(judged, judged->state, judged->intent->expressions->first);
    return truth == IS_TRUE || truth == IS_TOO_COSTLY;
}

/* ---- monitors ---- */

uint32_t expressions_one_word(const struct population *population, const struct intent *intent)
{
    (void)population;
    (void)intent;
    return 1;
}

/* The monitor word of a state. */
uint32_t *expressions_monitor(const struct judged *judged, const struct state *state)
{
    return &state->monitors[judged->intent->monitor];
}

void expressions_note_over(const struct judged *judged)
{
    uint32_t *over = expressions_monitor(judged, judged->next);
    if (!*over && judged->next->begun)
        *over = expressions_truth(judged, judged->next, judged->intent->expressions->to) == IS_TRUE;
}

bool expressions_are_not_held(const struct judged *judged)
{
    return !*expressions_monitor(judged, judged->state) && !expressions_true(judged);
}

/* It waits from a state in which the first expression is true up to one in which the second is. */
void expressions_note_waiting(const struct judged *judged)
{
    uint32_t *waits = expressions_monitor(judged, judged->next);
    const struct intent_expressions *own = judged->intent->expressions;
    if (!judged->next->begun)
        return;
    /* One of the two is enough most of the time: this is asked for every step. */
    if (!*waits && expressions_truth(judged, judged->next, own->first) == IS_FALSE)
        return;
    *waits = expressions_truth(judged, judged->next, own->to) != IS_TRUE;
}

bool expressions_wait(const struct judged *judged)
{
    return *expressions_monitor(judged, judged->state);
}

bool expressions_begin_to_wait(const struct judged *judged)
{
    return !judged->happening && judged->state->begun &&
           expressions_truth(judged, judged->state, judged->intent->expressions->first) != IS_FALSE;
}
