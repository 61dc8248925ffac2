/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The published rows (appendix A of the thesis), for tests, the benchmark and
 * the table in docs/slo.md: configurations with the tool's prediction and the
 * measured trials.
 */
#ifndef FATHOM_SLO_PUBLISHED_ROWS_H
#define FATHOM_SLO_PUBLISHED_ROWS_H

#include "slo/published.h"

#include <stdio.h>

struct published_row {
    struct published_parameters parameters;
    bool predicted; /* the published tool says that the objective is met */
    uint32_t trials_met, trials;
};

/* The next row of a file whose first line was read already; false at its end. A
 * line that does not parse ends the process: the files are ours. */
bool published_row_read(FILE *file, enum published_model model, struct published_row *row);
/* Opens the file below the source tree and skips the names of its columns. */
FILE *published_rows_open(const char *root, enum published_model model);

#endif
