/* SPDX-License-Identifier: Apache-2.0 */
/* What `fathom replay` tells of the counterexamples of a report. */
#include "report/formats.h"
#include "report/replay_run.h"
#include "report/report.h"

/* ---- text ---- */

void replay_write_heading(const struct replay_run *run, struct text *text)
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

void replay_write_step(struct arena *arena, const struct replay_run *run, uint32_t number,
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

void replay_write_end(const struct replay_run *run, struct text *text)
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

static void write_run(struct arena *arena, const struct replay_run *run, struct text *text)
{
    replay_write_heading(run, text);
    for (uint32_t number = 0; run->scale && number <= run->steps_done; number++)
        replay_write_step(arena, run, number, text);
    replay_write_end(run, text);
}

/* ---- JSON ---- */

static void run_json(const struct replay_run *run, struct json_out *json)
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

void replay_write_text(const struct writer_context *how, const struct replay_runs *runs,
                       struct text *text)
{
    if (runs->count == 0)
        text_append_string(text, "The report has no violation to replay\n");
    for (uint32_t i = 0; i < runs->count; i++) {
        text_append_string(text, i > 0 ? "\n\n" : "");
        write_run(how->arena, &runs->items[i], text);
    }
}

void replay_write_json(const struct writer_context *how, const struct replay_runs *runs,
                       struct text *text)
{
    struct json_out json;
    (void)how;
    json_out_init(&json, text, 2);
    json_array_begin(&json, NULL);
    for (uint32_t i = 0; i < runs->count; i++)
        run_json(&runs->items[i], &json);
    json_array_end(&json);
    text_append_char(text, '\n');
}
