/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `fathom controller` found, as one page that needs nothing else: each counterexample is a
 * sequence diagram. A row is a step: its message between the life lines, and the sentence beside
 * it, so that long sentences wrap and everything can be read without the drawing.
 */
#include "report/controller_parts.h"
#include "report/formats.h"
#include "report/report_html_page.h"

#include <inttypes.h>
#include <string.h>

enum { ARROW_Y = 13, CROSS_SIZE = 5 };

/* Those that some step of the run is about, in their usual order. */
struct lane_list {
    const char *names[CONTROLLER_LANE_COUNT];
    uint32_t count;
};

static bool has_lane(const struct controller_run *run, const char *lane)
{
    for (uint32_t i = 0; i < run->count; i++)
        if (strcmp(run->steps[i].from, lane) == 0 ||
            (run->steps[i].to && strcmp(run->steps[i].to, lane) == 0))
            return true;
    return false;
}

static struct lane_list lanes_of(const struct controller_run *run)
{
    struct lane_list lanes = {.count = 0};
    for (uint32_t i = 0; i < CONTROLLER_LANE_COUNT; i++)
        if (has_lane(run, controller_lanes[i]))
            lanes.names[lanes.count++] = controller_lanes[i];
    return lanes;
}

/* In per cent of the width. */
static double lane_x(const struct lane_list *lanes, const char *name)
{
    uint32_t at = 0;
    while (at + 1 < lanes->count && strcmp(lanes->names[at], name) != 0)
        at++;
    return 100.0 * (at + 0.5) / lanes->count;
}

/* ---- one step ---- */

static void put_cross(const struct page *page, double x)
{
    text_printf(page->text,
                "<svg x=\"%.2f%%\" y=\"%d\" overflow=\"visible\"><path class=\"cross\" "
                "d=\"M-%d -%dL%d %dM%d -%dL-%d %d\"/></svg>",
                x, ARROW_Y, CROSS_SIZE, CROSS_SIZE, CROSS_SIZE, CROSS_SIZE, CROSS_SIZE, CROSS_SIZE,
                CROSS_SIZE, CROSS_SIZE);
}

static void put_drawing(const struct page *page, const struct lane_list *lanes,
                        const struct controller_step *step)
{
    const double from = lane_x(lanes, step->from);
    const double to = step->to ? lane_x(lanes, step->to) : from;
    page_put(page, "<svg class=\"drawing\" aria-hidden=\"true\" focusable=\"false\">");
    for (uint32_t i = 0; i < lanes->count; i++) {
        const double x = lane_x(lanes, lanes->names[i]);
        text_printf(page->text,
                    "<line class=\"life\" x1=\"%.2f%%\" y1=\"0\" x2=\"%.2f%%\" y2=\"100%%\"/>", x,
                    x);
    }
    if (step->to)
        text_printf(page->text,
                    "<line class=\"message-line\" x1=\"%.2f%%\" y1=\"%d\" x2=\"%.2f%%\" "
                    "y2=\"%d\" marker-end=\"url(#%s)\"/>",
                    from, ARROW_Y, to, ARROW_Y, step->is_fault ? "head-fault" : "head");
    else if (!step->is_fault)
        text_printf(page->text, "<circle class=\"own\" cx=\"%.2f%%\" cy=\"%d\" r=\"4\"/>", from,
                    ARROW_Y);
    if (step->is_fault)
        put_cross(page, (from + to) / 2);
    page_put(page, "</svg>\n");
}

static void put_causes(const struct page *page, const struct controller_step *step)
{
    bool any = false;
    for (uint32_t i = 0; i < step->cause_count; i++)
        if (step->causes[i] > 0) {
            text_printf(page->text, "%s<a href=\"#i%u-s%u\">%u</a>",
                        any ? ", " : "<div class=\"causes\">needs ", page->number, step->causes[i],
                        step->causes[i]);
            any = true;
        }
    if (any)
        page_put(page, "</div>\n");
}

static void put_step(const struct page *page, const struct lane_list *lanes,
                     const struct controller_run *run, uint32_t index)
{
    const struct controller_step *step = &run->steps[index];
    const bool loop = run->loops && !run->loop_rests && index >= run->loop_from;
    text_printf(page->text, "<li id=\"i%u-s%u\" class=\"message%s%s%s\">", page->number, index + 1,
                step->is_user ? " by-user" : "", step->is_fault ? " fault" : "",
                loop ? " loop" : "");
    put_drawing(page, lanes, step);
    text_printf(page->text, "<div class=\"said\"><span class=\"number\">%u.</span> ", index + 1);
    if (step->is_fault)
        page_put(page, "<span class=\"actor event\">fault</span> ");
    page_put_text(page, "<span class=\"between\">", step->from, "");
    if (step->to)
        page_put_text(page, " \u2192 ", step->to, "");
    page_put_text(page, "</span> <span class=\"detail\">", step->detail, "</span>\n");
    put_causes(page, step);
    page_put(page, "</div></li>\n");
}

/* ---- a counterexample ---- */

static void put_run(const struct page *page, const struct controller_run *run)
{
    const struct lane_list lanes = lanes_of(run);
    text_printf(page->text,
                "<div class=\"sequence lanes-%u\">\n<div class=\"lanes\" aria-hidden=\"true\">",
                lanes.count);
    for (uint32_t i = 0; i < lanes.count; i++)
        page_put_text(page, "<span>", lanes.names[i], "</span>");
    page_put(page, "</div>\n<ol class=\"messages\">\n");
    for (uint32_t i = 0; i < run->count; i++) {
        if (run->loops && !run->loop_rests && i == run->loop_from)
            page_put(page, "<li class=\"note loop\">from here it repeats for ever:</li>\n");
        put_step(page, &lanes, run, i);
    }
    page_put(page, "</ol>\n");
    if (run->loops && run->loop_rests)
        page_put(page,
                 "<p class=\"note\">and there it stays: nothing has to happen any more</p>\n");
    else if (run->loops)
        text_printf(page->text,
                    "<p class=\"note\">and again from step <a href=\"#i%u-s%u\">%u</a></p>\n",
                    page->number, run->loop_from + 1, run->loop_from + 1);
    page_put(page, "</div>\n");
}

static void put_intent(struct page *page, const struct controller_report *report,
                       const struct judged_intent *intent)
{
    const char *verdict = verdict_name(intent->verdict);
    page->number++;
    text_printf(page->text, "<section id=\"intent%u\">\n<h2><span class=\"%s\">%s</span> ",
                page->number, verdict, verdict);
    page_put_text(page, "", controller_intent_label(page->arena, intent), "</h2>\n");
    if (intent->verdict == VERDICT_UNDECIDED)
        page_put_text(page, "<p>", explore_reason_text(intent->reason), "</p>\n");
    if (intent->verdict == VERDICT_VIOLATED) {
        page_put_text(page, "<p>", controller_intent_kind(intent), ": ");
        page_put_text(page, "", controller_intent_meaning(intent), "</p>\n");
    }
    if (intent->run) {
        put_run(page, intent->run);
        if (intent->sliced)
            page_put_text(page, "<p>It needs: ",
                          controller_slice_words(page->arena, report->options, &intent->slice),
                          "</p>\n");
    }
    page_put(page, "</section>\n");
}

/* ---- a report ---- */

static void put_summary(const struct page *page, const struct judged_controller *judged)
{
    page_put(page, "<table class=\"summary\"><caption>Intents</caption>\n");
    for (uint32_t i = 0; i < judged->count; i++) {
        const struct judged_intent *intent = &judged->intents[i];
        const char *verdict = verdict_name(intent->verdict);
        text_printf(page->text,
                    "<tr><td class=\"%s\">%s</td><th scope=\"row\"><a href=\"#intent%u\">", verdict,
                    verdict, page->number + i + 1);
        page_put_text(page, "", controller_intent_label(page->arena, intent), "</a></th></tr>\n");
    }
    page_put(page, "</table>\n");
}

static void put_basis(const struct page *page, const struct controller_report *report)
{
    const struct judged_controller *judged = report->judged;
    page_put_text(page, "<dl class=\"basis\">\n<dt>Bounds</dt><dd>",
                  controller_bounds(page->arena, report->options), "</dd>\n");
    text_printf(page->text,
                "<dt>Explored</dt><dd>%" PRIu64 " states, %" PRIu64
                " transitions, at most %u steps deep%s</dd>\n",
                judged->statistics.states, judged->statistics.transitions,
                (unsigned)judged->statistics.depth, judged->complete ? "" : ", not all of them");
    for (uint32_t i = 0; i < report->limits.count; i++)
        page_put_text(page, "<dt>Limit</dt><dd>", report->limits.items[i], "</dd>\n");
    page_put(page, "</dl>\n");
}

static void put_report(struct page *page, const struct controller_report *report)
{
    const struct judged_controller *judged = report->judged;
    const char *verdict = verdict_name(judged->verdict);
    page_put_text(page, "<h1>Controller ", report->check, "");
    if (report->variant)
        page_put_text(page, ", ", report->variant, "");
    text_printf(page->text, ": <span class=\"%s\">%s</span></h1>\n<div class=\"top\">\n", verdict,
                verdict);
    put_summary(page, judged);
    put_basis(page, report);
    page_put(page, "</div>\n");
    for (uint32_t i = 0; i < judged->count; i++)
        put_intent(page, report, &judged->intents[i]);
}

/* Arrow heads that all drawings share. */
static void put_heads(const struct page *page)
{
    static const char *const names[] = {"head", "head-fault"};
    page_put(page, "<svg class=\"heads\" aria-hidden=\"true\" width=\"0\" height=\"0\"><defs>");
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        text_printf(page->text,
                    "<marker id=\"%s\" markerWidth=\"9\" markerHeight=\"8\" refX=\"9\" refY=\"4\" "
                    "orient=\"auto\" markerUnits=\"userSpaceOnUse\"><path class=\"%s\" "
                    "d=\"M0 0L9 4L0 8Z\"/></marker>",
                    names[i], names[i]);
    page_put(page, "</defs></svg>\n");
}

void controller_write_html(const struct writer_context *how,
                           const struct controller_reports *reports, struct text *text)
{
    struct page page = {.arena = how->arena, .text = text};
    page_put_head(&page, reports->count == 1 ? reports->items[0].check : "Fathom");
    put_heads(&page);
    if (reports->settled)
        page_put_text(&page, "<p>", reports->settled, "</p>\n");
    for (uint32_t r = 0; r < reports->count; r++)
        put_report(&page, &reports->items[r]);
    page_put_foot(&page);
}
