/* SPDX-License-Identifier: Apache-2.0 */
/* Exploring for a repair, within its limits. */
#include "base/limit.h"
#include "repair/trial_patch.h"

bool patch_trials_over(struct patch_trials *trials)
{
    struct repair *repair = trials->repair;
    const atomic_bool *interrupted = trials->budget.interrupted;
    if (interrupted && atomic_load(interrupted))
        repair->ended_by = EXPLORE_INTERRUPTED;
    else if (budget_is_over(&trials->budget))
        repair->ended_by = EXPLORE_TIME;
    else if (trials->states_left == 0)
        repair->ended_by = EXPLORE_STATES;
    return repair->ended_by != EXPLORE_DECIDED;
}

void patch_trials_verify(struct patch_trials *trials, struct arena *arena,
                         const struct scope *scope, const struct check_intent *intents,
                         uint32_t count, bool first, struct verify_report *report)
{
    struct verify_options run = trials->options->run;
    run.stop_at_first = first;
    run.time_most_ms = budget_left_ms(&trials->budget);
    run.states_most =
        trials->states_left < trials->states_of_one ? trials->states_left : trials->states_of_one;
    verify_run(arena, trials->memory, scope, intents, count, &run, report);
    limit_spend(&trials->states_left, report->states);
}
