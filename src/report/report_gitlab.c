/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GitLab's code quality report: a list of issues, each with a place, a severity and a fingerprint
 * by which the server knows it again. An issue without a place is at the Check; what is from
 * standard input has none and is left out by the server, so it is named by the input.
 */
#include "base/hash.h"
#include "report/answers.h"
#include "report/formats.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

static const char *gitlab_severity(const struct reports *reports,
                                   const struct verify_result *result)
{
    static const char *const words[SEVERITY_COUNT] = {
        [SEVERITY_ERROR] = "critical",
        [SEVERITY_WARNING] = "major",
        [SEVERITY_NOTE] = "info",
    };
    return words[reports->severities ? reports->severities->of[result->intent->kind]
                                     : SEVERITY_ERROR];
}

static void write_place(struct json_out *json, const struct report *report, struct place place)
{
    json_object_begin(json, "location");
    json_string(json, "path", place.file ? place.file : report->file ? report->file : "manifests");
    json_object_begin(json, "lines");
    json_unsigned(json, "begin", place.line > 0 ? place.line : 1);
    json_object_end(json);
    json_object_end(json);
}

static void write_issue(struct arena *arena, struct json_out *json, const struct reports *reports,
                        uint32_t number, uint32_t intent)
{
    const struct report *report = &reports->items[number];
    const struct verify_result *result = &report->found->results[intent];
    struct report_source source = {.place = result->intent->place};
    report_find_source(arena, report, result, &source);
    struct place place = source.place;
    const char *told = answers_told(arena, report, result, &place);
    const char *label = report_intent_label(arena, result->intent);
    const char *identity = arena_printf(arena, "%s %s", report->check, label);
    json_object_begin(json, NULL);
    json_string(
        json, "description",
        told ? told
             : arena_printf(arena, "%s: %s", label, report_intent_violated(result->intent->kind)));
    json_string(json, "check_name", intent_kind_name(result->intent->kind));
    json_string(json, "fingerprint",
                arena_printf(arena, "%016" PRIx64, hash_bytes(identity, strlen(identity))));
    json_string(json, "severity", gitlab_severity(reports, result));
    write_place(json, report, place);
    json_object_end(json);
}

/* What is accepted is no issue. */
void report_write_gitlab(const struct writer_context *how, const struct reports *reports,
                         struct text *text)
{
    struct json_out json;
    json_out_init(&json, text, 2);
    json_array_begin(&json, NULL);
    for (uint32_t r = 0; r < reports->count; r++)
        for (uint32_t i = 0; i < reports->items[r].found->result_count; i++)
            if (reports->items[r].found->results[i].verdict == VERDICT_VIOLATED &&
                (!reports->answers || answers_tell(reports->answers, r, i)) &&
                !accepted_find(reports->accepted, r, i))
                write_issue(how->arena, &json, reports, r, i);
    json_array_end(&json);
    text_append_char(text, '\n');
}
