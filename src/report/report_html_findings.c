/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_html_findings.h"

#include "report/report_html_run.h"
#include "report/report_html_source.h"
#include "report/report_html_summary.h"

static void put_workloads(const struct page *page, const struct cause *finding)
{
    page_put(page, "<p class=\"workloads\">");
    for (uint32_t i = 0; i < finding->workloads.count; i++)
        page_put_text(page, i > 0 ? ", <code>" : "<code>", finding->workloads.items[i], "</code>");
    page_put(page, "</p>\n");
}

static void put_run(struct page *page, const struct verify_result *result)
{
    text_printf(page->text,
                "<details class=\"evidence\"><summary>How it comes about: %u steps, with ",
                result->step_count);
    page_put_text(page, "", report_scale(page->arena, page->report->scope, result->setup),
                  "</summary>\n");
    page->number++;
    page_put_run(page, result);
    page_put(page, "</details>\n");
}

/* Where else the same is to be seen. */
static void put_alike(const struct page *page, const struct cause *finding)
{
    if (finding->alike.count == 0)
        return;
    page_put(page, "<p class=\"note alike\">The same: ");
    for (uint32_t i = 0; i < finding->alike.count; i++) {
        const struct alike_cause *alike = &finding->alike.items[i];
        page_put_text(page, i > 0 ? ", <code>" : "<code>", alike->workload, "</code>");
        if (alike->source)
            page_put_text(page, " (",
                          arena_printf(page->arena, "%s:%u", alike->source->place.file,
                                       alike->source->place.line),
                          ")");
    }
    page_put(page, "</p>\n");
}

static void put_finding(struct page *page, const struct reports *reports, uint32_t number)
{
    const struct cause *finding = &reports->answers->findings.items[number];
    page->report = &reports->items[finding->report];
    text_printf(
        page->text,
        "<section id=\"finding%u\" class=\"finding\">\n<h2>%u. <span class=\"%s\">%s</span> ",
        number + 1, number + 1, gravity_name(finding->severity), gravity_name(finding->severity));
    page_put_text(page, "", page->report->question, ": ");
    page_put_text(page, "", finding->title, "</h2>\n");
    put_workloads(page, finding);
    for (uint32_t i = 0; i < finding->reasons.count; i++)
        page_put_text(page, "<p>", finding->reasons.items[i], "</p>\n");
    for (uint32_t i = 0; i < finding->also.count; i++)
        page_put_text(page, "<p class=\"note\">Also: ", finding->also.items[i], "</p>\n");
    page_put_sources(page, &finding->sources);
    put_alike(page, finding);
    if (finding->remedy)
        page_put_text(page, "<p class=\"remedy\">Remedy: ", finding->remedy, "</p>\n");
    put_run(page, &page->report->found->results[finding->intent]);
    page_put(page, "</section>\n");
}

static void put_notes(const struct page *page, const char *heading, const struct string_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        page_put_text(page, "<p class=\"note\">", heading, ": ");
        page_put_text(page, "", list->items[i], "</p>\n");
    }
}

static void put_hints(const struct page *page, const struct hints *hints)
{
    for (uint32_t i = 0; i < hints->count; i++) {
        page_put_text(page, "<p class=\"note\">Hint: ", hint_format(page->arena, &hints->items[i]),
                      "");
        if (hints->items[i].remedy)
            page_put_text(page, " Remedy: ", hints->items[i].remedy, "");
        page_put(page, "</p>\n");
    }
}

/* For which sizes it holds, or the findings; what is open stands below. */
static void put_extent(const struct page *page, const struct reports *reports, uint32_t number)
{
    const struct report *report = &reports->items[number];
    const struct answers *answers = reports->answers;
    bool any = false;
    if (verify_verdict(report->found) == VERDICT_HOLDS)
        page_put_text(page, "", report_holding(page->arena, report), "");
    for (uint32_t i = 0; i < answers->findings.count; i++) {
        if (answers->findings.items[i].report != number)
            continue;
        text_printf(page->text, "%s<a href=\"#finding%u\">finding %u</a>", any ? ", " : "", i + 1,
                    i + 1);
        any = true;
    }
}

/* Each question with its verdict; all about it is further down. */
static void put_questions(const struct page *page, const struct reports *reports)
{
    page_put(page, "<div class=\"top\">\n<table class=\"summary\"><caption>Questions</caption>\n");
    for (uint32_t i = 0; i < reports->count; i++) {
        const char *verdict = verdict_name(verify_verdict(reports->items[i].found));
        text_printf(page->text, "<tr><td class=\"%s\">%s</td><th scope=\"row\"><a href=\"#c%u\">",
                    verdict, verdict, i + 1);
        page_put_text(page, "", page_question_title(page->arena, &reports->items[i]),
                      "</a></th><td>");
        put_extent(page, reports, i);
        page_put(page, "</td></tr>\n");
    }
    page_put(page, "</table>\n</div>\n");
}

void page_put_findings(struct page *page, const struct reports *reports)
{
    const struct answers *answers = reports->answers;
    page_put_text(page, "<h1>", answers_summary(page->arena, answers), "</h1>\n");
    put_questions(page, reports);
    if (answers->findings.count > 1) {
        page_put(page, "<nav aria-label=\"Findings\"><ol>\n");
        for (uint32_t i = 0; i < answers->findings.count; i++) {
            text_printf(page->text, "<li><a href=\"#finding%u\">", i + 1);
            page_put_text(page, "", answers->findings.items[i].title, "</a></li>\n");
        }
        page_put(page, "</ol></nav>\n");
    }
    for (uint32_t i = 0; i < answers->undecided.count; i++)
        page_put_text(page, "<p class=\"note undecided\">Undecided: ", answers->undecided.items[i],
                      "</p>\n");
    if (answers->nodes)
        page_put_text(page, "<p class=\"note\">Needs: ", answers->nodes, "</p>\n");
    put_notes(page, "Not asked", &answers->left_out);
    put_notes(page, "Assumed", &answers->assumptions);
    put_hints(page, &answers->hints);
    for (uint32_t i = 0; i < answers->findings.count; i++)
        put_finding(page, reports, i);
}
