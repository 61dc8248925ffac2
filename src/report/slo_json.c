/* SPDX-License-Identifier: Apache-2.0 */
/* The report for programs: docs/slo.md lists its members. */
#include "report/formats.h"
#include "report/report.h"
#include "report/slo_report.h"
#include "slo/threshold.h"

static void write_second(struct json_out *json, uint32_t number, const struct slo_second *second)
{
    json_object_begin(json, NULL);
    json_unsigned(json, "second", number);
    json_unsigned(json, "requests", second->requests);
    json_unsigned(json, "allowed", second->allowed);
    json_unsigned(json, "pods", second->serving);
    json_unsigned(json, "starting", second->starting);
    json_unsigned(json, "desired", second->desired);
    json_array_begin(json, "queues");
    for (uint32_t i = 0; i < second->queue_count; i++)
        json_unsigned(json, NULL, second->queue[i]);
    json_array_end(json);
    if (second->utilization >= 0)
        json_integer(json, "utilization", second->utilization);
    if (second->decision)
        json_string(json, "decision", second->decision);
    json_boolean(json, "broken", (second->marks & SLO_MARK_VIOLATED) != 0);
    json_object_end(json);
}

static void write_answer(struct json_out *json, const struct slo_answer *answer)
{
    json_object_begin(json, NULL);
    json_string(json, "name", slo_question_name(answer->question));
    json_string(json, "claim", slo_question_text(answer->question));
    json_string(json, "verdict", verdict_name(answer->verdict));
    if (answer->verdict == VERDICT_UNDECIDED)
        json_string(json, "limit", slo_reason_text(answer->reason));
    if (answer->note)
        json_string(json, "note", answer->note);
    if (answer->timeline.count > 0) {
        json_boolean(json, "shortest", answer->shortest);
        json_array_begin(json, "trace");
        for (uint32_t i = 0; i < answer->timeline.count; i++)
            write_second(json, i + 1, &answer->timeline.seconds[i]);
        json_array_end(json);
        if (answer->timeline.loops) {
            json_object_begin(json, "loop");
            json_unsigned(json, "from", answer->timeline.loop_from + 1U);
            json_object_end(json);
        } else {
            json_null(json, "loop");
        }
    }
    json_unsigned(json, "states", answer->states);
    json_unsigned(json, "transitions", answer->transitions);
    json_object_end(json);
}

static void write_frontier(struct arena *arena, struct json_out *json,
                           const struct slo_frontier *frontier)
{
    json_object_begin(json, "found");
    json_string(json, "parameter", frontier->parameter);
    if (frontier->found)
        json_unsigned(json, "value", frontier->value);
    else
        json_null(json, "value");
    json_boolean(json, "exact", frontier->exact);
    json_unsigned(json, "step", frontier->step);
    json_string(json, "text", slo_frontier_text(arena, frontier));
    json_array_begin(json, "frontier");
    for (uint32_t i = 0; i < frontier->count; i++) {
        const struct slo_probe *probe = &frontier->items[i];
        json_object_begin(json, NULL);
        json_unsigned(json, "value", probe->value);
        json_string(json, "verdict", verdict_name(probe->verdict.verdict));
        if (probe->verdict.second > 0)
            json_unsigned(json, "violationAtSecond", probe->verdict.second);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void write_report(struct arena *arena, struct json_out *json,
                         const struct slo_report *report)
{
    json_object_begin(json, NULL);
    json_string(json, "apiVersion", "fathom/v1");
    json_string(json, "kind", "ServiceReport");
    json_string(json, "objective", report->name);
    json_string(json, "verdict", verdict_name(slo_report_verdict(report)));
    json_array_begin(json, "questions");
    for (uint32_t i = 0; i < report->answer_count; i++)
        write_answer(json, &report->answers[i]);
    json_array_end(json);
    if (report->frontier)
        write_frontier(arena, json, report->frontier);
    report_write_strings(json, "notes", &report->notes);
    report_write_strings(json, "warnings", &report->warnings);
    json_number(json, "elapsedSeconds", report->seconds);
    json_unsigned(json, "peakMemoryBytes", report->peak_bytes);
    json_object_end(json);
}

void slo_write_json(const struct writer_context *how, const struct slo_reports *reports,
                    struct text *text)
{
    struct arena *arena = how->arena;
    struct json_out json;
    json_out_init(&json, text, 2);
    if (reports->count != 1)
        json_array_begin(&json, NULL);
    for (uint32_t i = 0; i < reports->count; i++)
        write_report(arena, &json, &reports->items[i]);
    if (reports->count != 1)
        json_array_end(&json);
    text_append_char(text, '\n');
}
