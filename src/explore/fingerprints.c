/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hash compaction (Wolper and Leroy, 1993) and bitstate hashing (Holzmann, 1998),
 * the latter with double hashing (Dillinger and Manolios, 2004).
 *
 * The compact table places hashes in rising order of their place, as pair_set
 * does, and grows within its own memory in the same way.
 */
#include "explore/fingerprints.h"

#include "base/error.h"
#include "base/hash.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SLOTS_FIRST = 512, SLACK = 128, RUN_MOST = 8192 };

__extension__ typedef unsigned __int128 wide;

static uint64_t place_of(const struct fingerprints *set, uint64_t hash)
{
    return (uint64_t)((wide)hash * set->slot_count >> 64);
}

static bool put(struct fingerprints *set, uint64_t hash, uint64_t *at)
{
    for (*at = place_of(set, hash); *at < set->slot_end; (*at)++) {
        if (set->slots[*at] == 0 || set->slots[*at] == hash)
            return true;
    }
    return false;
}

static void move_run(struct fingerprints *set, uint64_t begin, uint64_t end)
{
    uint64_t hashes[RUN_MOST];
    const uint64_t count = end - begin;
    if (count > RUN_MOST)
        bug("a run of %llu full slots among fingerprints", (unsigned long long)count);
    memcpy(hashes, set->slots + begin, count * sizeof(uint64_t));
    memset(set->slots + begin, 0, count * sizeof(uint64_t));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at;
        if (!put(set, hashes[i], &at))
            bug("the table of fingerprints overflowed while growing");
        set->slots[at] = hashes[i];
    }
}

static bool grow_to(struct fingerprints *set, uint64_t slot_count)
{
    const uint64_t slot_end = slot_count + SLACK + slot_count / 64;
    if (!region_grow(&set->region, slot_end * sizeof(uint64_t)))
        return false;
    uint64_t end = set->slot_end;
    set->slots = set->region.base;
    set->slot_count = slot_count;
    set->slot_end = slot_end;
    while (end > 0) {
        uint64_t begin = end;
        while (begin > 0 && set->slots[begin - 1] != 0)
            begin--;
        if (begin < end)
            move_run(set, begin, end);
        end = begin < end ? begin : end - 1;
    }
    return true;
}

static bool grow(struct fingerprints *set)
{
    const uint64_t now = set->slot_count;
    return grow_to(set, now + now / 2) || grow_to(set, now + now / 8) ||
           grow_to(set, now + now / 32);
}

bool fingerprints_init_compact(struct fingerprints *set, struct memory *memory)
{
    *set = (struct fingerprints){0};
    region_init(&set->region, memory);
    return grow_to(set, SLOTS_FIRST);
}

bool fingerprints_init_bits(struct fingerprints *set, struct memory *memory, uint64_t bytes,
                            uint32_t bits_each)
{
    assert(bytes % sizeof(uint64_t) == 0);
    assert(bits_each >= 1);
    *set = (struct fingerprints){.bit_count = bytes * 8, .bits_each = bits_each};
    region_init(&set->region, memory);
    if (!region_grow(&set->region, bytes))
        return false;
    set->slots = set->region.base;
    return true;
}

void fingerprints_release(struct fingerprints *set)
{
    region_release(&set->region);
}

static enum fingerprint_result add_hash(struct fingerprints *set, uint64_t hash)
{
    uint64_t at;
    if (hash == 0)
        hash = 1;
    if (set->count + 1 > set->slot_count / 4 * 3 && !grow(set))
        return FINGERPRINT_NO_MEMORY;
    while (!put(set, hash, &at)) {
        if (!grow(set))
            return FINGERPRINT_NO_MEMORY;
    }
    if (set->slots[at] == hash)
        return FINGERPRINT_SEEN;
    set->slots[at] = hash;
    set->omissions_expected += (double)set->count * 0x1p-64;
    set->count++;
    return FINGERPRINT_NEW;
}

static enum fingerprint_result add_bits(struct fingerprints *set, uint64_t hash, uint64_t stride)
{
    const double filled = (double)set->bits_set / (double)set->bit_count;
    uint64_t fresh = 0;
    for (uint32_t i = 0; i < set->bits_each; i++) {
        const uint64_t bit = (uint64_t)((wide)hash * set->bit_count >> 64);
        const uint64_t mask = UINT64_C(1) << bit % 64;
        fresh += (set->slots[bit / 64] & mask) == 0;
        set->slots[bit / 64] |= mask;
        hash += stride;
    }
    if (fresh == 0)
        return FINGERPRINT_SEEN;
    const double mistaken = pow(filled, set->bits_each);
    set->omissions_expected += mistaken / (1 - mistaken);
    set->bits_set += fresh;
    set->count++;
    return FINGERPRINT_NEW;
}

enum fingerprint_result fingerprints_add(struct fingerprints *set, const uint32_t *words,
                                         uint32_t length)
{
    const size_t bytes = sizeof(uint32_t) * length;
    const uint64_t hash = hash_bytes_seeded(words, bytes, length);
    if (set->bit_count == 0)
        return add_hash(set, hash);
    return add_bits(set, hash, hash_word(hash) | 1);
}

double fingerprints_omission(const struct fingerprints *set)
{
    return -expm1(-set->omissions_expected);
}
