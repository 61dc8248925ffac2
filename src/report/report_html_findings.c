/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_html_findings.h"

#include "report/report_html_run.h"
#include "report/report_html_source.h"

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

void page_put_findings(struct page *page, const struct reports *reports)
{
    const struct answers *answers = reports->answers;
    page_put_text(page, "<h1>", answers_summary(page->arena, answers), "</h1>\n");
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
