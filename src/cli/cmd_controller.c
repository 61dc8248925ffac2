/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom controller`: does a controller always bring the cluster to its desired state? */
#include "base/clock.h"
#include "base/vec.h"
#include "cli/controller_plans.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/limit_options.h"
#include "report/controller_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- The command line --- */

static void read_budget(const char *option, const char *text, struct plan_number *number,
                        struct problems *problems)
{
    enum { BUDGET_MOST = 20 };
    char *end = NULL;
    if (!text)
        return;
    const unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || value > BUDGET_MOST || *text == '-')
        problem_error(problems, (struct place){0}, option,
                      "expected a whole number from 0 to %d, found \"%s\"", BUDGET_MOST, text);
    else
        *number = (struct plan_number){true, (uint32_t)value};
}

static void read_settings(struct session *session, struct plan_settings *settings,
                          struct problems *problems)
{
    const struct options *options = &session->options;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t bytes = 0;
    *settings = (struct plan_settings){
        .grow = options->grow,
        .matrix = options->matrix,
        .status_flap = options->status_flap,
        .timeout_applied = options->timeout_applied,
        .client_async = options->client_async,
        .fuse_schedule = options->fuse_schedule,
        .merge = options->merge,
    };
    read_budget("--crashes", options->crashes, &settings->crashes, problems);
    read_budget("--failures", options->failures, &settings->failures, problems);
    read_budget("--stale-reads", options->stale_reads, &settings->stale_reads, problems);
    limit_read_memory(options->memory, &bytes, problems);
    limit_read_timeout(options->timeout, &settings->how.time_most_ms, problems);
    settings->controller_timeout_ns =
        limit_read_duration("--controller-timeout", options->controller_timeout, problems);
    settings->how.states_most = options->max_states ? options->max_states : UINT64_MAX;
    settings->how.threads =
        options->jobs ? (uint32_t)options->jobs : (uint32_t)(processors > 0 ? processors : 1);
    settings->how.slices = true;
    settings->how.interrupted = interrupt_listen();
    if (options->grow && options->matrix)
        problem_error(problems, (struct place){0}, "--grow", "expected --grow or --matrix");
    const char *progress = options->progress;
    const bool to_terminal = isatty(STDERR_FILENO);
    if (strcmp(progress, "auto") != 0 && strcmp(progress, "always") != 0 &&
        strcmp(progress, "never") != 0)
        problem_error(problems, (struct place){0}, "--progress",
                      "expected auto, always or never, found \"%s\"", progress);
    settings->tells_progress = strcmp(progress, "always") == 0 ||
                               (strcmp(progress, "auto") == 0 && to_terminal && !options->quiet);
    settings->to_terminal = to_terminal;
    if (bytes > 0) {
        session->memory.limit_bytes = bytes;
        session->memory.may_overdraw = true;
    }
}

/* --- Reading --- */

static void read_checks(struct session *session, const struct plan_settings *settings,
                        const struct input *input, struct plan_checks *checks,
                        struct problems *problems)
{
    for (uint32_t i = 0; i < input->units.count; i++) {
        struct controller_check *check = ARENA_NEW(&session->arena, struct controller_check);
        controller_check_read(&session->arena, input->units.items[i].root,
                              settings->controller_timeout_ns, check, problems);
        VEC_PUSH(&session->arena, checks, check);
    }
}

/* --- Answering --- */

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    const struct controller_reports *reports = answer;
    if (strcmp(format, "json") == 0)
        controller_write_json(&session->arena, reports, text);
    else if (strcmp(format, "junit") == 0)
        controller_write_junit(&session->arena, reports, text);
    else
        controller_write_text(&session->arena, reports, session->options.verbose, text);
}

static int answer(struct session *session, const struct plan_checks *checks,
                  struct plan_settings *settings, struct problems *problems)
{
    struct controller_reports reports = {0};
    for (uint32_t i = 0; i < checks->count && problems->errors == 0; i++)
        plan_run(session, settings, checks->items[i], &reports, problems);
    if (problems->errors > 0)
        return EXIT_INPUT;
    if (!session_answer(session, render, &reports))
        return EXIT_INPUT;
    switch (controller_reports_verdict(&reports)) {
    case VERDICT_VIOLATED: return EXIT_VIOLATED;
    case VERDICT_HOLDS: return EXIT_HOLDS;
    default: return EXIT_UNDECIDED;
    }
}

int cmd_controller(struct session *session)
{
    struct plan_settings settings;
    struct input input;
    struct plan_checks checks = {0};
    struct problems problems;
    problems_init(&problems, &session->arena);
    read_settings(session, &settings, &problems);
    if (problems.errors == 0 && session->line.operands.count == 0)
        problem_error(&problems, (struct place){0}, NULL, "%s",
                      input_controller_checks.nothing_given);
    if (problems.errors > 0) {
        session_complain(session, &problems);
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    session_read(session, &input_controller_checks, &input);
    session_problems(session, &input_controller_checks, &input, &problems);
    read_checks(session, &settings, &input, &checks, &problems);
    int code = EXIT_INPUT;
    if (problems.errors == 0)
        code = answer(session, &checks, &settings, &problems);
    session_complain(session, &problems);
    for (uint32_t i = 0; i < checks.count; i++)
        controller_check_release(checks.items[i]);
    return code;
}
