/* SPDX-License-Identifier: Apache-2.0 */
/* The engine against the naive one, on one model: everything that must agree. */
#ifndef FATHOM_TEST_NAIVE_COMPARE_H
#define FATHOM_TEST_NAIVE_COMPARE_H

#include "base/text.h"
#include "naive/naive.h"

/* What the naive engine found out about a model, and where differences go. */
struct comparison {
    struct naive_graph graph;
    struct naive_answer *answers; /* one a property */
    struct text *differences;
};

void comparison_init(struct comparison *comparison, struct arena *arena, const struct model *model,
                     struct text *differences);

/* Exact runs on 1, 2 and 4 threads: verdicts, counts, shortest paths, lassos. */
void compare_exact(const struct comparison *comparison);
/* Ending with the first violation: nothing that is said may be untrue. */
void compare_first_violation(const struct comparison *comparison);
/* Lossy modes: violations are real, and nothing holds without a caveat. */
void compare_lossy(const struct comparison *comparison, enum explore_mode mode);

#endif
