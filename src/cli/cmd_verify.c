/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom verify`: do the intents hold, whatever happens in whatever order?
 *
 * cmd_verify at the end is the map of the data's way, a call for each stage.
 */
#include "base/clock.h"
#include "base/limit.h"
#include "cli/checkpoint_file.h"
#include "cli/cmd_learn_scale.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/limit_options.h"
#include "cli/progress_line.h"
#include "cli/verify_again.h"
#include "cli/verify_trial.h"
#include "cli/version.h"
#include "report/report.h"

#include <string.h>

/* ---- the command line ---- */

/* False, after complaints, if it makes no sense. */
static bool read_settings(struct session *session, struct verify_settings *settings)
{
    const struct options *options = &session->options;
    struct problems problems;
    problems_init(&problems, &session->arena);
    if (!verify_settings_read(session, settings, &problems)) {
        session_refuse(session, &problems);
        return false;
    }
    if (options->setup && !session_needs(session, RESULT_VERIFICATION, NEEDS_A_SETUP)) {
        session_say(session, "--setup: verify looks at all setups; only -o dot draws one of them");
        return false;
    }
    if (options->learn_scale && (options->checkpoint || options->resume)) {
        session_say(session, "--learn-scale: its runs cannot be interrupted and gone on with");
        return false;
    }
    return true;
}

/* ---- the run ---- */

static void verify_one(struct session *session, const struct verify_plan *plan,
                       const struct verify_settings *settings, struct verify_options *options,
                       struct verify_report *found)
{
    struct progress_line line = {
        .to_terminal = progress_to_terminal(),
        .always = strcmp(session->options.progress, "always") == 0,
        .plan = plan,
    };
    struct verify_options with_progress = *options;
    if (settings->tells_progress) {
        with_progress.progress = progress_line_show;
        with_progress.part_progress = progress_line_part;
        with_progress.progress_context = &line;
    }
    verify_run(&session->arena, &session->memory, &plan->scope, plan->intents.items,
               plan->intents.count, &with_progress, found);
    progress_line_end(&line);
    /* The limits are of the whole run, so the next Check gets what is left. */
    limit_spend(&options->time_most_ms, (uint64_t)(found->seconds * 1000));
    limit_spend(&options->states_most, found->states);
}

/* False, after a complaint, if there is a checkpoint that cannot be gone on with. */
static bool verify_all(struct session *session, const struct verify_settings *settings,
                       const struct verify_plan *plans, uint32_t count, struct verify_report *found)
{
    struct verify_options options = settings->run;
    struct checkpoint_file checkpoint;
    bool ended_early = false;
    if (!checkpoint_file_open(session, plans, count, options.exhaustive, &checkpoint))
        return false;
    options.checkpoint = checkpoint.writer;
    options.resume = checkpoint.reader;
    for (uint32_t i = 0; i < count; i++) {
        options.unit = i;
        verify_one(session, &plans[i], settings, &options, &found[i]);
        ended_early |= verify_ended_early(&found[i]);
    }
    checkpoint_file_close(session, &checkpoint, ended_early);
    return true;
}

/* ---- the report ---- */

static struct reports make_reports(struct session *session, const struct verify_settings *settings,
                                   const struct verify_plan *plans, uint32_t count,
                                   const struct verify_report *found, const struct trials *trials,
                                   uint64_t peak_bytes)
{
    struct arena *arena = &session->arena;
    const bool names_input = session_needs(session, RESULT_VERIFICATION, NEEDS_INPUT);
    struct reports reports = {
        .heatmap = session->options.heatmap,
        .version = FATHOM_VERSION,
        .drawn = session->options.setup,
        .population = &settings->run.population,
    };
    for (uint32_t i = 0; i < count; i++) {
        const struct verify_plan *plan = &plans[i];
        struct report report = {
            .check = plan->unit->name,
            .file = plan->unit->file,
            .scope = &plan->scope,
            .features = settings->run.population.features,
            .found = &found[i],
            .trials = trials[i].intents,
            .assumptions = {plan->assumptions.items, plan->assumptions.count},
            .idle = verify_idle(arena, plan, &found[i]),
            .premises = verify_premises(arena, plan, &settings->run.population, &found[i]),
            .warnings = problems_warnings(arena, &plan->unit->problems),
            .limits = limits_reached(session, found[i].ended_by),
            .peak_bytes = peak_bytes,
        };
        if (names_input)
            report.input = verify_again_describe(session, plan, i);
        VEC_PUSH(arena, &reports, report);
    }
    return reports;
}

/* With --strict a Check that holds, but in part of nothing, is a wrong one. Nobody asked for the
 * usual intents, so of these it is only said. */
static int strict_code(struct session *session, const struct reports *reports,
                       const struct verify_plan *plans, int code)
{
    if (!session->options.strict || code != EXIT_HOLDS)
        return code;
    for (uint32_t i = 0; i < reports->count; i++) {
        const struct string_list of_nothing =
            report_of_nothing(&session->arena, &reports->items[i]);
        if (of_nothing.count == 0 || plans[i].usual)
            continue;
        session_say(session, "--strict: %s holds of nothing: %s", reports->items[i].check,
                    of_nothing.items[0]);
        code = EXIT_INPUT;
    }
    return code;
}

/* ---- the command ---- */

int cmd_verify(struct session *session)
{
    struct verify_settings settings;
    struct input input;
    if (!read_settings(session, &settings))
        return EXIT_INPUT;
    if (session->options.learn_scale)
        return cmd_learn_scale(session, &settings);

    /* files -> objects */
    bool good = session_read(session, &input_checks, &input);
    const uint32_t count = input.units.count;
    struct verify_plan *plans = ARENA_ARRAY(&session->arena, struct verify_plan, count + 1);
    struct verify_report *found = ARENA_ARRAY(&session->arena, struct verify_report, count + 1);
    /* objects -> scopes and intents */
    good = verify_plans_make(&session->arena, &input, &settings.scope, plans) && good;
    if (!session_accepts(session, &input_checks, &input) || !good)
        return EXIT_INPUT;
    /* scopes -> setups -> verdicts and counterexamples */
    settings.run.interrupted = interrupt_listen();
    if (!verify_all(session, &settings, plans, count, found))
        return EXIT_INPUT;
    const uint64_t peak_bytes = clock_peak_bytes();
    /* verdicts -> what holds is tried once more, when all is decided: nobody loses a verdict who
     * interrupts this */
    struct trials *trials = verify_trials(session, &settings, plans, count, found);
    /* verdicts and trials -> reports */
    const struct reports reports =
        make_reports(session, &settings, plans, count, found, trials, peak_bytes);
    const int code = strict_code(
        session, &reports, plans,
        session_report(session, RESULT_VERIFICATION, &reports, reports_verdict(&reports)));
    for (uint32_t i = 0; i < count; i++)
        verify_release(&found[i]);
    verify_trials_release(trials, count);
    return code;
}
