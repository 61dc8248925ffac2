/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines as a drawing: for each, three panels over the same seconds, of
 * requests (with what the load allows), of every pod's queue (with what the
 * objective allows) and of pods (with the autoscaler's decisions); and what --find tried.
 */
#include "report/formats.h"
#include "report/slo_frontier_svg.h"
#include "report/slo_report.h"
#include "report/svg_panel.h"
#include "slo/threshold.h"

#include <stdio.h>

enum { GAP = 44, TITLE = 22, BOTTOM = 40, MARGIN = 40 };

struct panel {
    const struct slo_timeline *timeline;
    struct svg_panel drawn;
};

static double x_of(const struct panel *panel, uint32_t second)
{
    return svg_x(&panel->drawn, second);
}

static double y_of(const struct panel *panel, uint32_t value)
{
    return svg_y(&panel->drawn, value);
}

static void raise_top(struct panel *panel, uint32_t value)
{
    panel->drawn.most = value > panel->drawn.most ? value : panel->drawn.most;
}

static const char allowed_style[] = "stroke=\"#888888\" stroke-dasharray=\"4 2\"";
static const char requests_style[] = "stroke=\"#2b6cb0\" stroke-width=\"1.5\"";
static const char objective_style[] =
    "stroke=\"#c22a1a\" stroke-width=\"1.5\" stroke-dasharray=\"6 3\"";
static const char serving_style[] = "stroke=\"#2f6318\" stroke-width=\"1.5\"";

typedef uint32_t value_of(const struct slo_second *second, uint32_t which);

static uint32_t requests_of(const struct slo_second *second, uint32_t which)
{
    (void)which;
    return second->requests;
}

static uint32_t allowed_of(const struct slo_second *second, uint32_t which)
{
    (void)which;
    return second->allowed;
}

static uint32_t serving_of(const struct slo_second *second, uint32_t which)
{
    (void)which;
    return second->serving;
}

static uint32_t desired_of(const struct slo_second *second, uint32_t which)
{
    (void)which;
    return second->desired;
}

static uint32_t queue_of(const struct slo_second *second, uint32_t which)
{
    return which < second->queue_count ? second->queue[which] : 0;
}

/* A line that stays level through each second. */
static void draw_steps(const struct panel *panel, value_of *value, uint32_t which,
                       const char *style)
{
    const struct slo_timeline *timeline = panel->timeline;
    text_printf(panel->drawn.text, "<polyline fill=\"none\" %s points=\"", style);
    for (uint32_t i = 0; i < timeline->count; i++) {
        const double y = y_of(panel, value(&timeline->seconds[i], which));
        text_printf(panel->drawn.text, "%.1f,%.1f %.1f,%.1f ", x_of(panel, i), y,
                    x_of(panel, i + 1), y);
    }
    text_append_string(panel->drawn.text, "\"/>\n");
}

static void draw_requests(struct panel *panel)
{
    const struct svg_key keys[] = {{requests_style, "sent"},
                                   {allowed_style, "allowed by the load"}};
    panel->drawn.most = 1;
    for (uint32_t i = 0; i < panel->timeline->count; i++)
        raise_top(panel, panel->timeline->seconds[i].allowed);
    svg_panel_begin(&panel->drawn, "Requests a second", keys, 2);
    draw_steps(panel, allowed_of, 0, allowed_style);
    draw_steps(panel, requests_of, 0, requests_style);
}

static void draw_objective(const struct panel *panel, const struct slo_service *service)
{
    text_printf(panel->drawn.text,
                "<line class=\"objective\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" %s/>\n",
                PANEL_LEFT, y_of(panel, service->queue_most), PANEL_LEFT + PANEL_WIDTH,
                y_of(panel, service->queue_most), objective_style);
}

static void draw_queues(struct panel *panel, const struct slo_service *service)
{
    static const char *const colours[] = {"#2b6cb0", "#3d8b37", "#a64d79",
                                          "#b45f06", "#674ea7", "#2a6f77"};
    const struct svg_key keys[] = {{"stroke=\"#2b6cb0\"", "a line for each pod"},
                                   {objective_style, "the most that the objective allows"}};
    enum { LINES_MOST = 60 };
    uint32_t pods = 0;
    panel->drawn.most = service->queue_most + 1;
    for (uint32_t i = 0; i < panel->timeline->count; i++) {
        const struct slo_second *second = &panel->timeline->seconds[i];
        raise_top(panel, slo_longest_queue(second));
        pods = second->queue_count > pods ? second->queue_count : pods;
    }
    svg_panel_begin(&panel->drawn, "Requests that wait at a pod", keys, 2);
    for (uint32_t pod = 0; pod < pods && pod < LINES_MOST; pod++) {
        char style[64];
        snprintf(style, sizeof(style), "stroke=\"%s\"",
                 colours[pod % (sizeof(colours) / sizeof(colours[0]))]);
        draw_steps(panel, queue_of, pod, style);
    }
    draw_objective(panel, service);
}

static void draw_decisions(const struct panel *panel)
{
    for (uint32_t i = 0; i < panel->timeline->count; i++) {
        const struct slo_second *second = &panel->timeline->seconds[i];
        const double x = x_of(panel, i + 1);
        const int base = panel->drawn.top + PANEL_HEIGHT;
        if (second->marks & SLO_MARK_ASKED)
            text_printf(panel->drawn.text, "<path d=\"M%.1f %d l5 10 h-10 z\" fill=\"#2f6318\"/>\n",
                        x, base - 11);
        if (second->marks & SLO_MARK_DROPPED)
            text_printf(panel->drawn.text,
                        "<path d=\"M%.1f %d l5 -10 h-10 z\" fill=\"#c22a1a\"/>\n", x, base - 1);
    }
}

static void draw_pods(struct panel *panel, const struct slo_service *service)
{
    const struct svg_key keys[] = {
        {serving_style, "serve"},
        {allowed_style, "wanted"},
        {"stroke=\"none\"", "\u25b2 pods asked for  \u25bc pods dropped"}};
    panel->drawn.most = service->pods_max;
    for (uint32_t i = 0; i < panel->timeline->count; i++)
        raise_top(panel, panel->timeline->seconds[i].desired);
    svg_panel_begin(&panel->drawn, "Pods", keys, 3);
    draw_steps(panel, desired_of, 0, allowed_style);
    draw_steps(panel, serving_of, 0, serving_style);
    draw_decisions(panel);
}

/* The seconds in which the objective is broken, over all panels, the first one with its number. */
static void mark_broken(const struct panel *panel, int top, int bottom)
{
    bool first = true;
    for (uint32_t i = 0; i < panel->timeline->count; i++) {
        if (!(panel->timeline->seconds[i].marks & SLO_MARK_VIOLATED))
            continue;
        text_printf(panel->drawn.text,
                    "<rect class=\"broken\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" "
                    "fill=\"#c22a1a\" fill-opacity=\"0.15\"/>\n",
                    x_of(panel, i), top, x_of(panel, i + 1) - x_of(panel, i), bottom - top);
        if (first)
            text_printf(panel->drawn.text,
                        "<text x=\"%.1f\" y=\"%d\" fill=\"#c22a1a\" text-anchor=\"end\">broken in "
                        "second %u</text>\n",
                        x_of(panel, i + 1), bottom + 28, i + 1);
        first = false;
    }
}

static void mark_loop(const struct panel *panel, int top, int bottom)
{
    const double x = x_of(panel, panel->timeline->loop_from);
    if (!panel->timeline->loops)
        return;
    text_printf(panel->drawn.text,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#000000\" "
                "stroke-dasharray=\"2 2\"/>\n<text x=\"%.1f\" y=\"%d\">from here it "
                "repeats</text>\n",
                x, top, x, bottom, x, bottom + 28);
}

static void draw_title(struct text *text, int top, const char *name, const char *rest)
{
    text_printf(text, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\" font-size=\"13\">", PANEL_LEFT,
                top + 14);
    svg_append_escaped(text, name);
    text_append_string(text, ": ");
    svg_append_escaped(text, rest);
    text_append_string(text, "</text>\n");
}

static int draw_answer(struct arena *arena, const struct slo_report *report,
                       const struct slo_answer *answer, int top, struct text *text)
{
    const struct slo_timeline *timeline = &answer->timeline;
    draw_title(text, top, report->name,
               arena_printf(arena, "%s %s", slo_question_name(answer->question),
                            verdict_name(answer->verdict)));
    if (timeline->count == 0)
        return top + TITLE + GAP / 4;
    const int first = top + TITLE + GAP / 2;
    struct panel panel = {timeline, {.text = text, .top = first, .seconds = timeline->count}};
    draw_requests(&panel);
    panel.drawn.top += PANEL_HEIGHT + GAP;
    draw_queues(&panel, report->service);
    panel.drawn.top += PANEL_HEIGHT + GAP;
    draw_pods(&panel, report->service);
    const int bottom = panel.drawn.top + PANEL_HEIGHT;
    mark_broken(&panel, first, bottom);
    mark_loop(&panel, first, bottom);
    return bottom + BOTTOM;
}

void slo_write_svg(const struct writer_context *how, const struct slo_reports *reports,
                   struct text *text)
{
    struct text body;
    int bottom = 10;
    text_init(&body, text->memory);
    for (uint32_t r = 0; r < reports->count; r++) {
        const struct slo_report *report = &reports->items[r];
        for (uint32_t i = 0; i < report->answer_count; i++)
            bottom = draw_answer(how->arena, report, &report->answers[i], bottom, &body);
        if (report->frontier)
            bottom = slo_draw_frontier(how->arena, report->name, report->frontier, bottom, &body);
    }
    const int width = PANEL_LEFT + PANEL_WIDTH + MARGIN;
    text_printf(text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                "height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                width, bottom + 10, width, bottom + 10);
    text_append(text, text_content(&body), body.length);
    text_append_string(text, "</svg>\n");
    text_release(&body);
}
