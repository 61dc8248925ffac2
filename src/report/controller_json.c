/* SPDX-License-Identifier: Apache-2.0 */
/* What `fathom controller` found, for programs. */
#include "report/controller_parts.h"
#include "report/formats.h"
#include "report/report.h"
#include "tracing/import/counterexample.h"

#include <inttypes.h>

static void step_json(struct json_out *json, uint32_t number, const struct controller_step *step)
{
    json_object_begin(json, NULL);
    json_unsigned(json, "step", number);
    json_string(json, "time", "0s");
    json_string(json, "actor", step->actor);
    json_string(json, "action", step->action);
    json_string(json, "object", step->object ? step->object : "");
    json_string(json, "detail", step->detail);
    if (step->is_user || step->is_fault)
        json_boolean(json, "outside", true);
    json_unsigned(json, "choice", 0);
    json_array_begin(json, "causes");
    for (uint32_t i = 0; i < step->cause_count; i++)
        json_unsigned(json, NULL, step->causes[i]);
    json_array_end(json);
    json_object_end(json);
}

static void slice_json(struct json_out *json, const struct environment_options *options,
                       const struct cause_slice *slice)
{
    json_object_begin(json, "needs");
    json_array_begin(json, "operations");
    for (uint32_t i = 0; i < options->script_count; i++)
        if (slice->operations[i])
            json_unsigned(json, NULL, i + 1);
    json_array_end(json);
    json_unsigned(json, "crashes", slice->crashes);
    json_unsigned(json, "failures", slice->failures);
    json_unsigned(json, "staleReads", slice->stale_reads);
    json_boolean(json, "checked", !slice->unchecked);
    json_object_end(json);
}

static void run_json(struct json_out *json, const struct controller_run *run)
{
    json_array_begin(json, "trace");
    for (uint32_t i = 0; i < run->count; i++)
        step_json(json, i + 1, &run->steps[i]);
    json_array_end(json);
    if (run->loops && !run->loop_rests) {
        json_object_begin(json, "loop");
        json_unsigned(json, "from", run->loop_from + 1);
        json_object_end(json);
    } else {
        json_null(json, "loop");
    }
    if (run->loops && run->loop_rests)
        json_boolean(json, "rests", true);
    json_array_begin(json, "causes");
    if (run->count > 0)
        json_unsigned(json, NULL, run->count);
    json_array_end(json);
    json_array_begin(json, "judged");
    json_array_end(json);
}

static void changes_json(struct arena *arena, struct json_out *json,
                         const struct controller_report *report, const struct judged_intent *intent)
{
    const struct controller_run *run = intent->run;
    struct counterexample_step *steps =
        ARENA_ARRAY(arena, struct counterexample_step, run->count + (size_t)1);
    for (uint32_t i = 0; i < run->count; i++)
        steps[i] = (struct counterexample_step){
            .actor = run->steps[i].actor,
            .detail = run->steps[i].detail,
            .object = run->steps[i].object,
            .causes = run->steps[i].causes,
            .cause_count = run->steps[i].cause_count,
            .outside = run->steps[i].is_user || run->steps[i].is_fault,
        };
    report_changes_json(arena, json,
                        &(struct counterexample){
                            .check = report->check,
                            .intent = controller_intent_label(arena, intent),
                            .steps = steps,
                            .step_count = run->count,
                        });
}

static void source_json(struct json_out *json, const struct controller_report *report,
                        const struct judged_intent *intent)
{
    uint32_t last = 0;
    for (uint32_t i = 0; intent->run && i < intent->run->count; i++)
        if (intent->run->steps[i].is_user)
            last = intent->run->steps[i].operation + 1;
    if (last == 0 || report->options->script[last - 1].place.line == 0) {
        json_null(json, "source");
        return;
    }
    const struct place place = report->options->script[last - 1].place;
    json_object_begin(json, "source");
    json_string(json, "file", place.file);
    json_unsigned(json, "line", place.line);
    json_unsigned(json, "column", place.column);
    json_string(json, "path", "spec.script");
    json_object_end(json);
}

static void intent_json(struct arena *arena, struct json_out *json,
                        const struct controller_report *report, const struct judged_intent *intent)
{
    json_object_begin(json, NULL);
    json_string(json, "name", intent->name);
    json_string(json, "label", controller_intent_label(arena, intent));
    if (intent->resource)
        json_string(json, "resource", intent->resource);
    json_string(json, "verdict", verdict_name(intent->verdict));
    if (intent->verdict == VERDICT_UNDECIDED)
        json_string(json, "reason", explore_reason_text(intent->reason));
    json_object_begin(json, "scale");
    json_object_end(json);
    if (intent->verdict == VERDICT_VIOLATED) {
        json_string(json, "kind", controller_intent_kind(intent));
        json_string(json, "meaning", controller_intent_meaning(intent));
    }
    if (intent->run) {
        json_unsigned(json, "stem", intent->stem);
        if (intent->is_esr) {
            json_unsigned(json, "componentStates", intent->component_states);
            json_unsigned(json, "components", intent->components);
        }
        run_json(json, intent->run);
        if (intent->sliced)
            slice_json(json, report->options, &intent->slice);
        changes_json(arena, json, report, intent);
        source_json(json, report, intent);
    } else {
        json_array_begin(json, "trace");
        json_array_end(json);
        json_null(json, "loop");
    }
    json_object_end(json);
}

static void bounds_json(struct json_out *json, const struct environment_options *options)
{
    json_object_begin(json, "budgets");
    json_unsigned(json, "script", options->script_count);
    json_unsigned(json, "crashes", options->crashes);
    json_unsigned(json, "failures", options->failures);
    json_unsigned(json, "staleReads", options->stale_reads);
    json_object_end(json);
    json_object_begin(json, "reductions");
    json_boolean(json, "fuseSchedule", options->fuse_schedule);
    json_boolean(json, "statusController", !options->no_status);
    json_boolean(json, "merge", !options->keep_all);
    json_object_end(json);
    json_object_begin(json, "options");
    json_boolean(json, "statusFlap", options->status_flap);
    json_boolean(json, "timeoutApplied", options->timeout_applied);
    json_boolean(json, "clientAsync", options->client_async);
    json_boolean(json, "externalFailures", options->external_failures);
    json_boolean(json, "ownFailures", options->own_failures);
    json_object_end(json);
}

static void report_json(struct arena *arena, struct json_out *json,
                        const struct controller_report *report)
{
    const struct judged_controller *judged = report->judged;
    json_object_begin(json, NULL);
    json_string(json, "apiVersion", "fathom/v1");
    json_string(json, "kind", "Report");
    json_string(json, "check", report->check);
    json_string(json, "checkKind", "ControllerCheck");
    json_string(json, "file", report->file);
    if (report->variant)
        json_string(json, "variant", report->variant);
    json_string(json, "verdict", verdict_name(judged->verdict));
    json_array_begin(json, "intents");
    for (uint32_t i = 0; i < judged->count; i++)
        intent_json(arena, json, report, &judged->intents[i]);
    json_array_end(json);
    bounds_json(json, report->options);
    json_object_begin(json, "explored");
    json_unsigned(json, "setups", 1);
    json_unsigned(json, "states", judged->statistics.states);
    json_unsigned(json, "transitions", judged->statistics.transitions);
    json_unsigned(json, "depth", judged->statistics.depth);
    json_unsigned(json, "questions", judged->asked.questions);
    json_unsigned(json, "shapes", judged->asked.shapes);
    json_object_end(json);
    report_write_strings(json, "limits", &report->limits);
    json_array_begin(json, "warnings");
    json_array_end(json);
    json_number(json, "elapsedSeconds", report->seconds);
    json_unsigned(json, "peakMemoryBytes", report->peak_bytes);
    json_object_end(json);
}

void controller_write_json(const struct writer_context *how,
                           const struct controller_reports *reports, struct text *text)
{
    struct arena *arena = how->arena;
    struct json_out json;
    json_out_init(&json, text, 2);
    if (reports->count == 1) {
        report_json(arena, &json, &reports->items[0]);
    } else {
        json_object_begin(&json, NULL);
        json_string(&json, "apiVersion", "fathom/v1");
        json_string(&json, "kind", "ReportList");
        if (reports->settled)
            json_string(&json, "settled", reports->settled);
        json_array_begin(&json, "items");
        for (uint32_t i = 0; i < reports->count; i++)
            report_json(arena, &json, &reports->items[i]);
        json_array_end(&json);
        json_object_end(&json);
    }
    text_append_char(text, '\n');
}
