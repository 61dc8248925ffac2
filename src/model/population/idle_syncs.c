/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Most syncs of a Deployment find nothing to do, and states that differ in where
 * pods are look the same to it. What a sync saw that changed nothing is kept in
 * a small cache, so that it is not worked out again. A newer entry takes the
 * place of an older one in its slot.
 */
#include "model/population/clock.h"
#include "model/population/memos.h"

#include <string.h>

enum { IDLE_SYNC_BITS = 8 };

static void put(struct deployment_seen *seen, uint32_t word)
{
    if (seen->count < SYNC_WORDS_MOST)
        seen->words[seen->count] = word;
    seen->count++;
}

void deployment_see(const struct population *population, const struct population_state *state,
                    uint32_t number, uint32_t old_pods_unfinished, struct deployment_seen *seen)
{
    const struct workload *workload = &population->workloads.items[number];
    seen->count = 0;
    put(seen, number);
    put(seen, state->statuses[number].spec);
    put(seen, (uint32_t)state->replicas[number]);
    put(seen, state->present[number]);
    put(seen, old_pods_unfinished);
    for (uint32_t i = 0; i < workload->revision_count; i++) {
        const uint32_t revision = workload->first_revision + i;
        const struct set_state *set = &state->sets[revision];
        if (set->replicas < 0)
            continue;
        put(seen, revision);
        put(seen, (uint32_t)set->replicas);
        put(seen, (uint32_t)set->desired);
        put(seen, state_active(population, state, revision));
        put(seen, state_ready(population, state, revision));
        if (population->clock)
            put(seen, clock_available_pods(population, state, revision));
    }
}

static struct deployment_seen *slot_of(const struct population *population,
                                       const struct deployment_seen *seen)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < seen->count; i++)
        hash = (hash ^ seen->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return &population->idle_syncs[hash >> (64 - IDLE_SYNC_BITS)];
}

bool sync_is_idle(const struct population *population, const struct deployment_seen *seen)
{
    if (!population->idle_syncs || seen->count > SYNC_WORDS_MOST)
        return false;
    const struct deployment_seen *known = slot_of(population, seen);
    return known->count == seen->count &&
           memcmp(known->words, seen->words, seen->count * sizeof(*seen->words)) == 0;
}

/* There are many small populations: no word is touched that nobody asks for. */
static struct deployment_seen *create(struct arena *arena)
{
    const uint32_t count = 1U << IDLE_SYNC_BITS;
    struct deployment_seen *syncs = arena_allocate_raw(arena, count * sizeof(*syncs), 16);
    for (uint32_t i = 0; i < count; i++)
        syncs[i].count = 0;
    return syncs;
}

void sync_remember_idle(struct population *population, const struct deployment_seen *seen)
{
    if (seen->count > SYNC_WORDS_MOST)
        return;
    if (!population->idle_syncs)
        population->idle_syncs = create(&population->arena);
    struct deployment_seen *slot = slot_of(population, seen);
    slot->count = seen->count;
    memcpy(slot->words, seen->words, seen->count * sizeof(*seen->words));
}
