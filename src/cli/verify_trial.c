/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify_trial.h"

#include "base/clock.h"
#include "base/limit.h"
#include "cli/progress_line.h"
#include "cli/verify_again.h"

/* Beside as many states as the verification had a small cluster gets what little it needs. A
 * large one gets no more than takes a moment: then the time does not decide what is said. */
enum { STATES_LEAST = 20000, STATES_OF_LARGE = 100000 };

/* ---- limits ---- */

/* What the verifications have left of --timeout and --max-states. */
static struct trial_limits limits_left(const struct verify_settings *settings, uint32_t count,
                                       const struct verify_report *found)
{
    struct trial_limits left = {
        .states_most = settings->run.states_most,
        .time_most_ms = settings->run.time_most_ms,
    };
    for (uint32_t i = 0; i < count; i++) {
        limit_spend(&left.states_most, found[i].states);
        limit_spend(&left.time_most_ms, (uint64_t)(found[i].seconds * 1000));
    }
    if (budget_left_ms(&settings->budget) < left.time_most_ms)
        left.time_most_ms = budget_left_ms(&settings->budget);
    if (settings->trial_ms < left.time_most_ms)
        left.time_most_ms = settings->trial_ms;
    return left;
}

static uint64_t states_to_try(const struct verify_settings *settings,
                              const struct verify_report *found)
{
    if (settings->trial_is_given)
        return UINT64_MAX;
    return STATES_LEAST + (found->states < STATES_OF_LARGE ? found->states : STATES_OF_LARGE);
}

/* ---- one Check ---- */

static void add_commands(struct session *session, const struct verify_plan *plan,
                         struct trials *trials)
{
    for (uint32_t i = 0; trials->intents && i < plan->intents.count; i++)
        for (uint32_t t = 0; t < trials->intents[i].count; t++) {
            struct intent_trial *trial = &trials->intents[i].items[t];
            if (trial->verdict == VERDICT_VIOLATED)
                trial->command =
                    verify_again_command(session, plan, &plan->intents.items[i], &trial->options);
        }
}

/* `share`: how many Checks the time that is left is for. */
static void try_one(struct session *session, const struct verify_settings *settings,
                    const struct verify_plan *plan, const struct verify_report *found,
                    uint32_t share, struct trial_limits *left, struct trials *trials)
{
    struct progress_line line = {.to_terminal = progress_to_terminal(), .trial = true};
    struct verify_options options = settings->run;
    const int64_t started = clock_now_ns();
    struct trial_limits limits = *left;
    limits.states_to_try = states_to_try(settings, found);
    options.search = (struct verify_search_options){0}; /* of what is undecided, not of this */
    if (limits.time_most_ms != UINT64_MAX)
        limits.time_most_ms = (limits.time_most_ms + share - 1) / share;
    if (settings->tells_progress) {
        options.progress = progress_line_show;
        options.progress_context = &line;
    }
    trials_run(&session->arena, &session->memory, plan, &settings->scope, &options, &limits, found,
               trials);
    progress_line_end(&line);
    limit_spend_ns(&left->time_most_ms, clock_now_ns() - started);
    limit_spend(&left->states_most, trials->states);
    add_commands(session, plan, trials);
}

/* ---- all of them ---- */

static bool is_interrupted(const struct verify_settings *settings)
{
    return settings->run.interrupted && atomic_load(settings->run.interrupted);
}

struct trials *verify_trials(struct session *session, const struct verify_settings *settings,
                             const struct verify_plan *plans, uint32_t count,
                             const struct verify_report *found)
{
    struct trials *trials = ARENA_ARRAY(&session->arena, struct trials, count + 1);
    struct trial_limits left = limits_left(settings, count, found);
    uint32_t wanted = 0;
    if (settings->trial_ms == 0 || is_interrupted(settings) ||
        !session_needs(session, RESULT_VERIFICATION, NEEDS_TRIAL))
        return trials;
    for (uint32_t i = 0; i < count; i++) {
        const struct verify_settings own = verify_settings_of(settings, i);
        wanted += trials_wanted(&plans[i], &own.scope, &own.run, &found[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct verify_settings own = verify_settings_of(settings, i);
        if (trials_wanted(&plans[i], &own.scope, &own.run, &found[i]))
            try_one(session, &own, &plans[i], &found[i], wanted--, &left, &trials[i]);
    }
    return trials;
}

void verify_trials_release(struct trials *trials, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        trials_release(&trials[i]);
}
