/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict of every scale: total nodes to the right, total pods upwards. Several setups can have
 * the same totals; the worst one shows.
 */
#ifndef FATHOM_REPORT_HEATMAP_CELLS_H
#define FATHOM_REPORT_HEATMAP_CELLS_H

#include "report/report.h"

enum cell_verdict { CELL_NONE, CELL_HOLDS, CELL_UNDECIDED, CELL_VIOLATED };

struct heatmap_cell {
    uint8_t verdict;  /* enum cell_verdict; CELL_NONE: nothing is known of that size */
    uint8_t explored; /* 0: it is known from other sizes */
};

struct heatmap {
    int32_t nodes_least, nodes_most;
    int32_t pods_least, pods_most;
    struct heatmap_cell *cells; /* by pods, then nodes */
    bool beyond;                /* some are known from other sizes */
};

struct heatmap_cell *heatmap_cell_at(const struct heatmap *map, int32_t nodes, int32_t pods);

/* Of one intent; there is a setup. */
struct heatmap heatmap_of(struct arena *arena, const struct report *report, uint32_t intent);

#endif
