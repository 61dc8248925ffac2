/* SPDX-License-Identifier: Apache-2.0 */
/* Growing works as in pair_set.c: runs of full slots are taken from the back, and no entry
 * moves to a place before the old start of its run. Each hash is computed from the record,
 * which is fetched some slots ahead. */
#include "explore/root_set.h"

#include "base/error.h"

#include <assert.h>

enum {
    SLOTS_FIRST = 128,
    RUN_MOST = 1 << 15,      /* far longer than any run of a table that is seven eighths full */
    SMALL_MOST = 1 << 20,    /* of the slots; small tables double, and are at most 3/4 full */
    MIDDLING_MOST = 1 << 22, /* such tables grow by a quarter, and larger ones by an eighth */
    RECORDS_SMALL = 1 << 16, /* up to so many ids there is room for as many as in the slots */
    AHEAD = 64,
    RECORD_BYTES_LEAST = 4,
};

static void set_layout(struct root_set *set, uint32_t bytes, uint32_t left_bits)
{
    const uint32_t rest = 8 * bytes - left_bits, right_bits = rest < 32 ? rest : 32;
    assert(left_bits <= 32);
    set->record_bytes = bytes;
    set->left_bits = left_bits;
    set->too_wide = ~(((UINT64_C(1) << left_bits) - 1) | ((UINT64_C(1) << right_bits) - 1) << 32);
}

void root_set_init(struct root_set *set, struct memory *memory, uint32_t extra_least,
                   uint32_t extra_most)
{
    *set = (struct root_set){
        .with_extras = extra_least != extra_most, .extra = extra_least, .ids_most = UINT64_MAX};
    set_layout(set, RECORD_BYTES_LEAST, 4 * RECORD_BYTES_LEAST);
    region_init(&set->slot_region, memory);
    region_init(&set->record_region, memory);
    region_init(&set->extra_region, memory);
}

void root_set_release(struct root_set *set)
{
    region_release(&set->slot_region);
    region_release(&set->record_region);
    region_release(&set->extra_region);
    set->capacity = set->slot_capacity = 0;
    set->slot_count = set->slot_end = 0;
}

uint64_t root_set_bytes(const struct root_set *set)
{
    return set->slot_region.bytes + set->record_region.bytes + set->extra_region.bytes;
}

uint32_t root_set_hash(const struct root_set *set, uint32_t id)
{
    return pair_hash(root_set_pair(set, id), set->with_extras ? set->extras[id] : set->extra);
}

/* Single-threaded, so plain stores would do; relaxed ones are as cheap. */
static uint32_t slot_at(const struct root_set *set, uint64_t at)
{
    return atomic_load_explicit(&set->slots[at], memory_order_relaxed);
}

static void place_id(struct root_set *set, uint32_t id)
{
    const uint32_t hash = root_set_hash(set, id);
    uint64_t at = root_set_place(set, hash);
    while (at < set->slot_end && slot_at(set, at) != 0)
        at++;
    if (at == set->slot_end)
        bug("a root set overflowed while growing");
    atomic_store_explicit(&set->slots[at], root_set_tag(set, hash) | (id + 1),
                          memory_order_relaxed);
}

static uint32_t id_in(uint32_t slot, uint32_t id_bits)
{
    return (uint32_t)(slot & ((UINT64_C(1) << id_bits) - 1)) - 1;
}

static void fetch_before(const struct root_set *set, uint64_t at, uint32_t id_bits)
{
    if (at < AHEAD)
        return;
    const uint32_t slot = slot_at(set, at - AHEAD);
    if (slot == 0)
        return;
    const uint32_t id = id_in(slot, id_bits);
    __builtin_prefetch(set->records + (uint64_t)id * set->record_bytes);
    if (set->with_extras)
        __builtin_prefetch(&set->extras[id]);
}

static void move_run(struct root_set *set, uint64_t begin, uint64_t end, uint32_t id_bits)
{
    uint32_t ids[RUN_MOST];
    const uint64_t count = end - begin;
    if (count > RUN_MOST)
        bug("a run of %llu full slots in a root set", (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++) {
        ids[i] = id_in(slot_at(set, begin + i), id_bits);
        atomic_store_explicit(&set->slots[begin + i], 0, memory_order_relaxed);
    }
    for (uint64_t i = 0; i < count; i++)
        place_id(set, ids[i]);
}

/* `id_bits` is what the old slots have. */
static void move_runs(struct root_set *set, uint64_t old_end, uint32_t id_bits)
{
    uint64_t end = old_end;
    while (end > 0) {
        uint64_t begin = end;
        while (begin > 0 && slot_at(set, begin - 1) != 0)
            fetch_before(set, --begin, id_bits);
        if (begin < end)
            move_run(set, begin, end, id_bits);
        end = begin;
        if (end > 0)
            fetch_before(set, --end, id_bits);
    }
}

/* Room behind the last place for runs that begin near it. */
static uint64_t slack(uint64_t slot_count)
{
    return slot_count < 16384 ? slot_count / 4 : 4096;
}

static uint32_t bits_of(uint64_t number)
{
    return number == 0 ? 1 : 64 - (uint32_t)__builtin_clzll(number);
}

static bool reserve_records(struct root_set *set, uint64_t count)
{
    if (!region_grow(&set->record_region, count * set->record_bytes))
        return false;
    set->records = set->record_region.base;
    if (set->with_extras) {
        if (!region_grow(&set->extra_region, count * sizeof(uint16_t)))
            return false;
        set->extras = set->extra_region.base;
    }
    if (count > set->capacity)
        set->capacity = count;
    return true;
}

/* Regions are larger than asked for, so that there may be room already. */
static bool grow_records(struct root_set *set)
{
    const uint64_t now = set->capacity, most = set->slot_capacity;
    assert(now < most);
    if (most <= RECORDS_SMALL)
        return reserve_records(set, most);
    for (uint64_t part = 64; part <= 1024; part *= 4) {
        const uint64_t more = now < RECORDS_SMALL ? RECORDS_SMALL : now + now / part;
        if (reserve_records(set, more < most ? more : most))
            return true;
    }
    return false;
}

/* A table of so many slots, with the old slots where they were. */
static bool enlarge(struct root_set *set, uint64_t slot_count)
{
    uint64_t capacity = slot_count <= SMALL_MOST ? slot_count / 4 * 3 : slot_count / 8 * 7;
    if (capacity > PAIR_SET_NONE - 1)
        capacity = PAIR_SET_NONE - 1;
    if (slot_count > UINT32_MAX || capacity <= set->slot_capacity)
        return false;
    const uint64_t slot_end = slot_count + slack(slot_count);
    if (!region_grow(&set->slot_region, slot_end * sizeof(uint32_t)))
        return false;
    set->slots = set->slot_region.base;
    set->slot_count = slot_count;
    set->slot_end = slot_end;
    set->slot_capacity = capacity;
    set->id_bits = bits_of(capacity);
    return true;
}

static bool grow_slots(struct root_set *set, uint64_t slot_count)
{
    const uint64_t old_end = set->slot_end;
    const uint32_t old_bits = set->id_bits;
    if (!enlarge(set, slot_count))
        return false;
    move_runs(set, old_end, old_bits);
    return true;
}

bool root_set_enlarge(struct root_set *set, uint64_t count)
{
    if (!enlarge(set, count / 7 * 8 + SLOTS_FIRST))
        return false;
    set->changes++;
    return true;
}

uint64_t root_set_clear(struct root_set *set, uint64_t first, uint64_t last)
{
    uint64_t full = 0;
    for (uint64_t at = first; at < last; at++) {
        full += slot_at(set, at) != 0;
        atomic_store_explicit(&set->slots[at], 0, memory_order_relaxed);
    }
    return full;
}

void root_set_place_again(struct root_set *set, uint32_t id, uint32_t hash)
{
    const uint32_t filled = root_set_tag(set, hash) | (id + 1);
    uint64_t at = root_set_place(set, hash);
    for (; at < set->slot_end; at++) {
        uint32_t slot = slot_at(set, at);
        if (slot == 0 &&
            atomic_compare_exchange_strong_explicit(&set->slots[at], &slot, filled,
                                                    memory_order_relaxed, memory_order_relaxed))
            return;
    }
    bug("a root set overflowed while it was filled again");
}

static bool grow_table(struct root_set *set)
{
    const uint64_t now = set->slot_count;
    if (now == 0)
        return grow_slots(set, SLOTS_FIRST);
    if (now < SMALL_MOST)
        return grow_slots(set, now * 2);
    if (now < MIDDLING_MOST && grow_slots(set, now + now / 4))
        return true;
    /* Near the limit of the budget small steps still fit. */
    return grow_slots(set, now + now / 8) || grow_slots(set, now + now / 64);
}

bool root_set_grow(struct root_set *set)
{
    const bool full = atomic_load_explicit(&set->next_id, memory_order_relaxed) >= set->capacity;
    /* Records end before the slots, or a run of slots ends behind the table. */
    if ((!full || set->capacity == set->slot_capacity) && !grow_table(set))
        return false;
    if (full && !grow_records(set))
        return false;
    set->changes++;
    return true;
}

bool root_set_reserve(struct root_set *set, uint64_t count)
{
    while (set->slot_capacity < count)
        if (!grow_table(set))
            return false;
    return reserve_records(set, count);
}

/* The bits that the largest halves of all pairs need. */
static void measure(const struct root_set *set, uint64_t count, uint64_t pair, uint32_t *left_bits,
                    uint32_t *right_bits)
{
    uint64_t all = pair;
    for (uint64_t id = 0; id < count; id++)
        all |= root_set_pair(set, (uint32_t)id);
    *left_bits = bits_of((uint32_t)all);
    *right_bits = bits_of(all >> 32);
}

/* Records become longer or stay as long, so they are moved from the back. */
bool root_set_widen(struct root_set *set, uint64_t pair)
{
    const uint64_t count = atomic_load_explicit(&set->next_id, memory_order_relaxed);
    uint32_t left_bits, right_bits;
    measure(set, count, pair, &left_bits, &right_bits);
    uint32_t bytes = (left_bits + right_bits + 7) / 8;
    bytes = bytes < set->record_bytes ? set->record_bytes : bytes;
    if (!region_grow(&set->record_region, set->capacity * bytes))
        return false;
    set->records = set->record_region.base;
    const uint32_t old_bytes = set->record_bytes, old_left_bits = set->left_bits;
    left_bits += (8 * bytes - left_bits - right_bits) / 2; /* each half has room to grow */
    set_layout(set, bytes, left_bits < 32 ? left_bits : 32);
    for (uint64_t id = count; id-- > 0;) {
        const uint64_t code = record_read(set->records + id * old_bytes, old_bytes);
        const uint32_t left = (uint32_t)(code & ((UINT64_C(1) << old_left_bits) - 1));
        root_set_put(set, (uint32_t)id, pair_make(left, (uint32_t)(code >> old_left_bits)));
    }
    set->changes++;
    return true;
}

void root_set_restore(struct root_set *set, uint32_t id)
{
    assert(id < set->capacity);
    place_id(set, id);
}
