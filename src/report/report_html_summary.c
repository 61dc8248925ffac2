/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_html_summary.h"

#include "base/shell_word.h"

#include <inttypes.h>
#include <string.h>

/* Lists of more lines than that are folded. */
enum { LINES_SHOWN = 3 };

const char *page_intent_anchor(const struct page *page, uint32_t intent)
{
    return arena_printf(page->arena, "c%u-intent%u", page->check, intent + 1);
}

/* ---- the verdicts ---- */

/* For which sizes, or why it is not known. */
static const char *extent(const struct page *page, const struct verify_result *result)
{
    switch (result->verdict) {
    case VERDICT_VIOLATED: return report_scale(page->arena, page->report->scope, result->setup);
    case VERDICT_HOLDS: return report_holding(page->arena, page->report);
    default: return explore_reason_text(result->reason);
    }
}

const char *page_question_title(struct arena *arena, const struct report *report)
{
    if (!report->question || strcmp(report->question, report->check) == 0)
        return report->check;
    return arena_printf(arena, "%s in %s", report->question, report->check);
}

bool page_has_more(const struct page *page, uint32_t intent)
{
    const struct report *report = page->report;
    return !report->question || report->found->verdicts ||
           report->found->results[intent].verdict != VERDICT_HOLDS ||
           report_trial_line(page->arena, report, intent);
}

void page_put_verdicts(const struct page *page)
{
    const struct verify_report *found = page->report->found;
    page_put(page, "<table class=\"summary\"><caption>Intents</caption>\n");
    for (uint32_t i = 0; i < found->result_count; i++) {
        const struct verify_result *result = &found->results[i];
        const char *verdict = verdict_name(result->verdict);
        text_printf(page->text, "<tr><td class=\"%s\">%s</td><th scope=\"row\">", verdict, verdict);
        if (page_has_more(page, i))
            text_printf(page->text, "<a href=\"#%s\">", page_intent_anchor(page, i));
        page_put_text(page, "", report_intent_label(page->arena, result->intent),
                      page_has_more(page, i) ? "</a></th><td>" : "</th><td>");
        if (result->of_nothing)
            page_put_text(page, "of nothing: ", result->of_nothing, "");
        else
            page_put_text(page, "", extent(page, result), "");
        page_put(page, "</td></tr>\n");
    }
    page_put(page, "</table>\n");
}

/* ---- what they rely on ---- */

static void put_fact(const struct page *page, const char *heading, const char *fact)
{
    page_put_text(page, "<dt>", heading, "</dt>");
    page_put_text(page, "<dd>", fact, "</dd>\n");
}

static void put_list(const struct page *page, const char *heading, const struct string_list *list)
{
    if (list->count == 0)
        return;
    const bool folded = list->count > LINES_SHOWN;
    page_put_text(page, "<dt>", heading, "</dt><dd>");
    if (folded)
        text_printf(page->text, "<details><summary>%u of them</summary>", list->count);
    page_put(page, "<ul>\n");
    for (uint32_t i = 0; i < list->count; i++)
        page_put_text(page, "<li>", list->items[i], "</li>\n");
    page_put(page, folded ? "</ul></details></dd>\n" : "</ul></dd>\n");
}

void page_put_basis(const struct page *page)
{
    const struct report *report = page->report;
    const struct verify_report *found = report->found;
    const struct string_list to_decide = report_to_decide(page->arena, report);
    page_put(page, "<dl class=\"basis\">\n");
    put_fact(page, "Explored",
             arena_printf(page->arena,
                          "%" PRIu64 " of %u setups, %" PRIu64 " states, %" PRIu64
                          " transitions, at most %u steps deep",
                          found->setups_explored, found->setups.count, found->states,
                          found->transitions, found->depth));
    if (found->components > 0)
        put_fact(page, "Decided", report_decided_by(page->arena, report));
    if (found->search.runs > 0)
        put_fact(page, "Searched", report_searched(page->arena, &found->search));
    if (report->kubernetes)
        put_fact(page, "Kubernetes", report->kubernetes);
    put_list(page, "Limits", &report->limits);
    put_list(page, "To decide", &to_decide);
    put_list(page, "Warnings", &report->warnings);
    put_list(page, "Of nothing", &report->idle);
    put_list(page, "Assumed", &report->assumptions);
    put_list(page, "Premises", &report->premises);
    page_put(page, "</dl>\n");
}

void page_put_origin(const struct page *page, const char *version)
{
    const struct string_list *arguments = &page->report->input.command;
    page_put_text(page, "<p class=\"origin\">Fathom ", version, ": <code>fathom verify");
    for (uint32_t i = 0; i < arguments->count; i++)
        page_put_text(page, " ", shell_word(page->arena, arguments->items[i]), "");
    page_put(page, "</code></p>\n");
}
