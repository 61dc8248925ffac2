/* SPDX-License-Identifier: Apache-2.0 */
/* Durations of a setup, which are gone through twice: first for the tick, then in ticks. */
#ifndef FATHOM_CLUSTER_BUILD_CLOCK_READING_H
#define FATHOM_CLUSTER_BUILD_CLOCK_READING_H

#include "cluster/forward.h"

#include <stdint.h>

struct thresholds;

struct reading_times {
    struct population *population;
    int64_t common; /* divides all durations so far */
    int64_t tick;   /* 0: not known yet */
};

/* The tick has to divide the duration; gives it in ticks once the tick is known. */
uint32_t reading_note(struct reading_times *reading, int64_t duration);
/* Likewise of an age that makes a difference; none if it is 0. */
void reading_add_threshold(struct reading_times *reading, struct thresholds *to, int64_t duration);

#endif
