/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks in states: slots and cohorts, packed and unpacked. */
#ifndef FATHOM_CLUSTER_STATE_CLOCK_WORDS_H
#define FATHOM_CLUSTER_STATE_CLOCK_WORDS_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

struct class_info;
struct thresholds;

static inline uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint32_t clock_word_count(const struct population *population);
int64_t clock_ticks_ns(const struct population *population, uint64_t ticks);

void clocks_unpack(struct worker *worker, const uint32_t *words, struct state *state);
/* Gives every pod and node the slot of its cohort, forgets cohorts without pods or nodes, and
 * packs; false if there are too many. */
bool clocks_pack(struct worker *worker, struct state *state, uint32_t *words);
/* The age of the slot's cohort since its start, in half ticks; UINT32_MAX if no age of it
 * matters. */
uint32_t cohort_start(const struct state *state, uint32_t slot);
/* Likewise of the pod's cohort since it came into its stage. */
uint32_t cohort_since(const struct state *state, const struct class_info *info);
/* The age that stands for all beyond the last threshold, in half ticks. */
uint32_t age_cap(const struct thresholds *thresholds);
/* Is the age at a threshold, and not past it? */
bool age_is_at(const struct thresholds *thresholds, uint32_t age);
/* Ticks until the next threshold; UINT32_MAX: none is left. */
uint32_t age_until_next(const struct thresholds *thresholds, uint32_t age);
/* The age so many ticks later. All ages beyond the last threshold are one. */
uint32_t age_after(uint32_t age, const struct thresholds *thresholds, uint32_t ticks);

#endif
