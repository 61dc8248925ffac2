/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time and the memory of a whole run, from its first byte of input to its report, and the
 * user's wish to end it. Every phase that may take long asks the one budget of the run; what is
 * not done when it is over is undecided.
 */
#ifndef FATHOM_BASE_BUDGET_H
#define FATHOM_BASE_BUDGET_H

#include "base/clock.h"
#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>

struct budget {
    int64_t deadline_ns;            /* 0: there is no limit */
    const atomic_bool *interrupted; /* NULL: nobody can */
    const struct memory *memory;    /* NULL: it is not limited */
};

/* From now on; UINT64_MAX: without an end. */
static inline struct budget budget_of(uint64_t time_most_ms)
{
    const uint64_t far_ms = UINT64_C(1) << 40;
    return (struct budget){.deadline_ns = time_most_ms < far_ms
                                              ? clock_now_ns() + (int64_t)time_most_ms * 1000000
                                              : 0};
}

/* UINT64_MAX: there is no limit. */
static inline uint64_t budget_left_ms(const struct budget *budget)
{
    const int64_t left = budget->deadline_ns - clock_now_ns();
    if (budget->deadline_ns == 0)
        return UINT64_MAX;
    return left > 0 ? (uint64_t)left / 1000000 : 0;
}

static inline bool budget_time_is_over(const struct budget *budget)
{
    return budget->deadline_ns != 0 && clock_now_ns() >= budget->deadline_ns;
}

static inline bool budget_is_over(const struct budget *budget)
{
    return (budget->interrupted && atomic_load(budget->interrupted)) ||
           (budget->memory && memory_is_over(budget->memory)) || budget_time_is_over(budget);
}

#endif
