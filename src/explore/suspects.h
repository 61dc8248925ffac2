/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The states that may be on a cycle or in which a run may rest. No other state can
 * be part of a counterexample to a liveness property, whichever property it is.
 *
 * Found once for all properties that are judged together, by taking away states
 * that no state leads to, until there are none. That goes through the graph in an
 * order that is known ahead, so that cache misses overlap, and leaves nothing of
 * most graphs; the search for components (cycle.c), which cannot do that, has only
 * to look at what is left: cycles, and what lies behind them.
 */
#ifndef FATHOM_EXPLORE_SUSPECTS_H
#define FATHOM_EXPLORE_SUSPECTS_H

#include "explore/search.h"

struct suspects {
    struct region bits; /* uint64_t, by id */
    uint32_t id_count;  /* of the states that are expanded, the only ones that are looked at */
    bool all;           /* the suspects were not computed: every state counts as one */
};

/* False: a limit was reached. Without memory all states are suspects. */
bool suspects_find(struct search *search, struct suspects *suspects);
void suspects_release(struct suspects *suspects);

static inline bool suspects_have(const struct suspects *suspects, uint32_t id)
{
    assert(id < suspects->id_count);
    return suspects->all || (((const uint64_t *)suspects->bits.base)[id / 64] >> id % 64 & 1) != 0;
}

/* The first suspect from `id` to `end` - 1, or `end`. */
uint32_t suspects_next(const struct suspects *suspects, uint32_t id, uint32_t end);

#endif
