/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread emitted lately, by its words. Most steps lead to a state that a
 * neighbour led to before; where such a state is short it is found here by one
 * comparison, and no tree (store.h) has to be made of it.
 *
 * A state that waits in a batch has no id yet; its entry says which of the batch it
 * is until the batch is stored.
 */
#ifndef FATHOM_EXPLORE_RECENTS_H
#define FATHOM_EXPLORE_RECENTS_H

#include "explore/pair_set.h"

#include <assert.h>
#include <string.h>

/* With these an entry has the size of a cache line. */
enum { RECENT_WORDS_MOST = 14 };

struct recent {
    uint32_t id;
    uint16_t length_plus_one; /* 0: empty */
    uint16_t waits;           /* the place in the batch, plus one; 0: the id is there */
    uint32_t words[RECENT_WORDS_MOST];
};

struct recents {
    struct recent *entries;
    uint32_t bits;
    uint64_t misses; /* since the cache was last enlarged */
};

bool recents_init(struct recents *recents, struct memory *memory);
void recents_release(struct recents *recents, struct memory *memory);
/* Enlarges the cache, with all entries empty, if it is too small and there is memory. */
void recents_enlarge(struct recents *recents, struct memory *memory);

/* A weak but fast hash; a cache needs no better one. */
static inline uint64_t recents_hash(const uint32_t *words, uint32_t length)
{
    uint64_t hash = length;
    uint32_t i = 0;
    for (; i + 2 <= length; i += 2) {
        const pair_wide mixed =
            (pair_wide)(hash ^ pair_make(words[i], words[i + 1])) * UINT64_C(0xe7037ed1a0b428db);
        hash = (uint64_t)mixed ^ (uint64_t)(mixed >> 64);
    }
    return ((i < length ? words[i] : 0) ^ hash) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline struct recent *recents_at(const struct recents *recents, uint64_t hash)
{
    return &recents->entries[hash >> (64 - recents->bits)];
}

static inline bool recent_is(const struct recent *recent, const uint32_t *words, uint32_t length)
{
    uint32_t differ = recent->length_plus_one ^ (length + 1);
    for (uint32_t i = 0; differ == 0 && i < length; i++)
        differ = recent->words[i] ^ words[i];
    return differ == 0;
}

/* The state, which is short enough, goes into the batch as the one at `place`. Gives the
 * number of its entry. */
static inline uint32_t recents_put(struct recents *recents, uint64_t hash, const uint32_t *words,
                                   uint32_t length, uint32_t place)
{
    assert(length <= RECENT_WORDS_MOST);
    assert(place < UINT16_MAX);
    struct recent *recent = recents_at(recents, hash);
    recent->length_plus_one = (uint16_t)(length + 1);
    recent->waits = (uint16_t)(place + 1);
    memcpy(recent->words, words, length * sizeof(*words));
    return (uint32_t)(recent - recents->entries);
}

/* The one at `place` of the batch was stored. Meanwhile its entry may have been
 * taken by another one. */
static inline void recents_stored(struct recents *recents, uint32_t number, uint32_t place,
                                  uint32_t id)
{
    assert(number >> recents->bits == 0);
    struct recent *recent = &recents->entries[number];
    if (recent->waits == place + 1) {
        recent->waits = 0;
        recent->id = id;
    }
}

/* Counts a state that was stored already but was not in the cache. */
static inline void recents_missed(struct recents *recents, struct memory *memory)
{
    if (++recents->misses >> recents->bits > 0)
        recents_enlarge(recents, memory);
}

#endif
