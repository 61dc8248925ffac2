/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answers.h"

static void write_finding(struct arena *arena, struct json_out *json, const struct reports *reports,
                          const struct cause *finding)
{
    const struct report *report = &reports->items[finding->report];
    const struct verify_result *result = &report->found->results[finding->intent];
    const struct string_list workloads = {finding->workloads.items, finding->workloads.count};
    const struct string_list reasons = {finding->reasons.items, finding->reasons.count};
    const struct string_list also = {finding->also.items, finding->also.count};
    json_object_begin(json, NULL);
    json_string(json, "question", report->question);
    json_string(json, "gravity", gravity_name(finding->severity));
    json_string(json, "intent", report_intent_label(arena, result->intent));
    report_write_strings(json, "workloads", &workloads);
    json_string(json, "title", finding->title);
    report_write_strings(json, "reasons", &reasons);
    report_write_strings(json, "also", &also);
    if (finding->remedy)
        json_string(json, "remedy", finding->remedy);
    json_array_begin(json, "sources");
    for (uint32_t i = 0; i < finding->sources.count; i++)
        report_write_source(json, NULL, &finding->sources.items[i]);
    json_array_end(json);
    json_array_begin(json, "alike");
    for (uint32_t i = 0; i < finding->alike.count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "workload", finding->alike.items[i].workload);
        if (finding->alike.items[i].source)
            report_write_source(json, "source", finding->alike.items[i].source);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

void hints_write_json(struct json_out *json, const struct hints *hints)
{
    json_array_begin(json, "hints");
    for (uint32_t i = 0; i < hints->count; i++) {
        const struct hint *hint = &hints->items[i];
        json_object_begin(json, NULL);
        json_string(json, "text", hint->text);
        if (hint->remedy)
            json_string(json, "remedy", hint->remedy);
        if (hint->place.file) {
            json_string(json, "file", hint->place.file);
            json_unsigned(json, "line", hint->place.line);
            json_unsigned(json, "column", hint->place.column);
            json_string(json, "path", hint->path);
        }
        json_object_end(json);
    }
    json_array_end(json);
}

void answers_write_json(struct arena *arena, struct json_out *json, const struct reports *reports)
{
    const struct answers *answers = reports->answers;
    const struct string_list undecided = {answers->undecided.items, answers->undecided.count};
    const struct string_list questions = {answers->questions.items, answers->questions.count};
    json_object_begin(json, "summary");
    json_unsigned(json, "workloads", answers->workloads);
    report_write_strings(json, "questions", &questions);
    json_unsigned(json, "hold", answers->hold);
    json_unsigned(json, "findings", answers->findings.count);
    json_unsigned(json, "undecided", answers->undecided.count);
    json_string(json, "text", answers_summary(arena, answers));
    json_object_end(json);
    json_array_begin(json, "findings");
    for (uint32_t i = 0; i < answers->findings.count; i++)
        write_finding(arena, json, reports, &answers->findings.items[i]);
    json_array_end(json);
    report_write_strings(json, "undecided", &undecided);
    hints_write_json(json, &answers->hints);
    if (answers->nodes)
        json_string(json, "needs", answers->nodes);
    report_write_strings(json, "leftOut", &answers->left_out);
}
