/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of completion indexes as sorted intervals: "0,2-5,7", the form in which
 * an Indexed Job keeps them in its status. */
#ifndef FATHOM_DECIDE_CONTROLLER_JOB_INDEXES_H
#define FATHOM_DECIDE_CONTROLLER_JOB_INDEXES_H

#include "base/vec.h"

#include <stdbool.h>

struct job_interval {
    int64_t first;
    int64_t last;
};

struct job_indexes {
    struct job_interval *items; /* sorted; never overlapping or touching, unless read so */
    uint32_t count;
    uint32_t capacity;
};

/* Reads a status; what is broken or not below `completions` is left out. */
struct job_indexes job_indexes_parse(struct arena *arena, const char *text, int64_t completions);
/* Two neighbours are written as "1,2", three as "1-3". */
const char *job_indexes_format(struct arena *arena, const struct job_indexes *indexes);

bool job_indexes_has(const struct job_indexes *indexes, int64_t index);
int64_t job_indexes_total(const struct job_indexes *indexes);
/* How many both have. */
int64_t job_indexes_common(const struct job_indexes *left, const struct job_indexes *right);
/* The union. */
struct job_indexes job_indexes_merge(struct arena *arena, const struct job_indexes *left,
                                     const struct job_indexes *right);
/* The union with some sorted numbers. */
struct job_indexes job_indexes_with(struct arena *arena, const struct job_indexes *indexes,
                                    const int64_t *numbers, uint32_t number_count);

/* Sorts numbers, each once; how many are left. */
uint32_t job_sort_numbers(int64_t *numbers, uint32_t count);

#endif
