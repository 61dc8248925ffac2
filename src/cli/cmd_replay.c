/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom replay`: walks through the counterexamples of a report, with the
 * cluster after each step, and says whether the model still allows them. */
#include "base/lines.h"
#include "cli/kubernetes_features.h"
#include "cli/read_again.h"
#include "cli/read_report.h"
#include "recording/follow_folder.h"
#include "report/replay_run.h"
#include "report/report_followed.h"

#include <stdio.h>
#include <unistd.h>

enum { ANSWER_MOST = 4096 };

/* ---- step by step ---- */

static void print(struct text *text)
{
    fputs(text_content(text), stdout);
    fflush(stdout);
    text_reset(text);
}

/* Waits for Enter; false: q, or the input is over. */
static bool wants_more(struct session *session)
{
    struct text line;
    bool too_long;
    text_init(&line, &session->memory);
    fputs("[Enter: next, q: quit] ", stdout);
    fflush(stdout);
    const bool more =
        line_read(stdin, ANSWER_MOST, &line, &too_long) && text_content(&line)[0] != 'q';
    if (!isatty(STDIN_FILENO))
        fputc('\n', stdout);
    text_release(&line);
    return more;
}

static void show_step_by_step(struct session *session, const struct replay_runs *runs)
{
    struct text text;
    bool more = true;
    text_init(&text, &session->memory);
    for (uint32_t i = 0; more && i < runs->count; i++) {
        const struct replay_run *run = &runs->items[i];
        replay_write_heading(run, &text);
        for (uint32_t number = 0; more && run->scale && number <= run->steps_done; number++) {
            replay_write_step(&session->arena, run, number, &text);
            print(&text);
            more = number == run->steps_done || wants_more(session);
        }
        replay_write_end(run, &text);
        if (more)
            print(&text);
    }
    text_release(&text);
}

static bool is_conversation(const struct session *session)
{
    if (session->options.output.count > 0)
        return false;
    return session->options.interactive || (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
}

/* ---- the command ---- */

/* --observed: recorded runs of a real cluster, followed in the model. */
static int replay_recordings(struct session *session)
{
    struct followed_report report = {0};
    struct problems problems;
    problems_init(&problems, &session->arena);
    /* Without an option a recording tells its version, and gates are set in its flags. */
    const struct options *options = &session->options;
    const bool given = options->kubernetes_version != NULL;
    if (!given && options->feature_gates)
        problem_error(&problems, (struct place){0}, "--feature-gates",
                      "expected --kubernetes-version, too: without it the recording tells both");
    const struct features features =
        given ? kubernetes_features_read(options, FEATURES_MINOR_LAST, &problems)
              : (struct features){0};
    const bool good =
        problems.errors == 0 && follow_folder(&session->arena, options->observed,
                                              given ? &features : NULL, &report, &problems);
    session_complain(session, &problems);
    return good ? session_report(session, RESULT_FOLLOWED, &report, followed_verdict(&report))
                : EXIT_INPUT;
}

/* False, after complaints, if the input of the report cannot be read any more. */
static bool run_again(struct session *session, struct replay_run *run)
{
    struct read_again again;
    struct problems problems;
    problems_init(&problems, &session->arena);
    if (!report_read_again(session, run->report, &again))
        return false;
    for (uint32_t i = 0; i < again.changed_files.count; i++)
        VEC_PUSH(&session->arena, &run->changed_files, again.changed_files.items[i]);
    const bool good =
        replay_run(&session->arena, &again.plan, &again.settings.run.population, run, &problems);
    if (!good)
        session_complain(session, &problems);
    return good;
}

static bool replay_reports(struct session *session, const struct told_reports *reports,
                           struct replay_runs *runs)
{
    for (uint32_t r = 0; r < reports->items.count; r++)
        for (uint32_t i = 0; i < reports->items.items[r].violations.count; i++) {
            const struct told_report *report = &reports->items.items[r];
            struct replay_run run = {.report = report, .violation = &report->violations.items[i]};
            if (report->of_controller) {
                session_say(session, "expected a report of `fathom verify`; one of `fathom "
                                     "controller` is told by explain");
                return false;
            }
            if (!run_again(session, &run))
                return false;
            VEC_PUSH(&session->arena, runs, run);
        }
    return true;
}

int cmd_replay(struct session *session)
{
    struct told_reports reports;
    struct replay_runs runs = {0};
    if (session->options.observed && session->line.operands.count == 0)
        return replay_recordings(session);
    if (session->options.observed) {
        session_say(session, "replay: expected a report or --observed, found both");
        return EXIT_INPUT;
    }
    if (session->line.operands.count == 0) {
        session_say(session, "expected a report (REPORT.json), found nothing");
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    if (!session_read_report(session, session->line.operands.items[0], &reports) ||
        !replay_reports(session, &reports, &runs))
        return EXIT_INPUT;
    if (!is_conversation(session))
        return session_report(session, RESULT_REPLAY, &runs, replay_verdict(&runs));
    show_step_by_step(session, &runs);
    return session_exit_code(replay_verdict(&runs));
}
