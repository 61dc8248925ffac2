/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom verify`: do the intents hold, whatever happens in whatever order? */
#include "base/clock.h"
#include "cli/checkpoint_file.h"
#include "cli/draw_states.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/learn_scale.h"
#include "cli/progress_line.h"
#include "cli/verify_again.h"
#include "cli/version.h"
#include "cluster/intent/intent.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One Check on its way to a report. */
struct verification {
    struct verify_plan plan;
    struct progress_line line;
    struct verify_report found;
};

/* ---- the run ---- */

static void run(struct session *session, const struct verify_settings *settings,
                struct verify_options *options, struct verification *verification)
{
    struct progress_line *line = &verification->line;
    line->to_terminal = settings->to_terminal;
    options->pictures = session_wants(session, "html");
    options->interrupted = interrupt_listen();
    if (settings->tells_progress) {
        options->progress = progress_line_show;
        options->progress_context = line;
    }
    verify_run(&session->arena, &session->memory, &verification->plan.scope,
               verification->plan.intents.items, verification->plan.intents.count, options,
               &verification->found);
    progress_line_end(line);
    /* The limits are of the whole run, so the next Check gets what is left. */
    const uint64_t passed_ms = (uint64_t)(verification->found.seconds * 1000);
    if (options->time_most_ms != UINT64_MAX)
        options->time_most_ms -=
            passed_ms < options->time_most_ms ? passed_ms : options->time_most_ms;
    if (options->states_most != UINT64_MAX)
        options->states_most -= verification->found.states < options->states_most
                                    ? verification->found.states
                                    : options->states_most;
}

/* ---- the report ---- */

static struct string_list list_of_warnings(struct session *session, const struct problems *problems)
{
    VEC(const char *) warnings = {0};
    for (uint32_t i = 0; i < problems->count; i++)
        if (problems->items[i].kind == PROBLEM_WARNING)
            VEC_PUSH(&session->arena, &warnings,
                     problem_format(&session->arena, &problems->items[i]));
    return (struct string_list){warnings.items, warnings.count};
}

static struct string_list list_of_limits(struct session *session,
                                         const struct verification *verification)
{
    const struct options *options = &session->options;
    const struct verify_report *found = &verification->found;
    if (found->ended_by == EXPLORE_DECIDED)
        return (struct string_list){0};
    const char **item = ARENA_NEW(&session->arena, const char *);
    const char *value = "";
    if (found->ended_by == EXPLORE_TIME && options->timeout)
        value = arena_printf(&session->arena, " (--timeout %s)", options->timeout);
    else if (found->ended_by == EXPLORE_STATES && options->max_states)
        value = arena_printf(&session->arena, " (--max-states %" PRIu64 ")", options->max_states);
    else if (found->ended_by == EXPLORE_MEMORY && options->memory)
        value = arena_printf(&session->arena, " (--memory %s)", options->memory);
    *item = arena_printf(&session->arena, "%s%s", explore_reason_text(found->ended_by), value);
    return (struct string_list){item, 1};
}

/* What the verdict of this intent relies on; NULL: nothing, or an intent before it said so. */
static const char *premise_of(const struct verify_plan *plan, uint32_t number)
{
    const char *premise = intent_class_of(&plan->intents.items[number])->premise;
    for (uint32_t i = 0; premise && i < number; i++)
        if (intent_class_of(&plan->intents.items[i])->premise == premise)
            return NULL;
    return premise;
}

static struct string_list list_of_premises(struct session *session,
                                           const struct verify_settings *settings,
                                           const struct verification *verification)
{
    VEC(const char *) premises = {0};
    bool periodic = false;
    for (uint32_t w = 0; w < verification->plan.scope.workload_count; w++)
        periodic |= verification->plan.scope.workloads[w].autoscaler != NULL;
    const struct check *check = verification->plan.scope.check;
    periodic |= check && check->controllers.descheduler;
    if (periodic && !settings->run.population.full_interleaving)
        VEC_PUSH(&session->arena, &premises,
                 "settle-first: periodic controllers (autoscaler, descheduler) act once the others "
                 "have come to rest (--interleaving full lifts this)");
    const char *late = population_settles_late(&session->arena, &verification->plan.scope);
    if (late && !settings->run.population.full_interleaving)
        VEC_PUSH(&session->arena, &premises, late);
    const char *more = population_scores_more(&verification->plan.scope);
    if (more)
        VEC_PUSH(&session->arena, &premises, more);
    if (verification->plan.scope.time == TIME_CLOCKED)
        VEC_PUSH(&session->arena, &premises,
                 "clocked: periods and delays are as configured; binding, pulling images and "
                 "stopping take no time, and pods that begin together become ready together");
    for (uint32_t i = 0; i < verification->plan.intents.count; i++) {
        const char *premise = premise_of(&verification->plan, i);
        if (premise)
            VEC_PUSH(&session->arena, &premises, premise);
    }
    VEC_PUSH(
        &session->arena, &premises,
        arena_printf(&session->arena, "Kubernetes 1.%d", settings->run.population.features.minor));
    return (struct string_list){premises.items, premises.count};
}

static struct report make_report(struct session *session, const struct verify_settings *settings,
                                 const struct verification *verification, uint32_t unit)
{
    struct report report = {
        .check = verification->plan.unit->name,
        .file = verification->plan.unit->file,
        .scope = &verification->plan.scope,
        .features = settings->run.population.features,
        .found = &verification->found,
        .assumptions = {verification->plan.assumptions.items, verification->plan.assumptions.count},
        .premises = list_of_premises(session, settings, verification),
        .warnings = list_of_warnings(session, &verification->plan.unit->problems),
        .limits = list_of_limits(session, verification),
        .peak_bytes = clock_peak_bytes(),
    };
    if (session_wants(session, "json"))
        report.input = verify_again_describe(session, &verification->plan, unit);
    return report;
}

static void render_text(struct session *session, const struct reports *reports, struct text *text)
{
    for (uint32_t i = 0; i < reports->count; i++) {
        if (i > 0)
            text_append_string(text, "\n\n");
        report_write_text(&session->arena, &reports->items[i], session->options.verbose, text);
        if (session->options.heatmap)
            report_write_heatmap(&session->arena, &reports->items[i], text);
    }
}

struct answer {
    const struct reports *reports;
    const char *graphs; /* of -o dot */
};

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    const struct reports *reports = ((const struct answer *)answer)->reports;
    if (strcmp(format, "dot") == 0)
        text_append_string(text, ((const struct answer *)answer)->graphs);
    else if (strcmp(format, "json") == 0)
        report_write_json(&session->arena, reports, text);
    else if (strcmp(format, "html") == 0)
        report_write_html(&session->arena, reports, text);
    else if (strcmp(format, "junit") == 0)
        report_write_junit(&session->arena, reports, text);
    else if (strcmp(format, "sarif") == 0)
        report_write_sarif(&session->arena, reports, FATHOM_VERSION, text);
    else if (strcmp(format, "svg") == 0)
        report_write_svg(&session->arena, reports, text);
    else
        render_text(session, reports, text);
}

static int exit_code_of(const struct reports *reports)
{
    int code = EXIT_HOLDS;
    for (uint32_t i = 0; i < reports->count; i++) {
        const enum verdict verdict = verify_verdict(reports->items[i].found);
        if (verdict == VERDICT_VIOLATED)
            return EXIT_VIOLATED;
        if (verdict != VERDICT_HOLDS)
            code = EXIT_UNDECIDED;
    }
    return code;
}

/* ---- the command ---- */

static int verify_all(struct session *session, const struct verify_settings *settings,
                      struct verification *verifications, uint32_t count)
{
    struct reports reports = {0};
    struct verify_options options = settings->run;
    struct checkpoint_file checkpoint;
    const struct verify_plan **plans =
        ARENA_ARRAY(&session->arena, const struct verify_plan *, count + 1);
    bool ended_early = false;
    for (uint32_t i = 0; i < count; i++)
        plans[i] = &verifications[i].plan;
    if (!checkpoint_file_open(session, plans, count, options.exhaustive, &checkpoint))
        return EXIT_INPUT;
    options.checkpoint = checkpoint.writer;
    options.resume = checkpoint.reader;
    for (uint32_t i = 0; i < count; i++) {
        options.unit = i;
        run(session, settings, &options, &verifications[i]);
        ended_early |= verify_ended_early(&verifications[i].found);
        VEC_PUSH(&session->arena, &reports, make_report(session, settings, &verifications[i], i));
    }
    checkpoint_file_close(session, &checkpoint, ended_early);
    struct text graphs;
    text_init(&graphs, &session->memory);
    bool written = true;
    for (uint32_t i = 0; session_wants(session, "dot") && written && i < count; i++)
        written = draw_states(session, settings, &verifications[i].plan, &verifications[i].found,
                              &graphs);
    const struct answer answer = {&reports, text_content(&graphs)};
    written = written && session_answer(session, render, &answer);
    text_release(&graphs);
    const int code = exit_code_of(&reports);
    for (uint32_t i = 0; i < count; i++)
        verify_release(&verifications[i].found);
    return written ? code : EXIT_INPUT;
}

int cmd_verify(struct session *session)
{
    struct verify_settings settings;
    struct verify_input input;
    struct problems problems;
    problems_init(&problems, &session->arena);
    if (!verify_settings_read(session, &settings, &problems)) {
        session_complain(session, &problems);
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    if (session->options.setup && !session_wants(session, "dot")) {
        session_say(session, "--setup: verify looks at all setups; only -o dot draws one of them");
        return EXIT_INPUT;
    }
    if (session->options.learn_scale && (session->options.checkpoint || session->options.resume)) {
        session_say(session, "--learn-scale: its runs cannot be interrupted and gone on with");
        return EXIT_INPUT;
    }
    if (session->options.learn_scale)
        return learn_scale(session, &settings, session->options.learn_scale);
    bool good = verify_input_read(session, &input);
    struct verification *verifications =
        ARENA_ARRAY(&session->arena, struct verification, input.units.count + 1);
    for (uint32_t i = 0; i < input.units.count; i++) {
        verifications[i].plan.unit = &input.units.items[i];
        /* What is wrong with the objects would only be said in other words. */
        if (input.units.items[i].problems.errors == 0)
            good = verify_plan_make(session, &settings, &verifications[i].plan) && good;
    }
    verify_input_problems(session, &input, &problems);
    session_complain(session, &problems);
    if (!good || problems.errors > 0)
        return EXIT_INPUT;
    return verify_all(session, &settings, verifications, input.units.count);
}
