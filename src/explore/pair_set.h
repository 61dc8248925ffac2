/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A concurrent set of 64-bit pairs, numbered in the order of arrival.
 *
 *     slots   | hash 32 | id + 1 32 |   open addressing, linear probing
 *     pairs   | left 32 | right 32  |   by id, dense
 *
 * The place of a hash is (hash * slot_count) >> 32, so it rises with the hash:
 * when the table grows each run of entries moves to a place further back, in
 * order, which is done within the same memory and with sequential access.
 *
 * Adding is lock-free: an id is taken, the pair written, and the slot claimed by
 * one compare-and-swap. An id whose claim is lost to an equal pair is kept for
 * the thread's next addition. Threads take ids in blocks (`struct id_block`), so
 * that they do not write to the same cache lines; what is left of a block is
 * given back or left unused by the caller.
 *
 * Growing needs all other threads to stand still (gate.h). Ids never change.
 */
#ifndef FATHOM_EXPLORE_PAIR_SET_H
#define FATHOM_EXPLORE_PAIR_SET_H

#include "explore/region.h"

#include <assert.h>

#define PAIR_SET_NONE UINT32_MAX

enum { CACHE_LINE = 64 }; /* what a thread writes should not be near what others read */

struct pair_set {
    struct region slot_region, pair_region;
    _Atomic uint64_t *slots;
    uint64_t *pairs;
    uint64_t slot_count; /* places; slots go on a little behind the last place */
    uint64_t slot_end;
    uint64_t capacity;            /* ids there is room for */
    char padding[CACHE_LINE];     /* what is above is read with every look-up */
    atomic_uint_fast64_t next_id; /* no id at or above it was ever given out */
    char padding_behind[CACHE_LINE];
};

/* Ids that a thread may still give out. */
struct id_block {
    uint32_t next, end;
};

void pair_set_init(struct pair_set *set, struct memory *memory);
void pair_set_release(struct pair_set *set);
/* Enlarges the set; no other thread may use it meanwhile. False: no memory. */
bool pair_set_grow(struct pair_set *set);
/* Makes the pair that was written to pairs[id] known; one thread only, and only if
 * there is room. */
void pair_set_restore(struct pair_set *set, uint32_t id);
uint64_t pair_set_bytes(const struct pair_set *set);

static inline uint64_t pair_make(uint32_t left, uint32_t right)
{
    return (uint64_t)left | (uint64_t)right << 32;
}

__extension__ typedef unsigned __int128 pair_wide;

static inline uint32_t pair_hash(uint64_t pair, uint32_t extra)
{
    const pair_wide first =
        (pair_wide)(pair ^ UINT64_C(0xa0761d6478bd642f)) * UINT64_C(0xe7037ed1a0b428db);
    const uint64_t middle = (uint64_t)first ^ (uint64_t)(first >> 64) ^ extra;
    const pair_wide second =
        (pair_wide)(middle ^ UINT64_C(0x8ebc6af09c88c6e3)) * UINT64_C(0x589965cc75374cc3);
    return (uint32_t)(((uint64_t)second ^ (uint64_t)(second >> 64)) >> 32);
}

static inline uint64_t pair_set_place(const struct pair_set *set, uint32_t hash)
{
    return (uint64_t)hash * set->slot_count >> 32;
}

static inline bool pair_set_is(const struct pair_set *set, uint64_t slot, uint64_t pair)
{
    return set->pairs[(uint32_t)slot - 1] == pair;
}

/* The id of a pair, or PAIR_SET_NONE if the set does not have it. */
static inline uint32_t pair_set_find(const struct pair_set *set, uint64_t pair)
{
    const uint32_t hash = pair_hash(pair, 0);
    for (uint64_t at = pair_set_place(set, hash); at < set->slot_end; at++) {
        const uint64_t slot = atomic_load_explicit(&set->slots[at], memory_order_acquire);
        if (slot == 0)
            break;
        if ((uint32_t)(slot >> 32) == hash && pair_set_is(set, slot, pair))
            return (uint32_t)slot - 1;
    }
    return PAIR_SET_NONE;
}

/* An id for the thread's next addition stands ready in `block`; `next_id` counts those taken.
 * False: all ids below `most` were taken. */
static inline bool id_block_fill(struct id_block *block, atomic_uint_fast64_t *next_id,
                                 uint64_t most, uint32_t block_size)
{
    assert(block_size >= 1);
    if (block->next < block->end)
        return true;
    uint64_t end, next = atomic_load_explicit(next_id, memory_order_relaxed);
    do {
        if (next >= most)
            return false;
        end = block_size < most - next ? next + block_size : most;
    } while (!atomic_compare_exchange_weak_explicit(next_id, &next, end, memory_order_relaxed,
                                                    memory_order_relaxed));
    *block = (struct id_block){(uint32_t)next, (uint32_t)end};
    return true;
}

/*
 * The id of a pair, whose hash is pair_hash of it, added if it is new (`*is_new`).
 * PAIR_SET_NONE: no room; grow, and ask again. `collisions` counts
 * the slots passed over.
 */
static inline uint32_t pair_set_add(struct pair_set *set, struct id_block *block,
                                    uint32_t block_size, uint64_t pair, uint32_t hash, bool *is_new,
                                    uint64_t *collisions)
{
    assert(hash == pair_hash(pair, 0));
    *is_new = false;
    const uint64_t place = pair_set_place(set, hash);
    for (uint64_t at = place; at < set->slot_end; at++) {
        uint64_t slot = atomic_load_explicit(&set->slots[at], memory_order_acquire);
        if (slot == 0) {
            if (!id_block_fill(block, &set->next_id, set->capacity, block_size))
                return PAIR_SET_NONE;
            const uint32_t id = block->next;
            set->pairs[id] = pair;
            const uint64_t filled = (uint64_t)hash << 32 | (id + 1);
            if (atomic_compare_exchange_strong_explicit(
                    &set->slots[at], &slot, filled, memory_order_acq_rel, memory_order_acquire)) {
                block->next++;
                *is_new = true;
                *collisions += at - place;
                return id;
            }
        }
        if ((uint32_t)(slot >> 32) == hash && pair_set_is(set, slot, pair)) {
            *collisions += at - place;
            return (uint32_t)slot - 1;
        }
    }
    return PAIR_SET_NONE;
}

#endif
