/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom verify`: do the intents hold, whatever happens in whatever order?
 *
 * cmd_verify at the end is the map of the data's way, a call for each stage.
 */
#include "base/blame.h"
#include "base/clock.h"
#include "cli/checkpoint_file.h"
#include "cli/cmd_learn_scale.h"
#include "cli/dispatch_print.h"
#include "cli/exceptions.h"
#include "cli/fix_settings.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/joined_shards.h"
#include "cli/kubernetes_features.h"
#include "cli/phases_text.h"
#include "cli/session_ranks.h"
#include "cli/shard_run.h"
#include "cli/verify_one.h"
#include "cli/verify_questions.h"
#include "cli/verify_trial.h"
#include "decide/dropped_fields.h"
#include "expression/expression.h"
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
    if (!exceptions_accept_options(session))
        return false;
    if (options->setup && !session_needs(session, RESULT_VERIFICATION, NEEDS_A_SETUP)) {
        session_say(session, "--setup: verify looks at all setups; only -o dot draws one of them");
        return false;
    }
    if (options->learn_scale && (options->checkpoint || options->resume)) {
        session_say(session, "--learn-scale: its runs cannot be interrupted and gone on with");
        return false;
    }
    return shard_accepts_options(session) && ranks_accept_options(session);
}

/* The rules of each Check, with warnings for fields that they do not know. False, after problems of
 * the input, if a version is not known. */
static bool settle_rules(struct session *session, struct input *input,
                         struct verify_settings *settings)
{
    settings->rules = kubernetes_rules_settle(&session->arena, &session->options, input,
                                              &settings->run.population.features);
    for (uint32_t i = 0; settings->rules && i < input->units.count; i++)
        dropped_fields_warn(&settings->rules[i].features, &input->units.items[i].objects,
                            &input->units.items[i].problems);
    return settings->rules != NULL;
}

/* ---- the run ---- */

/* False, after a complaint, if what the shards found out is not what is asked here. */
static bool join_fits(const struct session *session, const struct verify_settings *settings,
                      uint32_t count)
{
    const struct joined_shards *joined = session->joined;
    if (joined && settings->run.exhaustive && !joined->first->identity.exhaustive) {
        session_say(session, "-o: this format needs the verdicts of all setups: give --all to the "
                             "shards");
        return false;
    }
    if (joined && joined->check_count != count) {
        session_say(session, "the shards are of %u Checks, and there are %u", joined->check_count,
                    count);
        return false;
    }
    return true;
}

/* False, after a complaint, if there is a checkpoint that cannot be gone on with, or if there are
 * shards that do not fit. */
static bool verify_all(struct session *session, const struct verify_settings *settings,
                       const struct verify_plan *plans, uint32_t count, struct verify_report *found)
{
    struct verify_options options = settings->run;
    struct checkpoint_file checkpoint;
    bool ended_early = false;
    bool unfit = false;
    if (!join_fits(session, settings, count) ||
        !checkpoint_file_open(session, plans, count, options.exhaustive, &checkpoint))
        return false;
    if (checkpoint.reader)
        bug_blame(session->options.resume);
    options.checkpoint = checkpoint.writer;
    options.resume = checkpoint.reader;
    for (uint32_t i = 0; i < count; i++) {
        const struct verify_settings own = verify_settings_of(settings, i);
        options.unit = i;
        options.population = own.run.population;
        options.known = session->joined ? &session->joined->checks[i] : NULL;
        verify_one(session, &own, &plans[i], &options, &found[i]);
        ended_early |= verify_ended_early(&found[i]);
        unfit |= found[i].ended_by == EXPLORE_UNRESUMED;
    }
    checkpoint_file_close(session, &checkpoint, ended_early && !unfit);
    if (unfit && session->joined)
        session_say(session, "the shards are of another number of setups");
    else if (unfit)
        session_say(session, "--resume: %s: is damaged", session->options.resume);
    for (uint32_t i = 0; unfit && i < count; i++)
        verify_release(&found[i]);
    return !unfit;
}

/* An expression that takes too many steps in some state says nothing: the input is wrong. False
 * after a complaint. */
static bool costs_are_bearable(struct session *session, struct verify_report *found, uint32_t count)
{
    bool bearable = true;
    for (uint32_t c = 0; c < count; c++) {
        if (found[c].ended_by == EXPLORE_COSTLY) {
            session_say(session, "%s", explore_reason_text(EXPLORE_COSTLY));
            bearable = false;
        }
        for (uint32_t i = 0; i < found[c].result_count; i++) {
            const struct verify_result *result = &found[c].results[i];
            if (result->values.count != 1 ||
                !expression_says_too_costly(result->values.items[0].value))
                continue;
            session_say(session, "%s: the expression costs too much: %s in a state",
                        report_intent_label(&session->arena, result->intent),
                        result->values.items[0].value);
            bearable = false;
        }
    }
    for (uint32_t c = 0; !bearable && c < count; c++)
        verify_release(&found[c]);
    return bearable;
}

/* ---- the report ---- */

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

/* --fix: the violated Checks are repaired, once their verdicts are known. NULL: nobody asked. */
static struct repair *fix_all(struct session *session, const struct verify_settings *settings,
                              const struct verify_plan *plans, uint32_t count,
                              const struct verify_report *found, struct reports *reports)
{
    struct problems problems;
    struct repair_options options;
    if (!session->options.fix)
        return NULL;
    struct repair *repairs = ARENA_ARRAY(&session->arena, struct repair, count + 1);
    problems_init(&problems, &session->arena);
    fix_settings_read(session, &options, &problems);
    for (uint32_t i = 0; i < count; i++) {
        const struct verify_settings own = verify_settings_of(settings, i);
        if (verify_verdict(&found[i]) != VERDICT_VIOLATED)
            continue;
        fix_plan(session, &own, &options, &plans[i], &repairs[i]);
        reports->items[i].repair = &repairs[i];
    }
    return repairs;
}

/* ---- the command ---- */

int cmd_verify(struct session *session)
{
    struct verify_settings settings;
    struct input input;
    ranks_settle_options(session);
    if (!read_settings(session, &settings))
        return EXIT_INPUT;
    if (session->options.learn_scale)
        return cmd_learn_scale(session, &settings);

    /* files -> objects */
    bool good = session_read(session, &input_checks, &input);
    const uint32_t count = input.units.count;
    good = settle_rules(session, &input, &settings) && good;
    if (good && !ranks_accept_input(session, verify_asks_questions(session, &input)))
        return EXIT_INPUT;
    if (good && verify_asks_questions(session, &input)) {
        const struct verify_settings own = verify_settings_of(&settings, 0);
        return verify_questions(session, &own, &input);
    }
    struct verify_plan *plans = ARENA_ARRAY(&session->arena, struct verify_plan, count + 1);
    struct verify_report *found = ARENA_ARRAY(&session->arena, struct verify_report, count + 1);
    /* objects -> scopes and intents */
    good = verify_plans_make(&session->arena, &input, &settings.scope, plans) && good;
    if (!session_accepts(session, &input_checks, &input) || !good)
        return EXIT_INPUT;
    if (!ranks_accept_plans(session, plans, count))
        return EXIT_INPUT;
    if (session->dispatch)
        return dispatch_print(session, &input, plans, count, settings.run.exhaustive);
    if (settings.run.shard.count > 0)
        return shard_run(session, &settings, plans, count);
    /* scopes -> setups -> verdicts and counterexamples */
    settings.run.interrupted = interrupt_listen();
    if (session->options.stats)
        settings.run.phases = phases_new(&session->arena);
    if (ranks_serve(session, &settings, plans))
        return EXIT_HOLDS;
    if (!verify_all(session, &settings, plans, count, found) ||
        !costs_are_bearable(session, found, count))
        return EXIT_INPUT;
    const uint64_t peak_bytes = clock_peak_bytes();
    if (settings.run.phases)
        phases_print(settings.run.phases);
    /* verdicts -> what holds is tried once more, when all is decided: nobody loses a verdict who
     * interrupts this */
    struct trials *trials = verify_trials(session, &settings, plans, count, found);
    /* verdicts and trials -> reports */
    struct reports reports =
        verify_reports(session, &settings, plans, count, found, trials, peak_bytes);
    struct repair *repairs = fix_all(session, &settings, plans, count, found, &reports);
    const int code =
        strict_code(session, &reports, plans, exceptions_report(session, &input, &reports));
    for (uint32_t i = 0; i < count; i++)
        verify_release(&found[i]);
    verify_trials_release(trials, count);
    for (uint32_t i = 0; repairs && i < count; i++)
        repair_release(&repairs[i]);
    return code;
}
