/* SPDX-License-Identifier: Apache-2.0 */
/* The report for programs (docs/formats.md). */
#include "expression/expression.h"
#include "object/time.h"
#include "report/answers.h"
#include "report/formats.h"
#include "report/repair_report.h"
#include "report/report.h"
#include "report/report_sizes.h"
#include "tracing/import/counterexample.h"

#include <inttypes.h>

static void write_causes(struct json_out *json, const struct story_causes *causes)
{
    json_array_begin(json, "causes");
    for (uint32_t i = 0; i < causes->count; i++)
        json_unsigned(json, NULL, causes->items[i]);
    json_array_end(json);
}

void report_step_json(struct arena *arena, struct json_out *json, uint32_t number,
                      const struct verify_step *step)
{
    json_object_begin(json, NULL);
    json_unsigned(json, "step", number);
    json_string(json, "time", duration_format(arena, step->time_ns));
    json_string(json, "actor", step->told.actor);
    json_string(json, "action", step->told.action);
    json_string(json, "object", step->told.object);
    json_string(json, "detail", step->told.detail);
    if (step->told.outside)
        json_boolean(json, "outside", true);
    json_unsigned(json, "choice", step->choice);
    if (step->told.why.count > 0)
        report_write_strings(json, "why", &step->told.why);
    write_causes(json, &step->told.causes);
    json_object_end(json);
}

static void write_costs(struct json_out *json, const struct verify_result *result)
{
    if (result->cost_count == 0)
        return;
    json_array_begin(json, "costs");
    for (uint32_t i = 0; i < result->cost_count; i++) {
        const struct node_cost *cost = &result->costs[i];
        json_object_begin(json, NULL);
        json_string(json, "group", cost->group);
        json_number(json, "nodeHoursPerDay", cost->hours);
        json_number(json, "pricePerDay", cost->price);
        json_unsigned(json, "nodesPerRound", cost->added);
        if (cost->round_ns > 0)
            json_integer(json, "roundSeconds", cost->round_ns / NANOSECONDS_PER_SECOND);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_trace(struct arena *arena, struct json_out *json,
                        const struct verify_result *result)
{
    json_array_begin(json, "trace");
    for (uint32_t i = 0; i < result->step_count; i++)
        report_step_json(arena, json, i + 1, &result->steps[i]);
    json_array_end(json);
    if (result->loops && !result->rests) {
        json_object_begin(json, "loop");
        json_unsigned(json, "from", result->loop_from + 1);
        json_object_end(json);
    } else {
        json_null(json, "loop");
    }
    if (result->loops && result->rests)
        json_boolean(json, "rests", true);
    if (result->initial > 0)
        json_unsigned(json, "begin", result->initial);
    if (result->race)
        json_boolean(json, "race", true);
    if (result->unconfirmed)
        json_boolean(json, "unconfirmed", true);
    if (result->searched)
        json_boolean(json, "searched", true);
    write_costs(json, result);
}

static void write_changes(struct arena *arena, struct json_out *json, const struct report *report,
                          const struct verify_result *result)
{
    struct counterexample_step *steps =
        ARENA_ARRAY(arena, struct counterexample_step, result->step_count + 1);
    for (uint32_t i = 0; i < result->step_count; i++) {
        const struct story_step *told = &result->steps[i].told;
        steps[i] = (struct counterexample_step){
            .actor = told->actor,
            .detail = told->detail,
            .object = told->object,
            .causes = told->causes.items,
            .cause_count = told->causes.count,
            .outside = told->outside,
        };
    }
    const struct counterexample run = {
        .check = report->check,
        .intent = report_intent_label(arena, result->intent),
        .steps = steps,
        .step_count = result->step_count,
    };
    report_changes_json(arena, json, &run);
}

static void write_source(struct arena *arena, struct json_out *json, const struct report *report,
                         const struct verify_result *result)
{
    struct report_sources sources = {.count = 0};
    if (result->verdict == VERDICT_VIOLATED)
        report_find_sources(arena, report, result, &sources);
    if (sources.count == 0) {
        json_null(json, "source");
        return;
    }
    report_write_source(json, "source", &sources.items[0]);
    if (sources.count == 1)
        return;
    json_array_begin(json, "related");
    for (uint32_t i = 1; i < sources.count; i++)
        report_write_source(json, NULL, &sources.items[i]);
    json_array_end(json);
}

void report_picture_json(struct json_out *json, const char *key,
                         const struct story_picture *picture)
{
    json_object_begin(json, key);
    json_array_begin(json, "nodes");
    for (uint32_t n = 0; n < picture->node_count; n++) {
        json_object_begin(json, NULL);
        json_string(json, "name", picture->nodes[n].name);
        if (*picture->nodes[n].condition)
            json_string(json, "condition", picture->nodes[n].condition);
        report_write_strings(json, "pods", &picture->nodes[n].pods);
        json_object_end(json);
    }
    json_array_end(json);
    json_array_begin(json, "workloads");
    for (uint32_t w = 0; w < picture->workload_count; w++) {
        json_object_begin(json, NULL);
        json_string(json, "name", picture->workloads[w].name);
        json_integer(json, "replicas", picture->workloads[w].replicas);
        report_write_strings(json, "waiting", &picture->workloads[w].waiting);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

/* Every setup that violates the intent, smallest first. */
static void write_violations(struct json_out *json, const struct report *report, uint32_t intent)
{
    const struct verify_report *found = report->found;
    json_array_begin(json, "violations");
    for (uint64_t s = 0; s < found->setups_explored; s++)
        if (found->verdicts[s * found->result_count + intent] == VERDICT_VIOLATED) {
            json_object_begin(json, NULL);
            report_scale_json(json, report->scope, &found->setups.items[s]);
            json_object_end(json);
        }
    json_array_end(json);
}

/* The intents that were judged together, by their numbers from 0: which states
 * the model distinguishes depends on the intents. */
static void write_judged(struct json_out *json, const struct report *report, uint64_t asked)
{
    json_array_begin(json, "judged");
    for (uint32_t i = 0; i < report->found->result_count; i++)
        if (asked >> i & 1)
            json_unsigned(json, NULL, i);
    json_array_end(json);
}

static void write_input(struct arena *arena, struct json_out *json, const struct made_from *input)
{
    json_object_begin(json, "input");
    report_write_strings(json, "arguments", &input->arguments);
    json_unsigned(json, "unit", input->unit);
    json_array_begin(json, "files");
    for (uint32_t i = 0; i < input->file_count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "name", input->files[i].name);
        if (input->files[i].readable)
            json_string(json, "hash",
                        arena_printf(arena, "xxh3:%016" PRIx64, input->files[i].hash));
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void write_trial(struct arena *arena, struct json_out *json,
                        const struct intent_trial *trial)
{
    json_object_begin(json, NULL);
    report_write_strings(json, "under", &trial->options);
    report_write_strings(json, "lifts", &trial->lifts);
    json_string(json, "verdict", verdict_name(trial->verdict));
    if (trial->verdict == VERDICT_UNDECIDED) {
        json_string(json, "reason", explore_reason_text(trial->reason));
        json_unsigned(json, "states", trial->states);
    }
    if (trial->verdict == VERDICT_VIOLATED) {
        json_string(json, "command", trial->command);
        report_scale_json(json, trial->scope, trial->violation->setup);
        write_trace(arena, json, trial->violation);
        write_causes(json, &trial->violation->causes);
        report_picture_json(json, "cluster", &trial->violation->picture);
    }
    json_object_end(json);
}

static void write_trials(struct arena *arena, struct json_out *json,
                         const struct intent_trials *trials)
{
    json_array_begin(json, "trials");
    for (uint32_t i = 0; i < trials->count; i++)
        write_trial(arena, json, &trials->items[i]);
    json_array_end(json);
}

/* What the user has asked in words of their own, and what its parts are at the end. */
static void write_expression(struct arena *arena, struct json_out *json,
                             const struct verify_result *result)
{
    const struct check_intent *intent = result->intent;
    if (!intent->expression)
        return;
    json_string(json, "kind", intent_kind_name(intent->kind));
    json_string(json, "expression", intent->expression);
    if (intent->to)
        json_string(json, "to", intent->to);
    if (intent->condition)
        json_string(json, "when", intent->condition);
    if (intent->after_ns > 0)
        json_string(json, "after", duration_format(arena, intent->after_ns));
    if (intent->within_ns > 0)
        json_string(json, "within", duration_format(arena, intent->within_ns));
    json_array_begin(json, "values");
    for (uint32_t i = 0; i < result->values.count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "part", result->values.items[i].text);
        json_string(json, "value", result->values.items[i].value);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_intent(struct arena *arena, struct json_out *json, const struct reports *reports,
                         uint32_t unit, uint32_t number)
{
    const struct report *report = &reports->items[unit];
    const struct accepted_violation *accepted = accepted_find(reports->accepted, unit, number);
    const struct verify_result *result = &report->found->results[number];
    json_object_begin(json, NULL);
    json_string(json, "name", report_intent_name(result->intent));
    json_string(json, "label", report_intent_label(arena, result->intent));
    write_expression(arena, json, result);
    if (report->question) {
        json_string(json, "question", report->question);
        json_unsigned(json, "unit", report->input.unit);
    }
    json_string(json, "verdict", verdict_name(result->verdict));
    if (reports->severities && result->verdict == VERDICT_VIOLATED)
        json_string(json, "severity", severity_name(reports->severities->of[result->intent->kind]));
    if (accepted)
        json_string(json, "accepted", accepted->reason);
    if (result->of_nothing)
        json_string(json, "ofNothing", result->of_nothing);
    if (result->verdict == VERDICT_UNDECIDED)
        json_string(json, "reason", explore_reason_text(result->reason));
    if (report_knows_workloads(report, number))
        report_intent_workloads_json(json, report, number);
    report_scale_json(json, report->scope, result->setup);
    write_trace(arena, json, result);
    if (result->verdict == VERDICT_VIOLATED) {
        write_causes(json, &result->causes);
        write_judged(json, report, result->asked);
        write_changes(arena, json, report, result);
    }
    write_source(arena, json, report, result);
    if (result->verdict == VERDICT_VIOLATED)
        report_picture_json(json, "cluster", &result->picture);
    if (report->found->verdicts)
        write_violations(json, report, number);
    if (report->trials && report->trials[number].count > 0)
        write_trials(arena, json, &report->trials[number]);
    json_object_end(json);
}

static void write_explored(struct json_out *json, const struct verify_report *found)
{
    json_object_begin(json, "explored");
    json_unsigned(json, "setups", found->setups_explored);
    json_unsigned(json, "setupsTotal", found->setups.count);
    json_unsigned(json, "states", found->states);
    json_unsigned(json, "transitions", found->transitions);
    json_unsigned(json, "depth", found->depth);
    if (found->components > 0)
        json_unsigned(json, "components", found->components);
    json_object_end(json);
}

/* How it was found out, and what it relies on. */
static void write_circumstances(struct arena *arena, struct json_out *json,
                                const struct report *report)
{
    const struct verify_report *found = report->found;
    const struct string_list of_nothing = report_of_nothing(arena, report);
    const struct string_list to_decide = report_to_decide(arena, report);
    write_explored(json, found);
    report_sizes_json(json, report);
    report_components_json(arena, json, report);
    if (found->search.runs > 0) {
        json_object_begin(json, "search");
        json_unsigned(json, "runs", found->search.runs);
        json_unsigned(json, "steps", found->search.steps);
        json_unsigned(json, "found", found->search.found);
        json_object_end(json);
    }
    report_write_strings(json, "ofNothing", &of_nothing);
    report_write_strings(json, "limits", &report->limits);
    if (to_decide.count > 0)
        report_write_strings(json, "toDecide", &to_decide);
    report_write_strings(json, "warnings", &report->warnings);
    report_write_strings(json, "assumptions", &report->assumptions);
    report_write_strings(json, "premises", &report->premises);
    json_string(json, "kubernetesVersion", features_version(arena, &report->features));
    if (report->kubernetes)
        json_string(json, "kubernetes", report->kubernetes);
}

static void write_report(struct arena *arena, struct json_out *json, const struct reports *reports,
                         uint32_t number)
{
    const struct report *report = &reports->items[number];
    const struct verify_report *found = report->found;
    json_object_begin(json, NULL);
    json_string(json, "apiVersion", "fathom/v1");
    json_string(json, "kind", "Report");
    json_string(json, "check", report->check);
    json_string(json, "verdict", verdict_name(verify_verdict(found)));
    json_array_begin(json, "intents");
    for (uint32_t i = 0; i < found->result_count; i++)
        write_intent(arena, json, reports, number, i);
    json_array_end(json);
    accepted_write_json(arena, json, reports, number);
    write_circumstances(arena, json, report);
    write_input(arena, json, &report->input);
    if (report->repair)
        repair_best_json(arena, json, report->repair);
    json_number(json, "elapsedSeconds", found->seconds);
    json_unsigned(json, "peakMemoryBytes", report->peak_bytes);
    json_object_end(json);
}

/* The sum of all questions. */
static void write_totals(struct json_out *json, const struct reports *reports)
{
    struct verify_report total = {0};
    for (uint32_t i = 0; i < reports->count; i++) {
        const struct verify_report *found = reports->items[i].found;
        total.setups_explored += found->setups_explored;
        total.setups.count += found->setups.count;
        total.states += found->states;
        total.transitions += found->transitions;
        total.seconds += found->seconds;
        if (found->depth > total.depth)
            total.depth = found->depth;
    }
    write_explored(json, &total);
    json_number(json, "elapsedSeconds", total.seconds);
}

/* One report of all questions: their intents together, and how each question was answered. */
static void write_answers(struct arena *arena, struct json_out *json, const struct reports *reports)
{
    json_object_begin(json, NULL);
    json_string(json, "apiVersion", "fathom/v1");
    json_string(json, "kind", "Report");
    json_string(json, "check", "manifests");
    json_string(json, "verdict", verdict_name(reports_verdict(reports)));
    answers_write_json(arena, json, reports);
    json_array_begin(json, "intents");
    for (uint32_t r = 0; r < reports->count; r++)
        for (uint32_t i = 0; i < reports->items[r].found->result_count; i++)
            write_intent(arena, json, reports, r, i);
    json_array_end(json);
    accepted_write_json(arena, json, reports, UINT32_MAX);
    json_array_begin(json, "questions");
    for (uint32_t r = 0; r < reports->count; r++) {
        json_object_begin(json, NULL);
        json_string(json, "name", reports->items[r].question);
        json_string(json, "verdict", verdict_name(verify_verdict(reports->items[r].found)));
        write_circumstances(arena, json, &reports->items[r]);
        json_object_end(json);
    }
    json_array_end(json);
    write_totals(json, reports);
    if (reports->count > 0)
        write_input(arena, json, &reports->items[0].input);
    report_write_strings(json, "warnings", &reports->answers->warnings);
    report_write_strings(json, "assumptions", &reports->answers->assumptions);
    report_write_strings(json, "limits", &reports->answers->limits);
    /* All of them are asked of one cluster. */
    if (reports->count > 0)
        json_string(json, "kubernetesVersion",
                    features_version(arena, &reports->items[0].features));
    json_unsigned(json, "peakMemoryBytes", reports->count ? reports->items[0].peak_bytes : 0);
    json_object_end(json);
}

void report_write_json(const struct writer_context *how, const struct reports *reports,
                       struct text *text)
{
    struct arena *arena = how->arena;
    struct json_out json;
    json_out_init(&json, text, 2);
    if (reports->answers) {
        write_answers(arena, &json, reports);
    } else if (reports->count == 1) {
        write_report(arena, &json, reports, 0);
    } else {
        json_object_begin(&json, NULL);
        json_string(&json, "apiVersion", "fathom/v1");
        json_string(&json, "kind", "ReportList");
        json_array_begin(&json, "items");
        for (uint32_t i = 0; i < reports->count; i++)
            write_report(arena, &json, reports, i);
        json_array_end(&json);
        json_object_end(&json);
    }
    text_append_char(text, '\n');
}
