/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report as one page that needs nothing else: no network, no other file. It
 * follows the reader's choice of dark or light, works without its script (which
 * only lets the arrow keys go from step to step), and everything that comes from
 * manifests is escaped.
 */
#include "report/formats.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

struct page {
    struct arena *arena;
    struct text *text;
    const struct report *report;
    uint32_t number; /* of the intent on the page: for anchors */
};

static void put(const struct page *page, const char *html)
{
    text_append_string(page->text, html);
}

/* Text between two tags. */
static void put_text(const struct page *page, const char *before, const char *text,
                     const char *after)
{
    put(page, before);
    report_append_escaped(page->text, text);
    put(page, after);
}

static void put_head(const struct page *page, const char *title)
{
    put(page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; script-src 'unsafe-inline'\">\n");
    put_text(page, "<title>", title, "</title>\n");
    put(page,
        "<style>\n"
        ":root{--bad:#b3261e;--good:#1b6e3c;--open:#8a5a00;--line:#8886;--box:#8882;--mark:#fc36}\n"
        "@media (prefers-color-scheme:dark){:root{--bad:#ff8a80;--good:#7fd79a;--open:#ffc966}}\n"
        "body{font:16px/1.45 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 "
        "1rem}\n"
        "h1{font-size:1.5rem}h2{font-size:1.2rem}.violated{color:var(--bad)}"
        ".holds{color:var(--good)}.undecided{color:var(--open)}\n"
        "section{border-top:1px solid var(--line);padding:.5rem 0 1rem}\n"
        "ol.steps{list-style:none;padding:0}ol.steps>li{border-left:3px solid var(--line);"
        "margin:.3rem 0;padding:.2rem .8rem}\n"
        "ol.steps>li:focus{outline:2px solid "
        "currentColor}ol.steps>li.loop{border-left-style:double;"
        "border-left-color:var(--bad)}ol.steps>li.blamed{border-left-color:var(--bad)}\n"
        "ol.steps>li:target{background:var(--mark)}\n"
        ".why,.causes,.note{font-size:.88rem;opacity:.85;margin:.1rem 0 .1rem 1.5rem}\n"
        ".number{display:inline-block;min-width:2.2rem;font-variant-numeric:tabular-nums}\n"
        ".event{border:1px solid;border-radius:3px;padding:0 .3rem;font-size:.8rem}\n"
        ".cluster{display:flex;flex-wrap:wrap;gap:.4rem;margin:.3rem 0 .3rem 1.5rem;"
        "font-size:.82rem}\n"
        ".node{border:1px solid var(--line);border-radius:4px;padding:.2rem .4rem;min-width:6rem}\n"
        ".node.off{border-style:dashed;opacity:.8}.pod{display:inline-block;background:var(--box);"
        "border-radius:3px;padding:0 .3rem;margin:.1rem}\n"
        ".waiting{border:1px dashed}pre{background:var(--box);padding:.4rem;overflow-x:auto}\n"
        "table.map{border-collapse:collapse;font-size:.75rem}.map td{width:1.2rem;height:1.2rem;"
        "text-align:center;border:1px solid var(--line)}\n"
        ".map .v{background:#d7301f;color:#fff}.map .h{background:#7fbf7b;color:#000}"
        ".map .u{background:#ddd;color:#000}\n"
        "</style>\n</head>\n<body>\n<main>\n");
}

static void put_foot(const struct page *page)
{
    put(page, "</main>\n<script>\n"
              "document.addEventListener('keydown',function(e){\n"
              "if(e.altKey||e.ctrlKey||e.metaKey||!/^Arrow(Up|Down)$|^[jk]$/.test(e.key))return;\n"
              "var all=Array.from(document.querySelectorAll('ol.steps>li'));\n"
              "var at=all.indexOf(document.activeElement);if(at<0&&!/^[jk]$/.test(e.key))return;\n"
              "var next=all[at+((e.key==='ArrowDown'||e.key==='j')?1:-1)];\n"
              "if(next){next.focus();e.preventDefault();}});\n"
              "</script>\n</body>\n</html>\n");
}

/* ---- the cluster ---- */

static void put_node(const struct page *page, const struct story_node *node)
{
    put(page, *node->condition ? "<div class=\"node off\">" : "<div class=\"node\">");
    put_text(page, "<strong>", node->name, "</strong>");
    if (*node->condition)
        put_text(page, " (", node->condition, ")");
    put(page, "<br>");
    for (uint32_t p = 0; p < node->pods.count; p++)
        put_text(page, "<span class=\"pod\">", node->pods.items[p], "</span>");
    put(page, "</div>");
}

static void put_cluster(const struct page *page, const struct story_picture *picture)
{
    put(page, "<div class=\"cluster\" role=\"group\" aria-label=\"the cluster then\">");
    for (uint32_t n = 0; n < picture->node_count; n++)
        put_node(page, &picture->nodes[n]);
    for (uint32_t w = 0; w < picture->workload_count; w++) {
        const struct story_workload *workload = &picture->workloads[w];
        put_text(page, "<div class=\"node\">", workload->name, "");
        text_printf(page->text, "<br>wants %d", workload->replicas);
        for (uint32_t p = 0; p < workload->waiting.count; p++)
            put_text(page, "<span class=\"pod waiting\" title=\"waits for a node\">",
                     workload->waiting.items[p], "</span>");
        put(page, "</div>");
    }
    put(page, "</div>\n");
}

/* ---- the counterexample ---- */

static bool is_among(const struct story_causes *causes, uint32_t number)
{
    for (uint32_t i = 0; i < causes->count; i++)
        if (causes->items[i] == number)
            return true;
    return false;
}

static void put_causes(const struct page *page, const struct story_causes *causes)
{
    bool any = false;
    for (uint32_t i = 0; i < causes->count; i++)
        if (causes->items[i] > 0) {
            text_printf(page->text, "%s<a href=\"#i%u-s%u\">%u</a>",
                        any ? ", " : "<div class=\"causes\">needs ", page->number, causes->items[i],
                        causes->items[i]);
            any = true;
        }
    if (any)
        put(page, "</div>\n");
}

static void put_step(const struct page *page, const struct verify_result *result, uint32_t index)
{
    const struct verify_step *step = &result->steps[index];
    const bool loop = result->loops && !result->rests && index >= result->loop_from;
    text_printf(page->text, "<li id=\"i%u-s%u\" tabindex=\"0\" class=\"%s%s\">", page->number,
                index + 1, loop ? "loop" : "",
                is_among(&result->causes, index + 1) ? " blamed" : "");
    text_printf(page->text, "<span class=\"number\">%u.</span> ", index + 1);
    if (step->told.outside)
        put(page, "<span class=\"event\">event</span> ");
    put_text(page, "", step->told.detail, "\n");
    for (uint32_t w = 0; w < step->told.why.count; w++)
        put_text(page, "<div class=\"why\">", step->told.why.items[w], "</div>\n");
    put_causes(page, &step->told.causes);
    if (step->picture.nodes)
        put_cluster(page, &step->picture);
    put(page, "</li>\n");
}

static void put_sources(const struct page *page, const struct verify_result *result)
{
    struct report_sources sources = {.count = 0};
    report_find_sources(page->arena, page->report, result, &sources);
    for (uint32_t i = 0; i < sources.count; i++) {
        const struct report_source *source = &sources.items[i];
        const char *line = report_quote(page->arena, source->place);
        put_text(page, i == 0 ? "<p>Look at <code>" : "<p>and at <code>",
                 arena_printf(page->arena, "%s:%u:%u", source->place.file, source->place.line,
                              source->place.column),
                 "</code>: ");
        put_text(page, "", source->path, "");
        if (source->note)
            put_text(page, ": ", source->note, "");
        put(page, "</p>\n");
        if (line)
            put_text(page, "<pre><code>", line, "</code></pre>\n");
    }
}

static void put_violation(const struct page *page, const struct verify_result *result)
{
    put_text(page,
             "<p>Smallest scale: ", report_scale(page->arena, page->report->scope, result->setup),
             "</p>\n");
    if (result->race)
        put(page, "<p>Race: this happens only if periodic controllers act while others are still "
                  "busy, every time.</p>\n");
    put_sources(page, result);
    put(page, "<details open><summary>How it comes about</summary>\n<ol class=\"steps\">\n");
    for (uint32_t i = 0; i < result->step_count; i++) {
        if (result->loops && !result->rests && i == result->loop_from)
            put(page, "<li class=\"loop\">from here it repeats for ever:</li>\n");
        put_step(page, result, i);
    }
    put(page, "</ol>\n");
    if (result->loops && result->rests)
        put(page,
            "<p class=\"note\">and there it stays: no controller does anything any more</p>\n");
    else if (result->loops)
        text_printf(page->text,
                    "<p class=\"note\">and again from step <a href=\"#i%u-s%u\">%u</a></p>\n",
                    page->number, result->loop_from + 1, result->loop_from + 1);
    if (report_reservation(result))
        put_text(page, "<p class=\"note\">", report_reservation(result), "</p>\n");
    put(page, "</details>\n<h3>The cluster at the end</h3>\n");
    put_cluster(page, &result->picture);
}

/* What holds, if more may happen, and the counterexample of that for those who open it. */
static void put_trial(struct page *page, uint32_t index)
{
    const char *line = report_trial_line(page->arena, page->report, index);
    const struct intent_trial *violated = report_violated_trial(page->report, index);
    if (line)
        put_text(page, "<p>", line, "</p>\n");
    if (!violated)
        return;
    const struct report report = report_of_trial(page->report, violated);
    struct page of_trial = *page;
    of_trial.report = &report;
    of_trial.number = ++page->number;
    put(page, "<details><summary>The counterexample of the trial</summary>\n");
    put_violation(&of_trial, violated->violation);
    put(page, "</details>\n");
}

static void put_intent(struct page *page, uint32_t index)
{
    const struct verify_report *found = page->report->found;
    const struct verify_result *result = &found->results[index];
    const char *verdict = verdict_name(result->verdict);
    page->number++;
    text_printf(page->text, "<section>\n<h2><span class=\"%s\">%s</span> ", verdict, verdict);
    if (result->of_nothing)
        put_text(page, "(of nothing: ", result->of_nothing, ") ");
    put_text(page, "", report_intent_label(page->arena, result->intent), "</h2>\n");
    if (result->verdict == VERDICT_VIOLATED) {
        put_text(page, "<p>", report_intent_violated(result->intent->kind), "</p>\n");
        const char *workloads = report_workloads_line(page->arena, page->report, index);
        if (workloads)
            put_text(page, "<p>It ", workloads, "</p>\n");
        put_violation(page, result);
    } else if (result->verdict == VERDICT_UNDECIDED) {
        const struct string_list known = report_undecided_lines(page->arena, page->report, index);
        put_text(page, "<p>", explore_reason_text(result->reason), "</p>\n");
        for (uint32_t i = 0; i < known.count; i++)
            put_text(page, "<p>", known.items[i], "</p>\n");
    }
    put_trial(page, index);
    if (found->verdicts)
        report_heatmap_html(page->arena, page->report, index, page->text);
    put(page, "</section>\n");
}

static void put_list(const struct page *page, const char *heading, const struct string_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        put_text(page, "<p class=\"note\">", heading, ": ");
        put_text(page, "", list->items[i], "</p>\n");
    }
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
        put_text(&page, "<h1>", page.report->check, "");
        const uint32_t of_nothing = report_of_nothing(arena, page.report).count;
        text_printf(text, ": <span class=\"%s\">%s</span>%s</h1>\n",
                    verdict_name(verify_verdict(found)), verdict_name(verify_verdict(found)),
                    of_nothing ? " (some of it of nothing)" : "");
        for (uint32_t i = 0; i < found->result_count; i++)
            put_intent(&page, i);
        text_printf(text,
                    "<p class=\"note\">Explored: %" PRIu64 " of %u setups, %" PRIu64
                    " states, %" PRIu64 " transitions, at most %u steps deep</p>\n",
                    found->setups_explored, found->setups.count, found->states, found->transitions,
                    found->depth);
        if (found->components > 0)
            put_text(&page, "<p class=\"note\">Decided: ", report_decided_by(arena, page.report),
                     "</p>\n");
        const struct string_list to_decide = report_to_decide(arena, page.report);
        put_list(&page, "Limit", &page.report->limits);
        put_list(&page, "To decide", &to_decide);
        put_list(&page, "Warning", &page.report->warnings);
        put_list(&page, "Of nothing", &page.report->idle);
        put_list(&page, "Assumed", &page.report->assumptions);
        put_list(&page, "Premise", &page.report->premises);
    }
    put_foot(&page);
}
