/* SPDX-License-Identifier: Apache-2.0 */
/* Growing a pair set within its own memory. Runs of full slots are taken from
 * the back; as places rise with the hash and only spread out, a run's new places
 * are never before its old start, so nothing that is still to be moved is hit. */
#include "explore/pair_set.h"

#include "base/error.h"

#include <assert.h>
#include <string.h>

enum {
    SLOTS_FIRST = 128,
    RUN_MOST = 8192,         /* far longer than any run of a table that is three quarters full */
    DOUBLING_MOST = 1 << 20, /* larger tables grow by half */
};

void pair_set_init(struct pair_set *set, struct memory *memory)
{
    *set = (struct pair_set){0};
    region_init(&set->slot_region, memory);
    region_init(&set->pair_region, memory);
}

void pair_set_release(struct pair_set *set)
{
    region_release(&set->slot_region);
    region_release(&set->pair_region);
    set->capacity = 0;
    set->slot_count = set->slot_end = 0;
}

uint64_t pair_set_bytes(const struct pair_set *set)
{
    return set->slot_region.bytes + set->pair_region.bytes;
}

/* Single-threaded, so plain stores would do; relaxed ones are as cheap. */
static void place_entry(struct pair_set *set, uint64_t entry)
{
    uint64_t at = pair_set_place(set, (uint32_t)(entry >> 32));
    while (atomic_load_explicit(&set->slots[at], memory_order_relaxed) != 0)
        at++;
    if (at >= set->slot_end)
        bug("a pair set overflowed while growing");
    atomic_store_explicit(&set->slots[at], entry, memory_order_relaxed);
}

static void move_run(struct pair_set *set, uint64_t begin, uint64_t end)
{
    uint64_t entries[RUN_MOST];
    const uint64_t count = end - begin;
    if (count > RUN_MOST)
        bug("a run of %llu full slots in a pair set", (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++) {
        entries[i] = atomic_load_explicit(&set->slots[begin + i], memory_order_relaxed);
        atomic_store_explicit(&set->slots[begin + i], 0, memory_order_relaxed);
    }
    for (uint64_t i = 0; i < count; i++)
        place_entry(set, entries[i]);
}

static void move_runs(struct pair_set *set, uint64_t old_end)
{
    uint64_t end = old_end;
    while (end > 0) {
        if (atomic_load_explicit(&set->slots[end - 1], memory_order_relaxed) == 0) {
            end--;
            continue;
        }
        uint64_t begin = end;
        while (begin > 0 && atomic_load_explicit(&set->slots[begin - 1], memory_order_relaxed) != 0)
            begin--;
        move_run(set, begin, end);
        end = begin;
    }
}

/* Room behind the last place for runs that begin near it. */
static uint64_t slack(uint64_t slot_count)
{
    return slot_count < 8192 ? slot_count / 4 : 2048;
}

static bool grow_to(struct pair_set *set, uint64_t slot_count)
{
    uint64_t capacity = slot_count / 4 * 3;
    if (capacity > PAIR_SET_NONE - 1)
        capacity = PAIR_SET_NONE - 1;
    if (slot_count > UINT32_MAX || capacity <= set->capacity)
        return false;
    if (!region_grow(&set->pair_region, capacity * sizeof(uint64_t)))
        return false;
    set->pairs = set->pair_region.base;
    const uint64_t slot_end = slot_count + slack(slot_count);
    if (!region_grow(&set->slot_region, slot_end * sizeof(uint64_t)))
        return false;
    set->slots = set->slot_region.base;
    const uint64_t old_end = set->slot_end;
    set->slot_count = slot_count;
    set->slot_end = slot_end;
    set->capacity = capacity;
    move_runs(set, old_end);
    return true;
}

bool pair_set_grow(struct pair_set *set)
{
    const uint64_t now = set->slot_count;
    if (now == 0)
        return grow_to(set, SLOTS_FIRST);
    if (now <= DOUBLING_MOST && grow_to(set, now * 2))
        return true;
    /* Near the limit of the budget small steps still fit. */
    return grow_to(set, now + now / 2) || grow_to(set, now + now / 4) ||
           grow_to(set, now + now / 10) || grow_to(set, now + now / 32);
}

void pair_set_restore(struct pair_set *set, uint32_t id)
{
    assert(id < set->capacity);
    const uint32_t hash = pair_hash(set->pairs[id], 0);
    place_entry(set, (uint64_t)hash << 32 | (id + 1));
}
