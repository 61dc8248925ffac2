/* SPDX-License-Identifier: Apache-2.0 */
#include "report/svg_panel.h"

enum { TICKS_UP = 4, TICKS_RIGHT = 12, KEY_LINE = 22, KEY_GAP = 14, LETTER_WIDTH = 6 };

void svg_append_escaped(struct text *text, const char *string)
{
    for (; *string; string++)
        switch (*string) {
        case '<': text_append_string(text, "&lt;"); break;
        case '>': text_append_string(text, "&gt;"); break;
        case '&': text_append_string(text, "&amp;"); break;
        default: text_append_char(text, *string);
        }
}

uint32_t svg_tick(uint32_t most, uint32_t ticks_most)
{
    static const uint32_t firsts[] = {1, 2, 5};
    for (uint32_t power = 1; power <= UINT32_MAX / 10; power *= 10)
        for (uint32_t i = 0; i < sizeof(firsts) / sizeof(*firsts); i++)
            if (most / (firsts[i] * power) <= ticks_most)
                return firsts[i] * power;
    return most;
}

double svg_x(const struct svg_panel *panel, double second)
{
    return PANEL_LEFT + PANEL_WIDTH * second / (panel->seconds ? panel->seconds : 1);
}

double svg_y(const struct svg_panel *panel, uint32_t value)
{
    const double share = panel->most ? (double)value / panel->most : 0;
    return panel->top + PANEL_HEIGHT - share * PANEL_HEIGHT;
}

static void draw_ticks_up(const struct svg_panel *panel)
{
    const uint32_t tick = svg_tick(panel->most, TICKS_UP);
    for (uint64_t value = 0; value <= panel->most; value += tick) {
        const double y = svg_y(panel, (uint32_t)value);
        text_printf(panel->text,
                    "<path d=\"M%d %.1fh-4M%d %.1fh%d\" stroke=\"#dddddd\"/>\n"
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%u</text>\n",
                    PANEL_LEFT, y, PANEL_LEFT, y, PANEL_WIDTH, PANEL_LEFT - 6, y + 4,
                    (uint32_t)value);
    }
}

/* A tick is at the end of its second. */
static void draw_ticks_right(const struct svg_panel *panel)
{
    const uint32_t tick = svg_tick(panel->seconds, TICKS_RIGHT);
    const int base = panel->top + PANEL_HEIGHT;
    for (uint64_t second = 0; second <= panel->seconds; second += tick)
        text_printf(panel->text,
                    "<path d=\"M%.1f %dv4\" stroke=\"#888888\"/>\n<text x=\"%.1f\" y=\"%d\" "
                    "text-anchor=\"middle\">%u%s</text>\n",
                    svg_x(panel, (double)second), base, svg_x(panel, (double)second), base + 15,
                    (uint32_t)second, second == 0 ? " s" : "");
}

static int text_width(const char *words)
{
    int letters = 0;
    for (; *words; words++)
        letters += (*words & 0xC0) != 0x80;
    return letters * LETTER_WIDTH;
}

static void draw_legend(const struct svg_panel *panel, const struct svg_key *keys, uint32_t count)
{
    int right = PANEL_LEFT + PANEL_WIDTH;
    for (uint32_t i = count; i > 0; i--) {
        const struct svg_key *key = &keys[i - 1];
        right -= text_width(key->words);
        text_printf(panel->text,
                    "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" %s/>\n<text x=\"%d\" y=\"%d\">",
                    right - KEY_LINE, panel->top - 10, right - 4, panel->top - 10, key->style,
                    right, panel->top - 6);
        svg_append_escaped(panel->text, key->words);
        text_append_string(panel->text, "</text>\n");
        right -= KEY_LINE + KEY_GAP;
    }
}

void svg_panel_begin(const struct svg_panel *panel, const char *title, const struct svg_key *keys,
                     uint32_t key_count)
{
    text_printf(panel->text, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">", PANEL_LEFT,
                panel->top - 6);
    svg_append_escaped(panel->text, title);
    text_append_string(panel->text, "</text>\n");
    draw_ticks_up(panel);
    draw_ticks_right(panel);
    draw_legend(panel, keys, key_count);
    text_printf(panel->text,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
                "stroke=\"#888888\"/>\n",
                PANEL_LEFT, panel->top, PANEL_WIDTH, PANEL_HEIGHT);
}
