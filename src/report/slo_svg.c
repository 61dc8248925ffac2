/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines as a drawing: for each, three panels over the same seconds, of
 * requests (with what the load allows), of every pod's queue (with what the
 * objective allows) and of pods (with the autoscaler's decisions).
 */
#include "report/formats.h"
#include "report/slo_report.h"
#include "slo/threshold.h"

#include <stdio.h>

enum { LEFT = 60, WIDTH = 720, PANEL = 90, GAP = 26, TITLE = 30, BOTTOM = 36 };

struct panel {
    const struct slo_timeline *timeline;
    struct text *text;
    int top;
    uint32_t most; /* of the values */
};

/* Names may hold anything; XML minds these. */
static void write_escaped(struct text *text, const char *string)
{
    for (; *string; string++)
        switch (*string) {
        case '<': text_append_string(text, "&lt;"); break;
        case '>': text_append_string(text, "&gt;"); break;
        case '&': text_append_string(text, "&amp;"); break;
        default: text_append_char(text, *string);
        }
}

static double x_of(const struct panel *panel, uint32_t second)
{
    return LEFT + (double)WIDTH * second / panel->timeline->count;
}

static double y_of(const struct panel *panel, uint32_t value)
{
    const double share = panel->most ? (double)value / panel->most : 0;
    return panel->top + PANEL - share * PANEL;
}

static void begin_panel(const struct panel *panel, const char *name)
{
    text_printf(panel->text,
                "<text x=\"%d\" y=\"%d\">%s</text>\n<text x=\"%d\" y=\"%d\" "
                "text-anchor=\"end\">%u</text>\n<text x=\"%d\" y=\"%d\" "
                "text-anchor=\"end\">0</text>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                "fill=\"none\" stroke=\"#cccccc\"/>\n",
                LEFT, panel->top - 6, name, LEFT - 6, panel->top + 8, panel->most, LEFT - 6,
                panel->top + PANEL, LEFT, panel->top, WIDTH, PANEL);
}

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
    text_printf(panel->text, "<polyline fill=\"none\" %s points=\"", style);
    for (uint32_t i = 0; i < timeline->count; i++) {
        const double y = y_of(panel, value(&timeline->seconds[i], which));
        text_printf(panel->text, "%.1f,%.1f %.1f,%.1f ", x_of(panel, i), y, x_of(panel, i + 1), y);
    }
    text_append_string(panel->text, "\"/>\n");
}

static void draw_requests(struct panel *panel)
{
    for (uint32_t i = 0; i < panel->timeline->count; i++) {
        const struct slo_second *second = &panel->timeline->seconds[i];
        panel->most = second->allowed > panel->most ? second->allowed : panel->most;
    }
    begin_panel(panel, "requests a second (grey: allowed)");
    draw_steps(panel, allowed_of, 0, "stroke=\"#bbbbbb\" stroke-dasharray=\"4 2\"");
    draw_steps(panel, requests_of, 0, "stroke=\"#2b6cb0\" stroke-width=\"1.5\"");
}

static void draw_queues(struct panel *panel, const struct slo_service *service)
{
    static const char *const colours[] = {"#2b6cb0", "#7fbf7b", "#c27ba0",
                                          "#e69138", "#674ea7", "#45818e"};
    enum { LINES_MOST = 60 };
    uint32_t pods = 0;
    panel->most = service->queue_most;
    for (uint32_t i = 0; i < panel->timeline->count; i++) {
        const struct slo_second *second = &panel->timeline->seconds[i];
        const uint32_t longest = slo_longest_queue(second);
        panel->most = longest > panel->most ? longest : panel->most;
        pods = second->queue_count > pods ? second->queue_count : pods;
    }
    begin_panel(panel, "queue of each pod (red: allowed)");
    for (uint32_t pod = 0; pod < pods && pod < LINES_MOST; pod++) {
        char style[64];
        snprintf(style, sizeof(style), "stroke=\"%s\"",
                 colours[pod % (sizeof(colours) / sizeof(colours[0]))]);
        draw_steps(panel, queue_of, pod, style);
    }
    text_printf(panel->text,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#d7301f\" "
                "stroke-dasharray=\"6 3\"/>\n",
                LEFT, y_of(panel, service->queue_most), LEFT + WIDTH,
                y_of(panel, service->queue_most));
}

static void draw_pods(struct panel *panel, const struct slo_service *service)
{
    panel->most = service->pods_max;
    for (uint32_t i = 0; i < panel->timeline->count; i++)
        if (panel->timeline->seconds[i].desired > panel->most)
            panel->most = panel->timeline->seconds[i].desired;
    begin_panel(panel, "pods that serve (grey: wanted; triangles: decisions)");
    draw_steps(panel, desired_of, 0, "stroke=\"#999999\" stroke-dasharray=\"4 2\"");
    draw_steps(panel, serving_of, 0, "stroke=\"#38761d\" stroke-width=\"1.5\"");
    for (uint32_t i = 0; i < panel->timeline->count; i++) {
        const struct slo_second *second = &panel->timeline->seconds[i];
        const double x = x_of(panel, i + 1);
        const int base = panel->top + PANEL;
        if (second->marks & SLO_MARK_ASKED)
            text_printf(panel->text, "<path d=\"M%.1f %d l5 10 h-10 z\" fill=\"#38761d\"/>\n", x,
                        base + 2);
        if (second->marks & SLO_MARK_DROPPED)
            text_printf(panel->text, "<path d=\"M%.1f %d l5 -10 h-10 z\" fill=\"#d7301f\"/>\n", x,
                        base + 12);
    }
}

static int draw_answer(const struct slo_report *report, const struct slo_answer *answer, int top,
                       struct text *text)
{
    const struct slo_timeline *timeline = &answer->timeline;
    text_printf(text, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">", LEFT, top + 14);
    write_escaped(text, report->name);
    text_printf(text, ": %s %s</text>\n", slo_question_name(answer->question),
                verdict_name(answer->verdict));
    struct panel panel = {.timeline = timeline, .text = text, .top = top + TITLE + GAP};
    draw_requests(&panel);
    panel.top += PANEL + GAP;
    draw_queues(&panel, report->service);
    panel.top += PANEL + GAP;
    draw_pods(&panel, report->service);
    const int bottom = panel.top + PANEL;
    if (timeline->loops)
        text_printf(text,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#000000\" "
                    "stroke-dasharray=\"2 2\"/>\n",
                    x_of(&panel, timeline->loop_from), top + TITLE + GAP,
                    x_of(&panel, timeline->loop_from), bottom);
    text_printf(text, "<text x=\"%d\" y=\"%d\">second 1</text>\n", LEFT, bottom + 26);
    text_printf(text, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%u</text>\n", LEFT + WIDTH,
                bottom + 26, timeline->count);
    return bottom + BOTTOM;
}

void slo_write_svg(const struct writer_context *how, const struct slo_reports *reports,
                   struct text *text)
{
    struct arena *arena = how->arena;
    struct text body;
    int bottom = 10;
    (void)arena;
    text_init(&body, text->memory);
    for (uint32_t r = 0; r < reports->count; r++) {
        const struct slo_report *report = &reports->items[r];
        for (uint32_t i = 0; i < report->answer_count; i++) {
            const struct slo_answer *answer = &report->answers[i];
            if (answer->timeline.count > 0) {
                bottom = draw_answer(report, answer, bottom, &body);
                continue;
            }
            text_printf(&body, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">", LEFT, bottom + 14);
            write_escaped(&body, report->name);
            text_printf(&body, ": %s %s</text>\n", slo_question_name(answer->question),
                        verdict_name(answer->verdict));
            bottom += TITLE;
        }
    }
    text_printf(text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "font-family=\"sans-serif\" font-size=\"11\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                LEFT + WIDTH + 40, bottom + 10);
    text_append(text, text_content(&body), body.length);
    text_append_string(text, "</svg>\n");
    text_release(&body);
}
