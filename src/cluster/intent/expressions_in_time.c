/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/intent/expressions_in_time.h"

#include "cluster/intent/expression_looks.h"
#include "cluster/intent/expression_times.h"
#include "cluster/intent/expression_truth.h"
#include "cluster/state/state.h"

static uint32_t two_words(const struct population *population, const struct intent *intent)
{
    (void)population;
    (void)intent;
    return 2;
}

/* ---- what counts only for some time: always, never ---- */

static bool mark_age(const struct judged *judged)
{
    intent_age_pass(judged, expressions_monitor(judged, judged->next));
    return false;
}

static uint32_t age_until_due(const struct judged *judged)
{
    return intent_age_until_due(judged->intent, *expressions_monitor(judged, judged->state));
}

static bool is_in_time(const struct judged *judged)
{
    const uint32_t age = *expressions_monitor(judged, judged->state);
    return !intent_age_is_early(judged->intent, age) && !intent_age_is_late(judged->intent, age);
}

static bool is_not_true_in_time(const struct judged *judged)
{
    return is_in_time(judged) && expressions_not_true(judged);
}

static bool is_not_false_in_time(const struct judged *judged)
{
    return is_in_time(judged) && expressions_not_false(judged);
}

static bool counts_in_time(const struct judged *judged)
{
    return !judged->happening && is_in_time(judged) && expressions_ask(judged);
}

#define NEVER_ASKED_IN_TIME "no run came so far, or its condition was not true then"

const struct intent_class intent_always_in_time = {
    .violated_by = VIOLATED_BY_STATE,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .parts = expressions_parts,
    .atom = is_not_true_in_time,
    .mark = mark_age,
    .monitor_words = expressions_one_word,
    .until_due = age_until_due,
    .applies = counts_in_time,
    .never_applied = NEVER_ASKED_IN_TIME,
    .check = expressions_check,
};

const struct intent_class intent_never_in_time = {
    .violated_by = VIOLATED_BY_STATE,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .parts = expressions_parts,
    .atom = is_not_false_in_time,
    .mark = mark_age,
    .monitor_words = expressions_one_word,
    .until_due = age_until_due,
    .applies = counts_in_time,
    .never_applied = NEVER_ASKED_IN_TIME,
    .check = expressions_check,
};

/* ---- until ---- */

/* Whether it is over, and, as long as it is not, ticks since runs began. */
static void note_over_in_time(const struct judged *judged)
{
    uint32_t *words = expressions_monitor(judged, judged->next);
    if (!words[0])
        intent_age_pass(judged, &words[1]);
    expressions_note_over(judged);
    if (words[0])
        words[1] = 0;
}

static bool mark_over_in_time(const struct judged *judged)
{
    note_over_in_time(judged);
    return false;
}

static bool is_not_held_in_time(const struct judged *judged)
{
    const uint32_t age = expressions_monitor(judged, judged->state)[1];
    return !intent_age_is_early(judged->intent, age) && !intent_age_is_late(judged->intent, age) &&
           expressions_are_not_held(judged);
}

static uint32_t over_until_due(const struct judged *judged)
{
    const uint32_t *words = expressions_monitor(judged, judged->state);
    return words[0] ? UINT32_MAX : intent_age_until_due(judged->intent, words[1]);
}

const struct intent_class intent_until_in_time = {
    .violated_by = VIOLATED_BY_STATE,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .parts = expressions_parts,
    .atom = is_not_held_in_time,
    .mark = mark_over_in_time,
    .monitor_words = two_words,
    .begin = note_over_in_time,
    .until_due = over_until_due,
    .check = expressions_check,
};

/* ---- reachable ---- */

static bool is_reached_in_time(const struct judged *judged)
{
    return is_in_time(judged) && expressions_reached(judged);
}

const struct intent_class intent_reachable_in_time = {
    .violated_by = VIOLATED_BY_STATE,
    .asks_for_example = true,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .parts = expressions_parts,
    .atom = is_reached_in_time,
    .mark = mark_age,
    .monitor_words = expressions_one_word,
    .until_due = age_until_due,
    .check = expressions_check,
};

/* ---- eventually ---- */

/* Whether it has come, and ticks since runs began, as long as it has not. */
enum in_time { IS_OPEN, HAS_COME, IS_LATE };

/* Lets time pass as long as it is open; true if it is too late from now on. */
static bool becomes_late(const struct judged *judged, uint32_t *words)
{
    intent_age_pass(judged, &words[1]);
    if (!intent_age_is_late(judged->intent, words[1]))
        return false;
    words[0] = IS_LATE;
    words[1] = 0;
    return true;
}

static void note_reached_in_time(const struct judged *judged)
{
    uint32_t *words = expressions_monitor(judged, judged->next);
    if (words[0] != IS_OPEN || !judged->next->begun || becomes_late(judged, words) ||
        intent_age_is_early(judged->intent, words[1]) ||
        expressions_truth(judged, judged->next, judged->intent->expressions->first) != IS_TRUE)
        return;
    words[0] = HAS_COME;
    words[1] = 0;
}

static bool mark_reached_in_time(const struct judged *judged)
{
    note_reached_in_time(judged);
    return false;
}

static bool is_not_reached_in_time(const struct judged *judged)
{
    return *expressions_monitor(judged, judged->state) != HAS_COME;
}

static uint32_t reached_until_due(const struct judged *judged)
{
    const uint32_t *words = expressions_monitor(judged, judged->state);
    return words[0] == IS_OPEN ? intent_age_until_due(judged->intent, words[1]) : UINT32_MAX;
}

const struct intent_class intent_eventually_in_time = {
    .violated_by = VIOLATED_BY_STAYING,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .parts = expressions_parts,
    .atom = is_not_reached_in_time,
    .mark = mark_reached_in_time,
    .monitor_words = two_words,
    .begin = note_reached_in_time,
    .until_due = reached_until_due,
    .check = expressions_check,
};

/* ---- leadsTo ---- */

/* Whether it waits, or has waited for too long; and ticks since it waits. */
enum waiting { WAITS_NOT, WAITS, WAITED_TOO_LONG = IS_LATE };

static void note_waiting_in_time(const struct judged *judged)
{
    uint32_t *words = expressions_monitor(judged, judged->next);
    if (!judged->next->begun || words[0] == WAITED_TOO_LONG ||
        (words[0] == WAITS && becomes_late(judged, words)))
        return;
    const uint32_t before = words[0];
    expressions_note_waiting(judged);
    if (words[0] != before)
        words[1] = 0;
}

static bool mark_waiting_in_time(const struct judged *judged)
{
    note_waiting_in_time(judged);
    return false;
}

static uint32_t waiting_until_due(const struct judged *judged)
{
    const uint32_t *words = expressions_monitor(judged, judged->state);
    return words[0] == WAITS ? intent_age_until_due(judged->intent, words[1]) : UINT32_MAX;
}

const struct intent_class intent_leads_to_in_time = {
    .violated_by = VIOLATED_BY_STAYING,
    .compile = expressions_compile,
    .also_ignores = expressions_ignore,
    .parts = expressions_parts,
    .atom = expressions_wait,
    .mark = mark_waiting_in_time,
    .monitor_words = two_words,
    .begin = note_waiting_in_time,
    .until_due = waiting_until_due,
    .applies = expressions_begin_to_wait,
    .never_applied = NEVER_WAITED,
    .check = expressions_check,
};
