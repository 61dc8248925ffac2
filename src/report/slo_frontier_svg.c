/* SPDX-License-Identifier: Apache-2.0 */
#include "report/slo_frontier_svg.h"

#include "report/svg_panel.h"

#include <inttypes.h>

enum { ROW = 18, BAR_LEFT = 130, SENTENCE = 34 };

static const char *colour_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_HOLDS: return "#2f8f4e";
    case VERDICT_VIOLATED: return "#c22a1a";
    default: return "#999999";
    }
}

/* A bar to the second in which it can be broken first; what holds has the whole width. */
static void draw_probe(const struct slo_probe *probe, uint32_t seconds_most, bool best, int top,
                       struct text *text)
{
    const double whole = PANEL_LEFT + PANEL_WIDTH - BAR_LEFT - 160;
    const uint32_t second = probe->verdict.second;
    const double width = second > 0 ? whole * second / (seconds_most + 1) : whole;
    text_printf(text,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\"%s>%" PRIu64 "</text>\n"
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n"
                "<text x=\"%.1f\" y=\"%d\">%s",
                BAR_LEFT - 8, top + 12, best ? " font-weight=\"bold\"" : "", probe->value, BAR_LEFT,
                top + 2, width, ROW - 5, colour_of(probe->verdict.verdict), BAR_LEFT + width + 6,
                top + 12, verdict_name(probe->verdict.verdict));
    if (second > 0)
        text_printf(text, ", from second %u on", second);
    text_append_string(text, best ? ": the best\n</text>\n" : "</text>\n");
}

int slo_draw_frontier(struct arena *arena, const char *name, const struct slo_frontier *frontier,
                      int top, struct text *text)
{
    uint32_t seconds_most = 1;
    for (uint32_t i = 0; i < frontier->count; i++)
        if (frontier->items[i].verdict.second > seconds_most)
            seconds_most = frontier->items[i].verdict.second;
    text_printf(text, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\" font-size=\"13\">", PANEL_LEFT,
                top + 14);
    svg_append_escaped(text, name);
    text_append_string(text, ": ");
    svg_append_escaped(text, slo_frontier_text(arena, frontier));
    text_printf(text, "</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
                BAR_LEFT - 8, top + SENTENCE - 2, frontier->parameter);
    for (uint32_t i = 0; i < frontier->count; i++)
        draw_probe(&frontier->items[i], seconds_most,
                   frontier->found && frontier->items[i].value == frontier->value,
                   top + SENTENCE + (int)i * ROW, text);
    return top + SENTENCE + (int)frontier->count * ROW + ROW;
}
