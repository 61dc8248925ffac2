/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents in users' own words: an expression that must be true always, never, in the end and for
 * ever, at some time, after another one, or until another one is; that some run must come to, or
 * that some run from everywhere must come to.
 *
 * An expression that fails in a state (a label that a pod does not have, a division by zero) is
 * neither true nor false there, so the intent is violated, and the report says why.
 *
 * What an expression looks at is known from the fields that it reads: one that reads nothing by
 * which pods that are ready differ from others ignores readiness. Everything else it is taken to
 * see, so that no other reduction applies.
 *
 * Monitors, one word each: whether `eventually` has come true, whether `leadsTo` waits for its
 * second expression, whether `until` is over.
 */
#include "cluster/ask/expression_cluster.h"
#include "cluster/intent_class.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "expression/expression.h"

struct intent_expressions {
    const struct expression *first;
    const struct expression *condition; /* NULL: it counts everywhere */
    const struct expression *to;        /* NULL: there is none */
    struct expression_value workloads;
};

/* ---- reading ---- */

static const struct expression *compile_text(struct arena *arena, const char *text,
                                             const struct check_intent *source, const char *path,
                                             struct problems *problems)
{
    if (!text)
        return NULL;
    return expression_of_cluster(arena, text, source->place, path, problems);
}

static struct intent_expressions compile_all(struct arena *arena, const struct check_intent *source,
                                             struct problems *problems)
{
    return (struct intent_expressions){
        .first = compile_text(arena, source->expression, source, "expression", problems),
        .condition = compile_text(arena, source->condition, source, "when", problems),
        .to = compile_text(arena, source->to, source, "to", problems),
    };
}

static const struct intent_expressions *compile(struct population *population,
                                                const struct check_intent *source)
{
    struct problems problems;
    problems_init(&problems, &population->arena);
    struct intent_expressions *expressions =
        ARENA_NEW(&population->arena, struct intent_expressions);
    *expressions = compile_all(&population->arena, source, &problems);
    expressions->workloads = expression_workloads(expression_cluster(NULL, NULL, NULL).classes,
                                                  population->scope, &population->arena);
    if (problems.errors > 0)
        bug("an expression that was checked is not compiled: %s", problems.items[0].message);
    return expressions;
}

static void check(const struct scope *scope, const struct check_intent *intent,
                  struct problems *problems)
{
    (void)scope;
    if (intent->workload.name)
        problem_error(problems, intent->place, "workload",
                      "an expression is about the whole cluster; say in it what it is about");
    compile_all(problems->arena, intent, problems);
}

/* ---- what it looks at ---- */

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

static unsigned also_ignores(const struct intent_expressions *own)
{
    const bool sees =
        sees_readiness(own->first) || sees_readiness(own->condition) || sees_readiness(own->to);
    return sees ? 0 : IGNORES_READINESS;
}

/* ---- evaluation ---- */

/* One that takes too many steps fails, too, and nothing counts then (cli/cmd_verify.c). */
enum truth { IS_FALSE, IS_TRUE, FAILS, IS_TOO_COSTLY };

static enum truth truth_of(const struct judged *judged, const struct state *state,
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
static bool is_asked(const struct judged *judged)
{
    const struct expression *condition = judged->intent->expressions->condition;
    return !condition || truth_of(judged, judged->state, condition) != IS_FALSE;
}

static bool counts(const struct judged *judged)
{
    return !judged->happening && is_asked(judged);
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
static uint32_t parts(const struct judged *judged, struct arena *arena,
                      struct expression_part *parts, uint32_t most)
{
    const struct intent_expressions *expressions = judged->intent->expressions;
    struct expression_cluster cluster =
        expression_cluster(judged->worker, judged->state, &expressions->workloads);
    const struct expression *expression =
        expressions->to && truth_of(judged, judged->state, expressions->first) == IS_TRUE
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

/* ---- always and never ---- */

static bool is_not_true(const struct judged *judged)
{
    return is_asked(judged) &&
           truth_of(judged, judged->state, judged->intent->expressions->first) != IS_TRUE;
}

static bool is_not_false(const struct judged *judged)
{
    return is_asked(judged) &&
           truth_of(judged, judged->state, judged->intent->expressions->first) != IS_FALSE;
}

#define NEVER_ASKED "its condition was never true"

const struct intent_class intent_always = {
    .violated_by = VIOLATED_BY_STATE,
    .compile = compile,
    .also_ignores = also_ignores,
    .parts = parts,
    .atom = is_not_true,
    .applies = counts,
    .never_applied = NEVER_ASKED,
    .check = check,
};

const struct intent_class intent_never = {
    .violated_by = VIOLATED_BY_STATE,
    .compile = compile,
    .also_ignores = also_ignores,
    .parts = parts,
    .atom = is_not_false,
    .applies = counts,
    .never_applied = NEVER_ASKED,
    .check = check,
};

/* ---- eventually ---- */

static uint32_t one_word(const struct population *population, const struct intent *intent)
{
    (void)population;
    (void)intent;
    return 1;
}

/* The monitor word of a state. */
static uint32_t *monitor_of(const struct judged *judged, const struct state *state)
{
    return &state->monitors[judged->intent->monitor];
}

/* Before runs begin nothing counts. */
static void note_reached(const struct judged *judged)
{
    uint32_t *reached = monitor_of(judged, judged->next);
    if (!*reached && judged->next->begun)
        *reached = truth_of(judged, judged->next, judged->intent->expressions->first) == IS_TRUE;
}

static bool mark_reached(const struct judged *judged)
{
    note_reached(judged);
    return false;
}

static bool is_not_reached(const struct judged *judged)
{
    return !*monitor_of(judged, judged->state);
}

const struct intent_class intent_eventually = {
    .violated_by = VIOLATED_BY_STAYING,
    .compile = compile,
    .also_ignores = also_ignores,
    .parts = parts,
    .atom = is_not_reached,
    .mark = mark_reached,
    .monitor_words = one_word,
    .begin = note_reached,
    .check = check,
};

/* ---- stable ---- */

static bool is_true(const struct judged *judged)
{
    return truth_of(judged, judged->state, judged->intent->expressions->first) == IS_TRUE;
}

const struct intent_class intent_stable = {
    .violated_by = VIOLATED_BY_LEAVING,
    .compile = compile,
    .also_ignores = also_ignores,
    .parts = parts,
    .atom = is_true,
    .check = check,
};

/* ---- leadsTo ---- */

/* It waits from a state in which the first expression is true up to one in which the second is. */
static void note_waiting(const struct judged *judged)
{
    uint32_t *waits = monitor_of(judged, judged->next);
    if (!judged->next->begun)
        return;
    if (truth_of(judged, judged->next, judged->intent->expressions->to) == IS_TRUE)
        *waits = 0;
    else if (!*waits)
        *waits = truth_of(judged, judged->next, judged->intent->expressions->first) != IS_FALSE;
}

static bool mark_waiting(const struct judged *judged)
{
    note_waiting(judged);
    return false;
}

static bool is_waiting(const struct judged *judged)
{
    return *monitor_of(judged, judged->state);
}

static bool has_begun_to_wait(const struct judged *judged)
{
    return !judged->happening && judged->state->begun &&
           truth_of(judged, judged->state, judged->intent->expressions->first) != IS_FALSE;
}

const struct intent_class intent_leads_to = {
    .violated_by = VIOLATED_BY_STAYING,
    .compile = compile,
    .also_ignores = also_ignores,
    .parts = parts,
    .atom = is_waiting,
    .mark = mark_waiting,
    .monitor_words = one_word,
    .begin = note_waiting,
    .applies = has_begun_to_wait,
    .never_applied = "the first expression was never true",
    .check = check,
};

/* ---- until ---- */

static void note_over(const struct judged *judged)
{
    uint32_t *over = monitor_of(judged, judged->next);
    if (!*over && judged->next->begun)
        *over = truth_of(judged, judged->next, judged->intent->expressions->to) == IS_TRUE;
}

static bool mark_over(const struct judged *judged)
{
    note_over(judged);
    return false;
}

static bool is_not_held(const struct judged *judged)
{
    return !*monitor_of(judged, judged->state) && !is_true(judged);
}

const struct intent_class intent_until = {
    .violated_by = VIOLATED_BY_STATE,
    .compile = compile,
    .also_ignores = also_ignores,
    .parts = parts,
    .atom = is_not_held,
    .mark = mark_over,
    .monitor_words = one_word,
    .begin = note_over,
    .check = check,
};

/* ---- reachable and alwaysPossible ---- */

/* A state in which the expression fails is no example; one in which it takes too many steps ends
 * the search, so that nobody takes the expression for one that no run makes true. */
static bool is_reached(const struct judged *judged)
{
    const enum truth truth = truth_of(judged, judged->state, judged->intent->expressions->first);
    return truth == IS_TRUE || truth == IS_TOO_COSTLY;
}

const struct intent_class intent_reachable = {
    .violated_by = VIOLATED_BY_STATE,
    .asks_for_example = true,
    .compile = compile,
    .also_ignores = also_ignores,
    .parts = parts,
    .atom = is_reached,
    .check = check,
};

/* Of branching time: somebody could take that run, and nobody has to. */
const struct intent_class intent_always_possible = {
    .violated_by = VIOLATED_BY_NO_WAY,
    .compile = compile,
    .parts = parts,
    .atom = is_true,
    .check = check,
};
