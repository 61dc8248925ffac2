/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom replay`: walks through the counterexamples of a report, with the
 * cluster after each step, and says whether the model still allows them. */
#include "cli/replay_observed.h"
#include "cli/replay_run.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct replays {
    struct replay_run *items;
    uint32_t count;
    uint32_t capacity;
};

/* ---- text ---- */

static void write_heading(const struct replay_run *run, struct text *text)
{
    text_printf(text, "Check %s: %s is violated: %s\n", run->report->check, run->violation->label,
                report_intent_violated(run->violation->kind));
    if (run->scale)
        text_printf(text, "  with %s\n", run->scale);
    for (uint32_t i = 0; i < run->changed_files.count; i++)
        text_printf(text, "  %s has changed since the report was written\n",
                    run->changed_files.items[i]);
    text_append_char(text, '\n');
}

/* Step 0 is the beginning. */
static void write_step(struct arena *arena, const struct replay_run *run, uint32_t number,
                       struct text *text)
{
    const struct told_violation *violation = run->violation;
    if (number == 0) {
        text_append_string(text, "   0. the beginning\n");
    } else {
        const struct told_step *step = &violation->steps.items[number - 1];
        if (violation->loops && !violation->rests && number == violation->loop_from + 1)
            text_append_string(text, "      from here it repeats for ever:\n");
        text_printf(text, "%4u. %s%s\n", number, step->outside ? "event: " : "", step->detail);
        for (uint32_t i = 0; i < step->why.count; i++)
            text_printf(text, "          %s\n", step->why.items[i]);
    }
    report_write_picture(arena, &run->pictures[number], "        ", text);
}

static void write_end(const struct replay_run *run, struct text *text)
{
    const struct told_violation *violation = run->violation;
    if (!run->flaw && violation->loops && violation->rests)
        text_append_string(text,
                           "      and there it stays: no controller does anything any more\n");
    else if (!run->flaw && violation->loops)
        text_printf(text, "      and again from step %u\n", violation->loop_from + 1);
    if (!run->flaw) {
        text_printf(text, "\nIt stands: the model allows this run, and it violates %s\n",
                    violation->label);
        return;
    }
    text_printf(text, "\nIt does not stand any more: %s\n", run->flaw);
    if (run->steps_done < violation->steps.count && run->instead.count > 0) {
        text_printf(text, "  step %u was: %s\n  what may come there now:\n", run->steps_done + 1,
                    violation->steps.items[run->steps_done].detail);
        for (uint32_t i = 0; i < run->instead.count; i++)
            text_printf(text, "    %s\n", run->instead.items[i]);
    }
    text_append_string(text, "  That says nothing about the intent: verify again\n");
}

static void write_text(struct arena *arena, const struct replay_run *run, struct text *text)
{
    write_heading(run, text);
    for (uint32_t number = 0; run->scale && number <= run->steps_done; number++)
        write_step(arena, run, number, text);
    write_end(run, text);
}

/* ---- JSON ---- */

static void write_json(const struct replay_run *run, struct json_out *json)
{
    json_object_begin(json, NULL);
    json_string(json, "check", run->report->check);
    json_string(json, "intent", run->violation->label);
    json_boolean(json, "stands", !run->flaw);
    json_string(json, "flaw", run->flaw);
    json_array_begin(json, "changedFiles");
    for (uint32_t i = 0; i < run->changed_files.count; i++)
        json_string(json, NULL, run->changed_files.items[i]);
    json_array_end(json);
    json_array_begin(json, "steps");
    for (uint32_t number = 0; run->scale && number <= run->steps_done; number++) {
        json_object_begin(json, NULL);
        json_unsigned(json, "step", number);
        if (number > 0)
            json_string(json, "detail", run->violation->steps.items[number - 1].detail);
        report_picture_json(json, "cluster", &run->pictures[number]);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    const struct replays *replays = answer;
    if (strcmp(format, "json") == 0) {
        struct json_out json;
        json_out_init(&json, text, 2);
        json_array_begin(&json, NULL);
        for (uint32_t i = 0; i < replays->count; i++)
            write_json(&replays->items[i], &json);
        json_array_end(&json);
        text_append_char(text, '\n');
        return;
    }
    if (replays->count == 0)
        text_append_string(text, "The report has no violation to replay\n");
    for (uint32_t i = 0; i < replays->count; i++) {
        text_append_string(text, i > 0 ? "\n\n" : "");
        write_text(&session->arena, &replays->items[i], text);
    }
}

/* ---- step by step ---- */

static void print(struct text *text)
{
    fputs(text_content(text), stdout);
    fflush(stdout);
    text_reset(text);
}

/* Waits for Enter; false: q, or the input is over. */
static bool wants_more(void)
{
    char *line = NULL;
    size_t room = 0;
    fputs("[Enter: next, q: quit] ", stdout);
    fflush(stdout);
    const bool more = getline(&line, &room, stdin) >= 0 && line[0] != 'q';
    if (!isatty(STDIN_FILENO))
        fputc('\n', stdout);
    free(line);
    return more;
}

static void show_step_by_step(struct session *session, const struct replays *replays)
{
    struct text text;
    bool more = true;
    text_init(&text, &session->memory);
    for (uint32_t i = 0; more && i < replays->count; i++) {
        const struct replay_run *run = &replays->items[i];
        write_heading(run, &text);
        for (uint32_t number = 0; more && run->scale && number <= run->steps_done; number++) {
            write_step(&session->arena, run, number, &text);
            print(&text);
            more = number == run->steps_done || wants_more();
        }
        write_end(run, &text);
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

int cmd_replay(struct session *session)
{
    struct told_reports reports;
    struct replays replays = {0};
    int code = EXIT_HOLDS;
    if (session->options.observed && session->line.operands.count == 0)
        return replay_observed(session, session->options.observed);
    if (session->options.observed) {
        session_say(session, "replay: expected a report or --observed, found both");
        return EXIT_INPUT;
    }
    if (session->line.operands.count == 0) {
        session_say(session, "expected a report (REPORT.json), found nothing");
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    if (!told_report_read(session, session->line.operands.items[0], &reports) ||
        !told_report_select(session, &reports))
        return EXIT_INPUT;
    for (uint32_t r = 0; r < reports.items.count; r++)
        for (uint32_t i = 0; i < reports.items.items[r].violations.count; i++) {
            struct replay_run run;
            const struct told_report *report = &reports.items.items[r];
            if (report->of_controller) {
                session_say(session, "expected a report of `fathom verify`; one of `fathom "
                                     "controller` is told by explain");
                return EXIT_INPUT;
            }
            if (!replay_run(session, report, &report->violations.items[i], &run))
                return EXIT_INPUT;
            VEC_PUSH(&session->arena, &replays, run);
            if (run.flaw)
                code = EXIT_UNDECIDED;
            else if (code == EXIT_HOLDS)
                code = EXIT_VIOLATED;
        }
    if (is_conversation(session))
        show_step_by_step(session, &replays);
    else if (!session_answer(session, render, &replays))
        return EXIT_INPUT;
    return code;
}
