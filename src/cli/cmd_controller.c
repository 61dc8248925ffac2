/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom controller`: does a controller always bring the cluster to its desired state? */
#include "base/clock.h"
#include "base/saturating.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/limit_options.h"
#include "cli/plugin_ward.h"
#include "cli/progress_line.h"
#include "reconcile/front/plugin_guard.h"
#include "reconcile/plans.h"

#include <stdlib.h>

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

static void read_settings(struct session *session, struct progress_line *line,
                          struct plan_settings *settings, struct problems *problems)
{
    const struct options *options = &session->options;
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
    const struct run_limits limits = limits_read(options, problems);
    limits_keep_memory(session, &limits);
    if (limits.time_most_ms != UINT64_MAX)
        plugin_guard_until(saturating_add(
            clock_now_ns(), saturating_multiply((int64_t)limits.time_most_ms, 1000000)));
    settings->controller_timeout_ns =
        limit_read_duration("--controller-timeout", options->controller_timeout, problems);
    settings->how = (struct judge_options){
        .threads = limits.threads,
        .states_most = limits.states_most,
        .time_most_ms = limits.time_most_ms,
        .slices = true,
        .interrupted = interrupt_listen(),
    };
    if (options->grow && options->matrix)
        problem_error(problems, (struct place){0}, "--grow", "expected --grow or --matrix");
    if (progress_is_wanted(session, problems)) {
        settings->how.progress = progress_line_search;
        settings->how.progress_context = line;
    }
    if (problems->errors == 0 && session->line.operands.count == 0)
        problem_error(problems, (struct place){0}, NULL, "%s",
                      input_controller_checks.nothing_given);
}

/* --- The command --- */

struct checks {
    struct controller_check *items;
    uint32_t count;
};

/* --machines-only: a check from somewhere else must not start anything. */
static bool may_open(const struct session *session, const struct value *root,
                     struct problems *problems)
{
    static const char *const programs[] = {"plugin", "command"};
    const struct value *controller = value_find(value_find(root, "spec"), "controller");
    const uint32_t before = problems->errors;
    for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
        if (session->options.machines_only && value_find(controller, programs[i]))
            problem_error(problems, value_place(value_find(controller, programs[i])),
                          "spec.controller", "expected a machine (--machines-only), found a %s",
                          programs[i]);
    return problems->errors == before;
}

static struct checks read_checks(struct session *session, const struct plan_settings *settings,
                                 const struct input *input, struct problems *problems)
{
    struct checks checks = {
        ARENA_ARRAY(&session->arena, struct controller_check, input->units.count + 1),
        input->units.count,
    };
    for (uint32_t i = 0; i < checks.count; i++) {
        checks.items[i] = (struct controller_check){.opened = false};
        if (may_open(session, input->units.items[i].root, problems))
            controller_check_read(&session->arena, input->units.items[i].root,
                                  settings->controller_timeout_ns, &checks.items[i], problems);
    }
    return checks;
}

static int run_checks(struct session *session, const struct checks *checks,
                      struct plan_settings *settings, struct progress_line *line,
                      struct problems *problems)
{
    struct controller_reports reports = {0};
    for (uint32_t i = 0; i < checks->count && problems->errors == 0; i++) {
        plan_run(&session->arena, settings, &checks->items[i], &reports, problems);
        progress_line_end(line);
    }
    if (problems->errors > 0)
        return EXIT_INPUT;
    return session_report(session, RESULT_CONTROLLER, &reports,
                          controller_reports_verdict(&reports));
}

int cmd_controller(struct session *session)
{
    struct progress_line line = {.to_terminal = progress_to_terminal()};
    struct plan_settings settings;
    struct input input;
    struct problems problems;
    problems_init(&problems, &session->arena);
    read_settings(session, &line, &settings, &problems);
    if (problems.errors > 0)
        return session_refuse(session, &problems);
    session_read(session, &input_controller_checks, &input);
    session_problems(session, &input_controller_checks, &input, &problems);
    plugin_ward_start(&input);
    const struct checks checks = read_checks(session, &settings, &input, &problems);
    const int code = problems.errors == 0
                         ? run_checks(session, &checks, &settings, &line, &problems)
                         : EXIT_INPUT;
    session_complain(session, &problems);
    for (uint32_t i = 0; i < checks.count; i++)
        controller_check_release(&checks.items[i]);
    return code;
}
