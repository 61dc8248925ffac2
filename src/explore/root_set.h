/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The roots of all states (store.h): a concurrent set of 64-bit pairs, numbered in the
 * order of arrival, as pair_set.h, in less than half of its memory. A run has far more
 * states than inner nodes, so this is where the bytes of a run are.
 *
 *     slots     | tag | id + 1 |    4 bytes; open addressing, linear probing
 *     records   | left | right |    by id, dense; 4 to 8 bytes, as the pairs need
 *     extras    | 16 |              by id, only if wanted (lengths of states)
 *
 * An id takes as many bits of a slot as the set's capacity asks for; the others have the low
 * bits of the hash, so that a look-up seldom reads the record of another pair. The place of
 * a hash is (hash * slot_count) >> 32, which the high bits decide.
 *
 * The halves of a pair are numbers of nodes, which are few, or words, which are small. A
 * record has as many bytes as the largest that were met so far need together. A pair
 * that does not fit makes all records wider.
 *
 * A large table is up to seven eighths full and grows by an eighth. The hashes are not
 * stored, so growing computes them again from the records. Long runs of full slots lie
 * behind each other in memory, so looking through them costs little.
 *
 * Adding is lock-free, as in pair_set.h. Growing and widening need all other threads to
 * stand still (gate.h). Ids never change.
 */
#ifndef FATHOM_EXPLORE_ROOT_SET_H
#define FATHOM_EXPLORE_ROOT_SET_H

#include "explore/pair_set.h"

#include <string.h>

struct root_set {
    struct region slot_region, record_region, extra_region;
    _Atomic uint32_t *slots;
    uint8_t *records;
    uint16_t *extras;    /* NULL if not wanted */
    uint64_t slot_count; /* places; slots go on a little behind the last place */
    uint64_t slot_end;
    uint64_t too_wide;     /* the bits of a pair that no record has */
    uint32_t id_bits;      /* of a slot */
    uint32_t record_bytes; /* 4 to 8 */
    uint32_t left_bits;    /* of a record; the others are the right half's */
    bool with_extras;
    uint32_t extra;               /* of all pairs, unless with_extras */
    uint64_t capacity;            /* ids there is room for in the records */
    uint64_t slot_capacity;       /* ids there is room for in the slots */
    uint64_t ids_most;            /* ids that may be taken in blocks; UINT64_MAX: no limit */
    uint64_t changes;             /* how often the set was grown or widened */
    char padding[CACHE_LINE];     /* what is above is read with every look-up */
    atomic_uint_fast64_t next_id; /* no id at or above it was ever given out */
    char padding_behind[CACHE_LINE];
};

/* For pairs with these extras. */
void root_set_init(struct root_set *set, struct memory *memory, uint32_t extra_least,
                   uint32_t extra_most);
void root_set_release(struct root_set *set);
/* Makes room for more pairs; no other thread may use the set meanwhile. False: no memory. */
bool root_set_grow(struct root_set *set);
/* Makes room for this pair in the records. As above. */
bool root_set_widen(struct root_set *set, uint64_t pair);
/* Makes room for so many pairs in all. As above. */
bool root_set_reserve(struct root_set *set, uint64_t count);
/* Makes the pair known that was put under this id, and its extra, which was written to `extras`;
 * one thread only, and only if there is room. */
void root_set_restore(struct root_set *set, uint32_t id);
uint64_t root_set_bytes(const struct root_set *set);

/* Growing with several threads: one enlarges the table for so many pairs, which changes nothing
 * if it fails. Then all clear parts of the old one, up to its slot_end; then all place the ids
 * again. */
bool root_set_enlarge(struct root_set *set, uint64_t count);
/* How many of the slots first..last-1 had an id. */
uint64_t root_set_clear(struct root_set *set, uint64_t first, uint64_t last);
uint32_t root_set_hash(const struct root_set *set, uint32_t id);
void root_set_place_again(struct root_set *set, uint32_t id, uint32_t hash);

static inline bool root_set_fits(const struct root_set *set, uint64_t pair)
{
    return (pair & set->too_wide) == 0;
}

/* A record is read and written in two parts of 4 bytes, which may overlap. Only bytes of the
 * record itself are touched, because other threads write the records beside it. */
static inline uint64_t record_read(const uint8_t *record, uint32_t bytes)
{
    const uint32_t behind = bytes - (uint32_t)sizeof(uint32_t);
    uint32_t low, high;
    memcpy(&low, record, sizeof(low));
    memcpy(&high, record + behind, sizeof(high));
    return low | (uint64_t)high << 8 * behind;
}

static inline void record_write(uint8_t *record, uint32_t bytes, uint64_t code)
{
    const uint32_t behind = bytes - (uint32_t)sizeof(uint32_t);
    const uint32_t low = (uint32_t)code, high = (uint32_t)(code >> 8 * behind);
    memcpy(record, &low, sizeof(low));
    memcpy(record + behind, &high, sizeof(high));
}

static inline uint64_t root_set_pair(const struct root_set *set, uint32_t id)
{
    const uint64_t code =
        record_read(set->records + (uint64_t)id * set->record_bytes, set->record_bytes);
    return pair_make((uint32_t)(code & ((UINT64_C(1) << set->left_bits) - 1)),
                     (uint32_t)(code >> set->left_bits));
}

static inline void root_set_put(struct root_set *set, uint32_t id, uint64_t pair)
{
    assert(root_set_fits(set, pair));
    record_write(set->records + (uint64_t)id * set->record_bytes, set->record_bytes,
                 (uint32_t)pair | pair >> 32 << set->left_bits);
}

static inline uint64_t root_set_place(const struct root_set *set, uint32_t hash)
{
    return (uint64_t)hash * set->slot_count >> 32;
}

/* What a slot has above the id. */
static inline uint32_t root_set_tag(const struct root_set *set, uint32_t hash)
{
    return (uint32_t)((uint64_t)hash << set->id_bits);
}

static inline uint32_t root_set_id(const struct root_set *set, uint32_t slot)
{
    return (uint32_t)(slot & ((UINT64_C(1) << set->id_bits) - 1)) - 1;
}

static inline bool root_set_may_be(const struct root_set *set, uint32_t slot, uint32_t tag)
{
    return (uint64_t)(slot ^ tag) >> set->id_bits == 0;
}

static inline bool root_set_is(const struct root_set *set, uint32_t id, uint64_t pair,
                               uint32_t extra)
{
    return root_set_pair(set, id) == pair && (!set->with_extras || set->extras[id] == extra);
}

static inline void root_set_prefetch(const struct root_set *set, uint32_t hash)
{
    __builtin_prefetch((const void *)&set->slots[root_set_place(set, hash)]);
}

/* The second half of a prefetch, some time after the first: the record that is probably
 * the one looked for. */
static inline void root_set_prefetch_record(const struct root_set *set, uint32_t hash)
{
    enum { NEAR = 32 };
    const uint64_t place = root_set_place(set, hash);
    const uint32_t tag = root_set_tag(set, hash);
    for (uint64_t at = place; at < place + NEAR && at < set->slot_end; at++) {
        const uint32_t slot = atomic_load_explicit(&set->slots[at], memory_order_acquire);
        if (slot == 0)
            return;
        if (root_set_may_be(set, slot, tag)) {
            __builtin_prefetch(set->records + (uint64_t)root_set_id(set, slot) * set->record_bytes);
            return;
        }
    }
}

/* The id of a pair, or PAIR_SET_NONE if the set does not have it. */
static inline uint32_t root_set_find(const struct root_set *set, uint64_t pair, uint32_t extra)
{
    const uint32_t hash = pair_hash(pair, extra);
    const uint32_t tag = root_set_tag(set, hash);
    if (!root_set_fits(set, pair))
        return PAIR_SET_NONE;
    for (uint64_t at = root_set_place(set, hash); at < set->slot_end; at++) {
        const uint32_t slot = atomic_load_explicit(&set->slots[at], memory_order_acquire);
        if (slot == 0)
            break;
        if (root_set_may_be(set, slot, tag) &&
            root_set_is(set, root_set_id(set, slot), pair, extra))
            return root_set_id(set, slot);
    }
    return PAIR_SET_NONE;
}

/* As pair_set_add. PAIR_SET_NONE: no room, no id, or the pair does not fit; grow, find an id,
 * or widen, and ask again. */
static inline uint32_t root_set_add(struct root_set *set, struct id_block *block,
                                    uint32_t block_size, uint64_t pair, uint32_t extra,
                                    uint32_t hash, bool *is_new, uint64_t *collisions)
{
    assert(hash == pair_hash(pair, extra));
    assert(!set->with_extras || extra <= UINT16_MAX);
    *is_new = false;
    if (!root_set_fits(set, pair))
        return PAIR_SET_NONE;
    const uint32_t tag = root_set_tag(set, hash);
    const uint64_t place = root_set_place(set, hash);
    for (uint64_t at = place; at < set->slot_end; at++) {
        uint32_t slot = atomic_load_explicit(&set->slots[at], memory_order_acquire);
        if (slot == 0) {
            const uint64_t most = set->capacity < set->ids_most ? set->capacity : set->ids_most;
            if (!id_block_fill(block, &set->next_id, most, block_size))
                return PAIR_SET_NONE;
            const uint32_t id = block->next;
            root_set_put(set, id, pair);
            if (set->with_extras)
                set->extras[id] = (uint16_t)extra;
            if (atomic_compare_exchange_strong_explicit(&set->slots[at], &slot, tag | (id + 1),
                                                        memory_order_acq_rel,
                                                        memory_order_acquire)) {
                block->next++;
                *is_new = true;
                *collisions += at - place;
                return id;
            }
        }
        if (root_set_may_be(set, slot, tag) &&
            root_set_is(set, root_set_id(set, slot), pair, extra)) {
            *collisions += at - place;
            return root_set_id(set, slot);
        }
    }
    return PAIR_SET_NONE;
}

#endif
