/* SPDX-License-Identifier: Apache-2.0 */
/* JUnit's XML, which every CI system reads: a suite for each Check, a case for
 * each intent; what is undecided is skipped, and what the verdicts rest on are
 * properties of the suite. */
#include "report/answers.h"
#include "report/formats.h"
#include "report/report.h"

#include <string.h>

static void write_failure(struct arena *arena, const struct report *report,
                          const struct verify_result *result, struct text *text)
{
    struct text steps;
    struct report_source source;
    const char *scale = report_scale(arena, report->scope, result->setup);
    text_append_string(text, "      <failure type=\"violated\"");
    const char *told = answers_told(arena, report, result, NULL);
    report_append_attribute(text, "message",
                            told ? told
                                 : arena_printf(arena, "%s, with %s",
                                                report_intent_violated(result->intent->kind),
                                                scale));
    text_append_char(text, '>');
    text_init(&steps, text->memory);
    report_write_steps(arena, result, "", &steps);
    report_append_escaped(text, text_content(&steps));
    text_release(&steps);
    if (report_find_source(arena, report, result, &source))
        report_append_escaped(text,
                              arena_printf(arena, "%s:%u:%u: %s\n", source.place.file,
                                           source.place.line, source.place.column, source.path));
    text_append_string(text, "</failure>\n");
}

/* What is to be said of a verdict that is no failure; NULL: nothing. */
static const char *remark_of(struct arena *arena, const struct report *report, uint32_t intent)
{
    const char *of_nothing = report->found->results[intent].of_nothing;
    const char *trial = report_trial_line(arena, report, intent);
    if (!of_nothing)
        return trial ? arena_printf(arena, "HOLDS, %s", trial) : NULL;
    return arena_printf(arena, "HOLDS (of nothing: %s)%s%s", of_nothing, trial ? ", " : "",
                        trial ? trial : "");
}

static void write_case(struct arena *arena, const struct report *report, uint32_t intent,
                       struct text *text)
{
    const struct verify_result *result = &report->found->results[intent];
    text_append_string(text, "    <testcase");
    report_append_attribute(text, "classname", report->check);
    report_append_attribute(text, "name", report_intent_label(arena, result->intent));
    const char *remark = remark_of(arena, report, intent);
    if (result->verdict == VERDICT_HOLDS && !remark) {
        text_append_string(text, "/>\n");
        return;
    }
    text_append_string(text, ">\n");
    if (remark) {
        text_append_string(text, "      <system-out>");
        report_append_escaped(text, remark);
        text_append_string(text, "</system-out>\n    </testcase>\n");
        return;
    }
    if (result->verdict == VERDICT_VIOLATED) {
        write_failure(arena, report, result, text);
    } else {
        const char *workloads = report_workloads_line(arena, report, intent);
        text_append_string(text, "      <skipped");
        report_append_attribute(text, "message",
                                arena_printf(arena, "undecided: %s%s%s",
                                             explore_reason_text(result->reason),
                                             workloads ? "; " : "", workloads ? workloads : ""));
        text_append_string(text, "/>\n");
    }
    text_append_string(text, "    </testcase>\n");
}

/* A suite has properties before its cases. */
static void write_properties(struct arena *arena, const struct report *report, struct text *text)
{
    const struct string_list of_nothing = report_of_nothing(arena, report);
    const struct string_list to_decide = report_to_decide(arena, report);
    const struct {
        const char *name;
        const struct string_list *texts;
    } lists[] = {{"ofNothing", &of_nothing},
                 {"toDecide", &to_decide},
                 {"assumed", &report->assumptions},
                 {"premise", &report->premises}};
    text_append_string(text, "    <properties>\n");
    for (size_t l = 0; l < sizeof(lists) / sizeof(*lists); l++)
        for (uint32_t i = 0; i < lists[l].texts->count; i++) {
            text_append_string(text, "      <property");
            report_append_attribute(text, "name", lists[l].name);
            report_append_attribute(text, "value", lists[l].texts->items[i]);
            text_append_string(text, "/>\n");
        }
    text_append_string(text, "    </properties>\n");
}

static void write_suite(struct arena *arena, const struct report *report, struct text *text)
{
    const struct verify_report *found = report->found;
    uint32_t violated = 0;
    uint32_t undecided = 0;
    for (uint32_t i = 0; i < found->result_count; i++) {
        violated += found->results[i].verdict == VERDICT_VIOLATED;
        undecided += found->results[i].verdict == VERDICT_UNDECIDED;
    }
    text_append_string(text, "  <testsuite");
    report_append_attribute(text, "name", report->check);
    text_printf(text, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"%.3f\">\n",
                found->result_count, violated, undecided, found->seconds);
    write_properties(arena, report, text);
    for (uint32_t i = 0; i < found->result_count; i++)
        write_case(arena, report, i, text);
    text_append_string(text, "  </testsuite>\n");
}

void report_write_junit(const struct writer_context *how, const struct reports *reports,
                        struct text *text)
{
    struct arena *arena = how->arena;
    text_append_string(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "
                             "name=\"fathom\">\n");
    for (uint32_t i = 0; i < reports->count; i++)
        write_suite(arena, &reports->items[i], text);
    text_append_string(text, "</testsuites>\n");
}
