/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report as one page that needs nothing else: no network, no other file. It
 * follows the reader's choice of dark or light, works without its script (which
 * shows the cluster at every step), and everything that comes from manifests is
 * escaped.
 */
#include "base/shell_word.h"
#include "report/answers.h"
#include "report/formats.h"
#include "report/page/page.h"
#include "report/repair_report.h"
#include "report/report.h"
#include "report/report_html_page.h"
#include "report/report_html_run.h"

#include <inttypes.h>
#include <string.h>

static void put_head(const struct page *page, const char *title)
{
    page_put(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n");
    text_printf(page->text,
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src %s; script-src %s\">\n",
                report_style_hash, report_script_hash);
    page_put_text(page, "<title>", title, "</title>\n<style>");
    text_append(page->text, (const char *)report_style, report_style_length);
    page_put(page, "</style>\n</head>\n<body>\n<main>\n");
}

static void put_foot(const struct page *page)
{
    page_put(page, "</main>\n<script type=\"module\">");
    text_append(page->text, (const char *)report_script, report_script_length);
    page_put(page, "</script>\n</body>\n</html>\n");
}

static void put_sources(const struct page *page, const struct verify_result *result)
{
    struct report_sources sources = {.count = 0};
    report_find_sources(page->arena, page->report, result, &sources);
    for (uint32_t i = 0; i < sources.count; i++) {
        const struct report_source *source = &sources.items[i];
        const char *line = report_quote(page->arena, source->place);
        page_put_text(page, i == 0 ? "<p>Look at <code>" : "<p>and at <code>",
                      arena_printf(page->arena, "%s:%u:%u", source->place.file, source->place.line,
                                   source->place.column),
                      "</code>: ");
        page_put_text(page, "", source->path, "");
        if (source->note)
            page_put_text(page, ": ", source->note, "");
        page_put(page, "</p>\n");
        if (line)
            page_put_text(page, "<pre><code>", line, "</code></pre>\n");
    }
}

static void put_violation(const struct page *page, const struct verify_result *result)
{
    page_put_text(page, "<p>Smallest scale: ",
                  report_scale(page->arena, page->report->scope, result->setup), "</p>\n");
    if (result->race)
        page_put(page,
                 "<p>Race: this happens only if periodic controllers act while others are still "
                 "busy, every time.</p>\n");
    put_sources(page, result);
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

/* For links from the summary. */
static const char *section_name(const struct page *page, uint32_t intent)
{
    return arena_printf(page->arena, "c%u-intent%u", page->check, intent + 1);
}

/* What holds, what does not and what is open, before anything else. */
static void put_summary(const struct page *page)
{
    const struct verify_report *found = page->report->found;
    page_put(page, "<table class=\"summary\"><caption>Intents</caption>\n");
    for (uint32_t i = 0; i < found->result_count; i++) {
        const struct verify_result *result = &found->results[i];
        const char *verdict = verdict_name(result->verdict);
        text_printf(page->text, "<tr><td class=\"%s\">%s</td><th scope=\"row\"><a href=\"#%s\">",
                    verdict, verdict, section_name(page, i));
        page_put_text(page, "", report_intent_label(page->arena, result->intent), "</a></th><td>");
        if (result->of_nothing)
            page_put_text(page, "of nothing: ", result->of_nothing, "");
        else if (result->verdict == VERDICT_VIOLATED)
            page_put_text(page, "", report_scale(page->arena, page->report->scope, result->setup),
                          "");
        else if (result->verdict == VERDICT_UNDECIDED)
            page_put(page, explore_reason_text(result->reason));
        page_put(page, "</td></tr>\n");
    }
    page_put(page, "</table>\n");
}

static void put_intent(struct page *page, uint32_t index)
{
    const struct verify_report *found = page->report->found;
    const struct verify_result *result = &found->results[index];
    const char *verdict = verdict_name(result->verdict);
    page->number++;
    text_printf(page->text, "<section id=\"%s\">\n<h2><span class=\"%s\">%s</span> ",
                section_name(page, index), verdict, verdict);
    if (result->of_nothing)
        page_put_text(page, "(of nothing: ", result->of_nothing, ") ");
    page_put_text(page, "", report_intent_label(page->arena, result->intent), "</h2>\n");
    if (result->verdict == VERDICT_VIOLATED) {
        const char *told = answers_told(page->arena, page->report, result, NULL);
        page_put_text(page, "<p>", told ? told : report_intent_violated(result->intent->kind),
                      "</p>\n");
        const char *workloads = report_workloads_line(page->arena, page->report, index);
        if (workloads)
            page_put_text(page, "<p>It ", workloads, "</p>\n");
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

static void put_list(const struct page *page, const char *heading, const struct string_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        page_put_text(page, "<p class=\"note\">", heading, ": ");
        page_put_text(page, "", list->items[i], "</p>\n");
    }
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

/* With what it can be made again. */
static void put_origin(const struct page *page, const char *version)
{
    const struct string_list *arguments = &page->report->input.arguments;
    page_put_text(page, "<p class=\"note\">Fathom ", version, ": <code>fathom verify");
    for (uint32_t i = 0; i < arguments->count; i++)
        page_put_text(page, " ", shell_word(page->arena, arguments->items[i]), "");
    page_put(page, "</code></p>\n");
}

void report_write_html(const struct writer_context *how, const struct reports *reports,
                       struct text *text)
{
    struct arena *arena = how->arena;
    struct page page = {.arena = arena, .text = text};
    put_head(&page, reports->count == 1 ? reports->items[0].check : "Fathom");
    for (uint32_t r = 0; r < reports->count; r++) {
        const struct verify_report *found = reports->items[r].found;
        page.report = &reports->items[r];
        page_put_text(&page, "<h1>", page.report->check, "");
        const uint32_t of_nothing = report_of_nothing(arena, page.report).count;
        text_printf(text, ": <span class=\"%s\">%s</span>%s</h1>\n",
                    verdict_name(verify_verdict(found)), verdict_name(verify_verdict(found)),
                    of_nothing ? " (some of it of nothing)" : "");
        page.check = r + 1;
        put_summary(&page);
        for (uint32_t i = 0; i < found->result_count; i++)
            put_intent(&page, i);
        put_origin(&page, reports->version);
        text_printf(text,
                    "<p class=\"note\">Explored: %" PRIu64 " of %u setups, %" PRIu64
                    " states, %" PRIu64 " transitions, at most %u steps deep</p>\n",
                    found->setups_explored, found->setups.count, found->states, found->transitions,
                    found->depth);
        if (found->components > 0)
            page_put_text(&page,
                          "<p class=\"note\">Decided: ", report_decided_by(arena, page.report),
                          "</p>\n");
        const struct string_list to_decide = report_to_decide(arena, page.report);
        put_list(&page, "Limit", &page.report->limits);
        put_list(&page, "To decide", &to_decide);
        put_list(&page, "Warning", &page.report->warnings);
        put_list(&page, "Of nothing", &page.report->idle);
        put_list(&page, "Assumed", &page.report->assumptions);
        put_list(&page, "Premise", &page.report->premises);
        put_repair(&page);
    }
    put_foot(&page);
}
