/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A limit of several searches together, on time or states: each search gets what the ones
 * before it have left. UINT64_MAX: there is no limit.
 */
#ifndef FATHOM_BASE_LIMIT_H
#define FATHOM_BASE_LIMIT_H

#include <stdint.h>

static inline void limit_spend(uint64_t *left, uint64_t spent)
{
    if (*left != UINT64_MAX)
        *left -= spent < *left ? spent : *left;
}

/* Of a limit in milliseconds, from a time in nanoseconds. */
static inline void limit_spend_ns(uint64_t *left_ms, int64_t spent_ns)
{
    limit_spend(left_ms, (uint64_t)spent_ns / 1000000);
}

#endif
