/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Deployment's sync and an autoscaler's go by numbers of pods, and states that
 * differ in where pods are look the same to them. What a sync saw and what came of
 * it is kept in a cache, so that it is not worked out again. A newer entry takes
 * the place of an older one in its slot; where that happens often, the cache gets
 * larger.
 */
#include "cluster/ask/known_syncs.h"
#include "cluster/state/memos.h"

#include <string.h>

enum { SLOT_BITS_LEAST = 5, SLOT_BITS_MOST = 11 };

static struct known_sync *slot_of(const struct known_syncs *known, const struct sync_seen *seen)
{
    uint64_t hash = seen->count;
    for (uint32_t i = 0; i < seen->count; i++)
        hash = (hash ^ seen->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return &known->slots[hash >> (64 - known->bits)];
}

const struct known_sync *sync_recall(const struct known_syncs *known, const struct sync_seen *seen)
{
    if (!known->slots || seen->count > SYNC_WORDS_MOST)
        return NULL;
    const struct known_sync *sync = slot_of(known, seen);
    return sync->seen.count == seen->count &&
                   memcmp(sync->seen.words, seen->words, seen->count * sizeof(*seen->words)) == 0
               ? sync
               : NULL;
}

/* There are many small populations: only what marks a slot as free is touched. */
static void make_slots(struct arena *arena, struct known_syncs *known, uint32_t bits)
{
    const uint32_t count = 1U << bits;
    known->slots = arena_allocate_raw(arena, count * sizeof(*known->slots), 16);
    known->bits = bits;
    known->replaced = 0;
    for (uint32_t i = 0; i < count; i++)
        known->slots[i].seen.count = 0;
}

void sync_remember(struct arena *arena, struct known_syncs *known, const struct sync_seen *seen,
                   const uint32_t *answer, uint32_t answer_count)
{
    if (seen->count > SYNC_WORDS_MOST || answer_count > SYNC_ANSWER_MOST)
        return;
    if (!known->slots)
        make_slots(arena, known, SLOT_BITS_LEAST);
    else if (known->replaced > 1U << known->bits && known->bits < SLOT_BITS_MOST)
        make_slots(arena, known, known->bits + 2);
    struct known_sync *slot = slot_of(known, seen);
    known->replaced += slot->seen.count > 0;
    slot->seen.count = seen->count;
    memcpy(slot->seen.words, seen->words, seen->count * sizeof(*seen->words));
    slot->answer_count = answer_count;
    if (answer_count > 0)
        memcpy(slot->answer, answer, answer_count * sizeof(*answer));
}
