/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents in users' own words: an expression that must be true always, never, in the end and for
 * ever, at some time, after another one, or until another one is; that some run must come to, or
 * that some run from everywhere must come to.
 *
 * An expression that fails in a state (a label that a pod does not have, a division by zero) is
 * neither true nor false there, so the intent is violated, and the report says why.
 *
 * What an expression looks at is known from its text (expression_looks.h).
 *
 * Monitors, one word each: whether `eventually` has come true, whether `leadsTo` waits for its
 * second expression, whether `until` is over. With `after` or `within` there is one more word, an
 * age (expressions_in_time.h).
 */
#include "cluster/intent/expression_looks.h"
#include "cluster/intent/expression_times.h"
#include "cluster/intent/expression_truth.h"
#include "cluster/intent/expressions_in_time.h"
#include "cluster/state/state.h"

/* ---- always and never ---- */

static const struct intent_class *form_of_always(const struct check_intent *source)
{
    return intent_is_timed(source) ? &intent_always_in_time : &intent_always;
}

static const struct intent_class *form_of_never(const struct check_intent *source)
{
    return intent_is_timed(source) ? &intent_never_in_time : &intent_never;
}

const struct intent_class intent_always = {
    .violated_by = VIOLATED_BY_STATE,
    .form = form_of_always,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .reach = expressions_reach_each,
    .parts = expressions_parts,
    .atom = expressions_not_true,
    .applies = expressions_ask_of_state,
    .never_applied = NEVER_ASKED,
    .check = expressions_check,
};

const struct intent_class intent_never = {
    .violated_by = VIOLATED_BY_STATE,
    .form = form_of_never,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .reach = expressions_reach_some,
    .parts = expressions_parts,
    .atom = expressions_not_false,
    .applies = expressions_ask_of_state,
    .never_applied = NEVER_ASKED,
    .check = expressions_check,
};

/* ---- eventually ---- */

/* Before runs begin nothing counts. */
static void note_reached(const struct judged *judged)
{
    uint32_t *reached = expressions_monitor(judged, judged->next);
    if (!*reached && judged->next->begun)
        *reached =
            expressions_truth(judged, judged->next, judged->intent->expressions->first) == IS_TRUE;
}

static bool mark_reached(const struct judged *judged)
{
    note_reached(judged);
    return false;
}

static bool is_not_reached(const struct judged *judged)
{
    return !*expressions_monitor(judged, judged->state);
}

static const struct intent_class *form_of_eventually(const struct check_intent *source)
{
    return intent_is_timed(source) ? &intent_eventually_in_time : &intent_eventually;
}

const struct intent_class intent_eventually = {
    .violated_by = VIOLATED_BY_STAYING,
    .form = form_of_eventually,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .reach = expressions_reach_one,
    .parts = expressions_parts,
    .atom = is_not_reached,
    .mark = mark_reached,
    .monitor_words = expressions_one_word,
    .begin = note_reached,
    .check = expressions_check,
};

/* ---- stable ---- */

const struct intent_class intent_stable = {
    .violated_by = VIOLATED_BY_LEAVING,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .reach = expressions_reach_each,
    .parts = expressions_parts,
    .atom = expressions_true,
    .check = expressions_check,
};

/* ---- leadsTo ---- */

static bool mark_waiting(const struct judged *judged)
{
    expressions_note_waiting(judged);
    return false;
}

static const struct intent_class *form_of_leads_to(const struct check_intent *source)
{
    return intent_is_timed(source) ? &intent_leads_to_in_time : &intent_leads_to;
}

const struct intent_class intent_leads_to = {
    .violated_by = VIOLATED_BY_STAYING,
    .form = form_of_leads_to,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .reach = expressions_reach_one,
    .parts = expressions_parts,
    .atom = expressions_wait,
    .mark = mark_waiting,
    .monitor_words = expressions_one_word,
    .begin = expressions_note_waiting,
    .applies = expressions_begin_to_wait,
    .never_applied = NEVER_WAITED,
    .check = expressions_check,
};

/* ---- until ---- */

static bool mark_over(const struct judged *judged)
{
    expressions_note_over(judged);
    return false;
}

static const struct intent_class *form_of_until(const struct check_intent *source)
{
    return intent_is_timed(source) ? &intent_until_in_time : &intent_until;
}

const struct intent_class intent_until = {
    .violated_by = VIOLATED_BY_STATE,
    .form = form_of_until,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .reach = expressions_reach_one,
    .parts = expressions_parts,
    .atom = expressions_are_not_held,
    .mark = mark_over,
    .monitor_words = expressions_one_word,
    .begin = expressions_note_over,
    .check = expressions_check,
};

/* ---- reachable and alwaysPossible ---- */

static const struct intent_class *form_of_reachable(const struct check_intent *source)
{
    return intent_is_timed(source) ? &intent_reachable_in_time : &intent_reachable;
}

const struct intent_class intent_reachable = {
    .violated_by = VIOLATED_BY_STATE,
    .form = form_of_reachable,
    .asks_for_example = true,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .parts = expressions_parts,
    .atom = expressions_reached,
    .check = expressions_check,
};

/* Of branching time: somebody could take that run, and nobody has to. */
const struct intent_class intent_always_possible = {
    .violated_by = VIOLATED_BY_NO_WAY,
    .compile = expressions_compile,
    .parts = expressions_parts,
    .atom = expressions_true,
    .check = expressions_check,
};
