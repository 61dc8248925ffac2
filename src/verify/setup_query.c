/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/setup_query.h"

#include "base/clock.h"

struct asked_intents asked_intents(struct arena *arena, const struct setup_query *query,
                                   uint64_t wanted)
{
    struct asked_intents asked = {
        .numbers = ARENA_ARRAY(arena, uint32_t, query->intent_count + 1),
        .items = ARENA_ARRAY(arena, struct check_intent, query->intent_count + 1),
    };
    for (uint32_t i = 0; i < query->intent_count; i++)
        if (wanted >> i & 1) {
            asked.numbers[asked.count] = i;
            asked.items[asked.count++] = query->intents[i];
        }
    return asked;
}

enum { DEADLINE_MS_MOST = 1 << 30 };

struct population_options setup_options(const struct setup_query *query,
                                        enum population_reductions reductions)
{
    struct population_options how = *query->population;
    how.reductions = reductions;
    how.interrupted = query->stop;
    if (query->time_most_ms < DEADLINE_MS_MOST)
        how.deadline_ns = clock_now_ns() + (int64_t)query->time_most_ms * 1000000;
    return how;
}

enum explore_reason setup_why_unmade(const struct population_options *how)
{
    if (how->interrupted && atomic_load(how->interrupted))
        return EXPLORE_INTERRUPTED;
    return how->deadline_ns > 0 && clock_now_ns() >= how->deadline_ns ? EXPLORE_TIME
                                                                      : EXPLORE_MEMORY;
}

bool setup_is_over(const struct setup_query *query, int64_t started_ns)
{
    return (query->stop && atomic_load(query->stop)) ||
           (query->time_most_ms < DEADLINE_MS_MOST &&
            clock_now_ns() - started_ns >= (int64_t)query->time_most_ms * 1000000);
}
