/* SPDX-License-Identifier: Apache-2.0 */
#include "walk/random_walk.h"

/* splitmix64: any seed is a good one. */
static uint64_t next_random(uint64_t *random)
{
    uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t random_below(uint64_t *random, uint32_t bound)
{
    return (uint32_t)((next_random(random) >> 32) * bound >> 32);
}

uint32_t walk_choose_at_random(const struct walk *walk, uint64_t *random)
{
    VEC(uint32_t) open = {0};
    const bool rests = walk_rests(walk);
    bool trying = false;
    for (uint32_t i = 0; i < walk->choices.count; i++)
        if (walk->choices.items[i].changes || !walk_was_tried(walk, i)) {
            trying |= !walk->choices.items[i].changes;
            VEC_PUSH(walk->arena, &open, i);
        }
    const uint32_t bound = open.count + (rests && !trying);
    const uint32_t chosen = bound > 0 ? random_below(random, bound) : 0;
    return chosen < open.count ? open.items[chosen] : UINT32_MAX;
}
