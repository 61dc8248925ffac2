/* SPDX-License-Identifier: Apache-2.0 */
/* A panel of a drawing: values over seconds, with axes that have ticks and units, and a legend. */
#ifndef FATHOM_REPORT_SVG_PANEL_H
#define FATHOM_REPORT_SVG_PANEL_H

#include "base/text.h"

#include <stdint.h>

enum { PANEL_LEFT = 60, PANEL_WIDTH = 720, PANEL_HEIGHT = 96 };

struct svg_panel {
    struct text *text;
    int top;
    uint32_t seconds; /* on the way from left to right */
    uint32_t most;    /* of the values */
};

/* One line of the legend: how it is drawn, and what it is. */
struct svg_key {
    const char *style; /* attributes of a line */
    const char *words;
};

/* The distance of ticks: 1, 2 or 5 times a power of ten, so that there are at most so many. */
uint32_t svg_tick(uint32_t most, uint32_t ticks_most);

double svg_x(const struct svg_panel *panel, double second);
double svg_y(const struct svg_panel *panel, uint32_t value);

/* The frame, the ticks of both axes, the title with its unit, and the legend. */
void svg_panel_begin(const struct svg_panel *panel, const char *title, const struct svg_key *keys,
                     uint32_t key_count);

/* Texts may hold anything; XML minds some of it. */
void svg_append_escaped(struct text *text, const char *string);

#endif
