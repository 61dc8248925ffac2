/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SARIF 2.1.0, for code scanning: a rule for each kind of intent, a result for
 * each violation, with the counterexample as a code flow whose steps are at the workloads that they
 * are about. A result without a
 * known place is at its intent, and without that at the Check.
 */
#include "base/hash.h"
#include "base/uri.h"
#include "report/answers.h"
#include "report/formats.h"
#include "report/repair_report.h"
#include "report/report.h"
#include "report/topics.h"

#include <inttypes.h>
#include <string.h>

enum { FLOW_STEPS_MOST = 1000 }; /* what code scanning keeps of one flow */

static void write_message(struct json_out *json, const char *key, const char *message)
{
    json_object_begin(json, key);
    json_string(json, "text", message);
    json_object_end(json);
}

static void write_physical(struct arena *arena, struct json_out *json, struct place place)
{
    json_object_begin(json, "physicalLocation");
    json_object_begin(json, "artifactLocation");
    json_string(json, "uri", uri_of_file(arena, place.file));
    json_object_end(json);
    if (place.line > 0) {
        json_object_begin(json, "region");
        json_unsigned(json, "startLine", place.line);
        json_unsigned(json, "startColumn", place.column ? place.column : 1);
        json_object_end(json);
    }
    json_object_end(json);
}

/* Standard input has no address. */
static bool is_file(struct place place)
{
    return place.file && place.file[0] != '<';
}

static struct place place_of(struct arena *arena, const struct report *report,
                             const struct verify_result *result)
{
    struct report_source source;
    if (report_find_source(arena, report, result, &source))
        return source.place;
    if (result->intent->place.file)
        return result->intent->place;
    return (struct place){.file = report->file};
}

/* Has no result before this one the same kind of intent? */
static bool is_first_of_kind(const struct reports *reports, uint32_t report, uint32_t number)
{
    const struct verify_result *result = &reports->items[report].found->results[number];
    for (uint32_t r = 0; r <= report; r++) {
        const struct verify_report *found = reports->items[r].found;
        for (uint32_t i = 0; i < (r < report ? found->result_count : number); i++)
            if (found->results[i].intent->kind == result->intent->kind)
                return false;
    }
    return true;
}

/* What code scanning shows of a rule: what it means, and what to do. */
static void write_rule(struct arena *arena, struct json_out *json, const struct reports *reports,
                       enum intent_kind kind)
{
    const char *name = intent_kind_name(kind);
    const char *level =
        reports->severities ? severity_name(reports->severities->of[kind]) : "error";
    const char *violated = report_intent_violated(kind);
    struct topic topic;
    struct text plain;
    struct text markdown;
    text_init(&plain, json->text->memory);
    text_init(&markdown, json->text->memory);
    json_object_begin(json, NULL);
    json_string(json, "id", name); /* and no name: it may not be the id again, in any case */
    write_message(json, "shortDescription", violated);
    if (topic_find(name, &topic)) {
        topic_write_text(arena, &topic, &plain);
        topic_write_markdown(arena, &topic, false, &markdown);
        write_message(json, "fullDescription", topic_summary(arena, &topic));
        json_object_begin(json, "help");
        json_string(json, "text", text_content(&plain));
        json_string(json, "markdown", text_content(&markdown));
        json_object_end(json);
    }
    if (reports->homepage && *reports->homepage)
        json_string(json, "helpUri",
                    arena_printf(arena, "%s/docs/intents.md#%s", reports->homepage, name));
    json_object_begin(json, "defaultConfiguration");
    json_string(json, "level", level);
    json_object_end(json);
    json_object_begin(json, "properties");
    json_array_begin(json, "tags");
    json_string(json, NULL, "kubernetes");
    json_string(json, NULL, "reliability");
    json_array_end(json);
    json_string(json, "precision", "high");
    json_string(json, "problem.severity", strcmp(level, "note") == 0 ? "recommendation" : level);
    json_object_end(json);
    json_object_end(json);
    text_release(&plain);
    text_release(&markdown);
}

static void write_rules(struct arena *arena, struct json_out *json, const struct reports *reports)
{
    json_array_begin(json, "rules");
    for (uint32_t r = 0; r < reports->count; r++)
        for (uint32_t i = 0; i < reports->items[r].found->result_count; i++) {
            const enum intent_kind kind = reports->items[r].found->results[i].intent->kind;
            if (!is_first_of_kind(reports, r, i))
                continue;
            write_rule(arena, json, reports, kind);
        }
    json_array_end(json);
}

/* The object of the workload that the step is about; the place of the violation for others. */
static struct place place_of_step(const struct report *report, const struct verify_step *step,
                                  struct place otherwise)
{
    const uint32_t workload = step->told.workload;
    if (workload >= report->scope->workload_count || !report->scope->workloads[workload].object)
        return otherwise;
    const struct place place = report->scope->workloads[workload].object->place;
    return place.file ? place : otherwise;
}

static void write_flow(struct arena *arena, struct json_out *json, const struct report *report,
                       const struct verify_result *result, struct place violation)
{
    json_array_begin(json, "codeFlows");
    json_object_begin(json, NULL);
    json_array_begin(json, "threadFlows");
    json_object_begin(json, NULL);
    json_array_begin(json, "locations");
    for (uint32_t i = 0; i < result->step_count && i < FLOW_STEPS_MOST; i++) {
        json_object_begin(json, NULL);
        json_unsigned(json, "executionOrder", i + 1);
        json_object_begin(json, "location");
        /* With the last step the violation shows. */
        const struct place place = i + 1 == result->step_count
                                       ? violation
                                       : place_of_step(report, &result->steps[i], violation);
        if (is_file(place))
            write_physical(arena, json, place);
        write_message(json, "message", result->steps[i].told.detail);
        json_object_end(json);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
}

/* GitHub keeps an alert that is suppressed out of the way, and shows its reason. */
static void write_suppression(struct json_out *json, const struct accepted_violation *accepted)
{
    if (!accepted)
        return;
    json_array_begin(json, "suppressions");
    json_object_begin(json, NULL);
    json_string(json, "kind",
                strncmp(accepted->by, "annotation", 10) == 0 ? "inSource" : "external");
    json_string(json, "justification", accepted->reason);
    json_object_end(json);
    json_array_end(json);
}

static void write_result(struct arena *arena, struct json_out *json, const struct reports *reports,
                         uint32_t number, uint32_t intent)
{
    const struct report *report = &reports->items[number];
    const struct verify_result *result = &report->found->results[intent];
    struct place place = place_of(arena, report, result);
    const char *told = answers_told(arena, report, result, &place);
    const char *label = report_intent_label(arena, result->intent);
    const char *reservation = report_reservation(result);
    const char *identity = arena_printf(arena, "%s %s", report->check, label);
    json_object_begin(json, NULL);
    json_string(json, "ruleId", intent_kind_name(result->intent->kind));
    json_string(json, "level",
                reports->severities ? severity_name(reports->severities->of[result->intent->kind])
                                    : "error");
    write_message(json, "message",
                  told ? told
                       : arena_printf(arena, "%s: %s, with %s%s%s", label,
                                      report_intent_violated(result->intent->kind),
                                      report_scale(arena, report->scope, result->setup),
                                      reservation ? ". " : "", reservation ? reservation : ""));
    json_array_begin(json, "locations");
    if (is_file(place)) {
        json_object_begin(json, NULL);
        write_physical(arena, json, place);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_begin(json, "partialFingerprints");
    json_string(json, "fathomIntent/v1",
                arena_printf(arena, "%016" PRIx64, hash_bytes(identity, strlen(identity))));
    json_object_end(json);
    write_suppression(json, accepted_find(reports->accepted, number, intent));
    write_flow(arena, json, report, result, place);
    if (report->repair)
        repair_fixes_json(arena, json, report->repair);
    json_object_end(json);
}

static void write_notifications(struct arena *arena, struct json_out *json, const char *level,
                                const char *check, const char *heading,
                                const struct string_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "level", level);
        write_message(json, "message",
                      heading ? arena_printf(arena, "%s: %s: %s", check, heading, list->items[i])
                              : list->items[i]);
        json_object_end(json);
    }
}

/* What is known of intents that are undecided. */
static void write_undecided(struct arena *arena, struct json_out *json, const struct report *report)
{
    for (uint32_t i = 0; i < report->found->result_count; i++) {
        const struct verify_result *result = &report->found->results[i];
        if (result->verdict != VERDICT_UNDECIDED)
            continue;
        const struct string_list known = report_undecided_lines(arena, report, i);
        const char *label = report_intent_label(arena, result->intent);
        write_notifications(arena, json, "warning", report->check,
                            arena_printf(arena, "Undecided: %s", label), &known);
    }
}

/* The invocation says if a limit ended the run, and what the verdicts rely on, so that
 * "no results" is not mistaken for a proof. */
static void write_invocation(struct arena *arena, struct json_out *json,
                             const struct reports *reports)
{
    bool finished = true;
    for (uint32_t r = 0; r < reports->count; r++)
        finished &= reports->items[r].limits.count == 0;
    json_array_begin(json, "invocations");
    json_object_begin(json, NULL);
    json_boolean(json, "executionSuccessful", finished);
    json_array_begin(json, "toolExecutionNotifications");
    for (uint32_t r = 0; r < reports->count; r++) {
        const struct report *report = &reports->items[r];
        write_notifications(arena, json, "warning", report->check, NULL, &report->limits);
        write_undecided(arena, json, report);
        const struct string_list to_decide = report_to_decide(arena, report);
        write_notifications(arena, json, "note", report->check, "To decide", &to_decide);
        const struct string_list of_nothing = report_of_nothing(arena, report);
        write_notifications(arena, json, "warning", report->check, "Of nothing", &of_nothing);
        const struct string_list trials = report_trial_lines(arena, report);
        write_notifications(arena, json, "note", report->check, "Trial", &trials);
        write_notifications(arena, json, "note", report->check, "Assumed", &report->assumptions);
        write_notifications(arena, json, "note", report->check, "Premise", &report->premises);
    }
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
}

void report_write_sarif(const struct writer_context *how, const struct reports *reports,
                        struct text *text)
{
    struct arena *arena = how->arena;
    struct json_out json;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_string(&json, "version", "2.1.0");
    json_array_begin(&json, "runs");
    json_object_begin(&json, NULL);
    json_object_begin(&json, "tool");
    json_object_begin(&json, "driver");
    json_string(&json, "name", "fathom");
    json_string(&json, "version", reports->version);
    if (reports->homepage && *reports->homepage)
        json_string(&json, "informationUri", reports->homepage);
    write_rules(arena, &json, reports);
    json_object_end(&json);
    json_object_end(&json);
    write_invocation(arena, &json, reports);
    json_string(&json, "columnKind", "unicodeCodePoints");
    json_array_begin(&json, "results");
    for (uint32_t r = 0; r < reports->count; r++)
        for (uint32_t i = 0; i < reports->items[r].found->result_count; i++)
            if (reports->items[r].found->results[i].verdict == VERDICT_VIOLATED &&
                (!reports->answers || answers_tell(reports->answers, r, i)))
                write_result(arena, &json, reports, r, i);
    json_array_end(&json);
    json_object_end(&json);
    json_array_end(&json);
    json_object_end(&json);
    text_append_char(text, '\n');
}
