/* SPDX-License-Identifier: Apache-2.0 */
/* The values that --find tried, as a drawing. */
#ifndef FATHOM_REPORT_SLO_FRONTIER_SVG_H
#define FATHOM_REPORT_SLO_FRONTIER_SVG_H

#include "base/arena.h"
#include "base/text.h"
#include "slo/synthesis.h"

/* Gives where the next drawing begins. */
int slo_draw_frontier(struct arena *arena, const char *name, const struct slo_frontier *frontier,
                      int top, struct text *text);

#endif
