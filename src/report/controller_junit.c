/* SPDX-License-Identifier: Apache-2.0 */
/* For CI systems: a suite for each check or variant, a case for each intent. */
#include "report/controller_parts.h"
#include "report/formats.h"
#include "report/report.h"

#include <inttypes.h>

static void junit_case(struct arena *arena, const struct controller_report *report,
                       const struct judged_intent *intent, struct text *text)
{
    text_append_string(text, "    <testcase");
    report_append_attribute(text, "classname", report->check);
    report_append_attribute(text, "name", controller_intent_label(arena, intent));
    text_append_string(text, ">\n");
    if (intent->verdict == VERDICT_VIOLATED) {
        struct text steps;
        text_init(&steps, text->memory);
        if (intent->run)
            controller_write_steps(intent->run, &steps);
        text_append_string(text, "      <failure");
        report_append_attribute(text, "type", controller_intent_kind(intent));
        report_append_attribute(text, "message", controller_intent_meaning(intent));
        text_append_char(text, '>');
        report_append_escaped(text, text_content(&steps));
        text_append_string(text, "</failure>\n");
        text_release(&steps);
    } else if (intent->verdict != VERDICT_HOLDS) {
        text_append_string(text, "      <skipped");
        report_append_attribute(
            text, "message",
            arena_printf(arena, "undecided: %s", explore_reason_text(intent->reason)));
        text_append_string(text, "/>\n");
    }
    text_append_string(text, "    </testcase>\n");
}

static void junit_suite(struct arena *arena, const struct controller_report *report,
                        struct text *text)
{
    const struct judged_controller *judged = report->judged;
    uint32_t violated = 0;
    uint32_t undecided = 0;
    for (uint32_t i = 0; i < judged->count; i++) {
        violated += judged->intents[i].verdict == VERDICT_VIOLATED;
        undecided += judged->intents[i].verdict == VERDICT_UNDECIDED;
    }
    text_append_string(text, "  <testsuite");
    report_append_attribute(text, "name", report->variant ? report->variant : report->check);
    text_printf(text, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"%.3f\">\n",
                judged->count, violated, undecided, report->seconds);
    for (uint32_t i = 0; i < judged->count; i++)
        junit_case(arena, report, &judged->intents[i], text);
    text_append_string(text, "  </testsuite>\n");
}

void controller_write_junit(const struct writer_context *how,
                            const struct controller_reports *reports, struct text *text)
{
    struct arena *arena = how->arena;
    text_append_string(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "
                             "name=\"fathom\">\n");
    for (uint32_t i = 0; i < reports->count; i++)
        junit_suite(arena, &reports->items[i], text);
    text_append_string(text, "</testsuites>\n");
}
