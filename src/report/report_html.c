/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report as one page that needs nothing else: no network, no other file. It
 * follows the reader's choice of dark or light, works without its script (which
 * shows the cluster at every step), and everything that comes from manifests is
 * escaped.
 */
#include "expression/expression.h"
#include "report/answers.h"
#include "report/formats.h"
#include "report/repair_report.h"
#include "report/report.h"
#include "report/report_html_findings.h"
#include "report/report_html_run.h"
#include "report/report_html_source.h"
#include "report/report_html_summary.h"

#include <string.h>

static void put_values(const struct page *page, const struct verify_result *result)
{
    for (uint32_t i = 0; i < result->values.count; i++) {
        page_put_text(page, "<p class=\"note\">At the end <code>", result->values.items[i].text,
                      "</code> is ");
        page_put_text(page, "<code>", result->values.items[i].value, "</code></p>\n");
    }
}

static void put_violation(const struct page *page, const struct verify_result *result)
{
    const bool smallest = !result->searched || page->report->found->search.found == 0;
    page_put_text(page, smallest ? "<p>Smallest scale: " : "<p>Scale: ",
                  report_scale(page->arena, page->report->scope, result->setup), "</p>\n");
    for (uint32_t i = 0; i < result->cost_count; i++)
        page_put_text(page, "<p>Cost: ", report_cost(page->arena, &result->costs[i]), "</p>\n");
    if (result->race)
        page_put(page,
                 "<p>Race: this happens only if periodic controllers act while others are still "
                 "busy, every time.</p>\n");
    if (result->intent->expression)
        page_put_text(page, "<p><code>", result->intent->expression, "</code></p>\n");
    put_values(page, result);
    struct report_sources sources = {.count = 0};
    report_find_sources(page->arena, page->report, result, &sources);
    page_put_sources(page, &sources);
    page_put_run(page, result);
}

/* What holds, if more may happen, and the counterexample of that for those who open it. */
static void put_trial(struct page *page, uint32_t index)
{
    const char *line = report_trial_line(page->arena, page->report, index);
    const struct intent_trial *violated = report_violated_trial(page->report, index);
    if (line)
        page_put_text(page, "<p>", line, "</p>\n");
    if (!violated)
        return;
    const struct report report = report_of_trial(page->report, violated);
    struct page of_trial = *page;
    of_trial.report = &report;
    of_trial.number = ++page->number;
    page_put(page, "<details><summary>The counterexample of the trial</summary>\n");
    put_violation(&of_trial, violated->violation);
    page_put(page, "</details>\n");
}

/* The counterexample of a question is with its finding. False: no finding tells it. */
static bool put_finding_link(const struct page *page, uint32_t intent)
{
    const uint32_t count = page->answers ? page->answers->findings.count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct cause *finding = &page->answers->findings.items[i];
        if (finding->report + 1 != page->check || finding->intent != intent)
            continue;
        text_printf(page->text, "<p>See <a href=\"#finding%u\">finding %u</a></p>\n", i + 1, i + 1);
        return true;
    }
    return false;
}

static void put_intent(struct page *page, uint32_t index)
{
    const struct verify_report *found = page->report->found;
    const struct verify_result *result = &found->results[index];
    const char *verdict = verdict_name(result->verdict);
    page->number++;
    text_printf(page->text, "<section id=\"%s\">\n<h2><span class=\"%s\">%s</span> ",
                page_intent_anchor(page, index), verdict, verdict);
    if (result->of_nothing)
        page_put_text(page, "(of nothing: ", result->of_nothing, ") ");
    page_put_text(page, "", report_intent_label(page->arena, result->intent), "</h2>\n");
    if (result->verdict == VERDICT_HOLDS)
        page_put_text(page, "<p>", report_holding(page->arena, page->report), "</p>\n");
    if (result->verdict == VERDICT_VIOLATED) {
        const char *told = answers_told(page->arena, page->report, result, NULL);
        page_put_text(page, "<p>", told ? told : report_intent_violated(result->intent->kind),
                      "</p>\n");
        const char *workloads = report_workloads_line(page->arena, page->report, index);
        if (workloads)
            page_put_text(page, "<p>It ", workloads, "</p>\n");
        if (!put_finding_link(page, index))
            put_violation(page, result);
    } else if (result->verdict == VERDICT_UNDECIDED) {
        const struct string_list known = report_undecided_lines(page->arena, page->report, index);
        page_put_text(page, "<p>", explore_reason_text(result->reason), "</p>\n");
        for (uint32_t i = 0; i < known.count; i++)
            page_put_text(page, "<p>", known.items[i], "</p>\n");
    }
    put_trial(page, index);
    if (found->verdicts)
        report_heatmap_html(page->arena, page->report, index, page->text);
    page_put(page, "</section>\n");
}

/* --fix: the best patch. */
static void put_repair(const struct page *page)
{
    struct text text;
    if (!page->report->repair)
        return;
    text_init(&text, page->text->memory);
    repair_best_text(page->arena, page->report->repair, &text);
    page_put_text(page, "<section>\n<pre>", text_content(&text), "</pre>\n</section>\n");
    text_release(&text);
}

/* Violations that the user has accepted, with the reasons given. */
static void put_accepted(const struct page *page, const struct reports *reports)
{
    struct text text;
    text_init(&text, page->text->memory);
    accepted_write_text(page->arena, reports, &text);
    if (text.length > 0)
        page_put_text(page, "<section>\n<pre>", text_content(&text), "</pre>\n</section>\n");
    text_release(&text);
}

static void put_heading(const struct page *page, const struct reports *reports)
{
    const char *verdict = verdict_name(verify_verdict(page->report->found));
    const char *level = reports->answers ? "h2" : "h1";
    text_printf(page->text, "<%s>", level);
    page_put_text(page, "", page_question_title(page->arena, page->report), "");
    text_printf(page->text, ": <span class=\"%s\">%s</span>%s</%s>\n", verdict, verdict,
                report_of_nothing(page->arena, page->report).count > 0 ? " (some of it of nothing)"
                                                                       : "",
                level);
}

/* Of questions the top of the page says enough for most readers: the rest is folded. */
static void put_report(struct page *page, const struct reports *reports)
{
    if (reports->answers)
        text_printf(page->text, "<details class=\"question\" id=\"c%u\"><summary>", page->check);
    put_heading(page, reports);
    if (reports->answers)
        page_put(page, "</summary>\n");
    page_put(page, "<div class=\"top\">\n");
    page_put_verdicts(page);
    page_put_basis(page);
    page_put_origin(page, reports->version);
    page_put(page, "</div>\n");
    for (uint32_t i = 0; i < page->report->found->result_count; i++)
        if (page_has_more(page, i))
            put_intent(page, i);
    put_repair(page);
    if (reports->answers)
        page_put(page, "</details>\n");
}

void report_write_html(const struct writer_context *how, const struct reports *reports,
                       struct text *text)
{
    struct page page = {.arena = how->arena, .text = text};
    page_put_head(&page, reports->count == 1 ? reports->items[0].check : "Fathom");
    if (reports->answers)
        page_put_findings(&page, reports);
    for (uint32_t r = 0; r < reports->count; r++) {
        page.report = &reports->items[r];
        page.check = r + 1;
        page.answers = reports->answers;
        put_report(&page, reports);
    }
    put_accepted(&page, reports);
    page_put_foot(&page);
}
