/* SPDX-License-Identifier: Apache-2.0 */
/* What a trial with stronger settings came to, in a line. */
#include "report/report.h"

#include <string.h>

static const char *join(struct arena *arena, const struct string_list *list, const char *between,
                        const char *quote)
{
    const char *joined = "";
    for (uint32_t i = 0; i < list->count; i++)
        joined = arena_printf(arena, "%s%s%s%s%s", joined, i > 0 ? between : "", quote,
                              list->items[i], quote);
    return joined;
}

static const char *why_undecided(struct arena *arena, const struct intent_trial *trial)
{
    if (trial->reason == EXPLORE_STATES && trial->states > 0)
        return arena_printf(arena, "no violation in %s",
                            count_words(arena, trial->states, "state"));
    if (trial->reason == EXPLORE_TIME && trial->states > 0)
        return "no violation in time, --trial DURATION gives more";
    return explore_reason_text(trial->reason);
}

static const char *how_violated(struct arena *arena, const struct intent_trial *trial)
{
    return arena_printf(arena, "violated %sin %s without %s, see %s",
                        trial->violation->race ? "by a race " : "",
                        count_words(arena, trial->violation->step_count, "step"),
                        join(arena, &trial->lifts, " and ", "\""), trial->command);
}

/* The last option is what a trial has more than the one before it. */
static const char *addition(const struct intent_trial *trial)
{
    return trial->options.items[trial->options.count - 1];
}

static const char *lead(const struct intent_trial *trial)
{
    switch (trial->verdict) {
    case VERDICT_HOLDS: return "also";
    case VERDICT_VIOLATED: return "not";
    default: return "not decided";
    }
}

static const char *remark(struct arena *arena, const struct intent_trial *trial)
{
    switch (trial->verdict) {
    case VERDICT_HOLDS: return "";
    case VERDICT_VIOLATED: return arena_printf(arena, " (%s)", how_violated(arena, trial));
    default: return arena_printf(arena, " (%s)", why_undecided(arena, trial));
    }
}

static const char *one_trial(struct arena *arena, const struct intent_trial *trial)
{
    return arena_printf(arena, "%s under %s%s", lead(trial), join(arena, &trial->options, " ", ""),
                        remark(arena, trial));
}

/* The second one has the same options, and clocks. */
static const char *two_trials(struct arena *arena, const struct intent_trial *first,
                              const struct intent_trial *second)
{
    const char *last = remark(arena, second);
    if (second->verdict == VERDICT_VIOLATED)
        return arena_printf(arena, "%s; %s", one_trial(arena, first), one_trial(arena, second));
    if (first->verdict == second->verdict && strcmp(remark(arena, first), last) == 0)
        return arena_printf(
            arena, "%s under %s, %s with %s%s", lead(first), join(arena, &first->options, " ", ""),
            first->verdict == VERDICT_HOLDS ? "and" : "nor", addition(second), last);
    return arena_printf(arena, "%s; %s with %s%s", one_trial(arena, first), lead(second),
                        addition(second), last);
}

const char *report_trial_line(struct arena *arena, const struct report *report, uint32_t intent)
{
    const struct intent_trials *trials = report->trials ? &report->trials[intent] : NULL;
    if (!trials || trials->count == 0)
        return NULL;
    return trials->count == 1 ? one_trial(arena, &trials->items[0])
                              : two_trials(arena, &trials->items[0], &trials->items[1]);
}

struct string_list report_trial_lines(struct arena *arena, const struct report *report)
{
    VEC(const char *) lines = {0};
    for (uint32_t i = 0; i < report->found->result_count; i++) {
        const char *line = report_trial_line(arena, report, i);
        if (line)
            VEC_PUSH(arena, &lines,
                     arena_printf(arena, "%s: %s",
                                  report_intent_label(arena, report->found->results[i].intent),
                                  line));
    }
    return (struct string_list){lines.items, lines.count};
}

const struct intent_trial *report_violated_trial(const struct report *report, uint32_t intent)
{
    for (uint32_t t = 0; report->trials && t < report->trials[intent].count; t++)
        if (report->trials[intent].items[t].verdict == VERDICT_VIOLATED)
            return &report->trials[intent].items[t];
    return NULL;
}

struct report report_of_trial(const struct report *report, const struct intent_trial *trial)
{
    struct report of_trial = *report;
    of_trial.scope = trial->scope;
    of_trial.found = trial->found;
    of_trial.trials = NULL;
    return of_trial;
}
