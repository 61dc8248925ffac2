/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: random numbers from a seed, the same in every run. */
#ifndef FATHOM_DECIDE_CONTROLLER_RANDOM_TEST_H
#define FATHOM_DECIDE_CONTROLLER_RANDOM_TEST_H

#include "base/hash.h"

#include <stdbool.h>

struct dice {
    uint64_t state;
};

static inline uint64_t dice_word(struct dice *dice)
{
    dice->state += UINT64_C(0x9e3779b97f4a7c15);
    return hash_word(dice->state);
}

/* 0 .. sides-1 */
static inline int64_t dice_roll(struct dice *dice, int64_t sides)
{
    return (int64_t)(dice_word(dice) % (uint64_t)sides);
}

/* low .. high */
static inline int64_t dice_between(struct dice *dice, int64_t low, int64_t high)
{
    return low + dice_roll(dice, high - low + 1);
}

/* Once in `sides` throws. */
static inline bool dice_hit(struct dice *dice, int64_t sides)
{
    return dice_roll(dice, sides) == 0;
}

#endif
