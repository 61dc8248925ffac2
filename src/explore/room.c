/* SPDX-License-Identifier: Apache-2.0 */
/* The table is emptied, and then filled again in the order of ids, which the ranges of the
 * levels tell. */
#include "explore/room.h"

#include "base/error.h"

enum {
    WORTH_STATES = 1 << 16, /* a smaller table is grown in no time */
    RATIO_MOST = 4,         /* a level may be a chance */
    MARGIN_PART = 4,        /* growing within the level would cost much more */
    PART_LEAST = 16,        /* a table grows by at least this part, however many levels follow */
    CHUNK_SLOTS = 1 << 16,
    CHUNK_IDS = 1 << 13,
    AT_ONCE = 32, /* slots that are fetched together */
};

struct refill {
    struct search *search;
    uint64_t old_end; /* of the slots */
    uint64_t ids;
    atomic_uint_fast64_t next;
    atomic_uint_fast64_t cleared, placed;
};

static void clear_job(void *context, uint32_t member)
{
    struct refill *refill = context;
    struct root_set *roots = &refill->search->store.roots;
    uint64_t first, full = 0;
    (void)member;
    while ((first = atomic_fetch_add(&refill->next, CHUNK_SLOTS)) < refill->old_end) {
        const uint64_t left = refill->old_end - first;
        full += root_set_clear(roots, first, first + (left < CHUNK_SLOTS ? left : CHUNK_SLOTS));
    }
    atomic_fetch_add(&refill->cleared, full);
}

static void place_range(struct root_set *roots, uint32_t begin, uint32_t end)
{
    uint32_t hashes[AT_ONCE];
    while (begin < end) {
        const uint32_t count = end - begin < AT_ONCE ? end - begin : AT_ONCE;
        for (uint32_t i = 0; i < count; i++) {
            hashes[i] = root_set_hash(roots, begin + i);
            root_set_prefetch(roots, hashes[i]);
        }
        for (uint32_t i = 0; i < count; i++)
            root_set_place_again(roots, begin + i, hashes[i]);
        begin += count;
    }
}

/* The first range that ends behind this id. */
static uint32_t range_behind(const struct search *search, uint64_t id)
{
    uint32_t low = 0, high = search->range_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (search_range(search, middle)->end <= id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void fill_job(void *context, uint32_t member)
{
    struct refill *refill = context;
    struct search *search = refill->search;
    uint64_t first, placed = 0;
    (void)member;
    while ((first = atomic_fetch_add(&refill->next, CHUNK_IDS)) < refill->ids) {
        const uint64_t last = first + CHUNK_IDS;
        for (uint32_t i = range_behind(search, first); i < search->range_count; i++) {
            const struct level_range *range = search_range(search, i);
            const uint32_t begin = range->begin > first ? range->begin : (uint32_t)first;
            const uint32_t end = range->end < last ? range->end : (uint32_t)last;
            if (begin >= end)
                break;
            place_range(&search->store.roots, begin, end);
            placed += end - begin;
        }
    }
    atomic_fetch_add(&refill->placed, placed);
}

static void refill_table(struct search *search, uint32_t threads, uint64_t old_end)
{
    struct refill refill = {
        .search = search, .old_end = old_end, .ids = atomic_load(&search->store.roots.next_id)};
    team_run(&search->team, threads, clear_job, &refill);
    atomic_store(&refill.next, 0);
    team_run(&search->team, threads, fill_job, &refill);
    if (atomic_load(&refill.cleared) != atomic_load(&refill.placed))
        bug("%llu of %llu states were lost when their table was enlarged",
            (unsigned long long)atomic_load(&refill.cleared),
            (unsigned long long)atomic_load(&refill.placed));
}

static uint64_t size_of_previous_level(const struct search *search)
{
    uint64_t size = 0;
    for (uint32_t i = search->level_first; i > 0; i--) {
        const struct level_range *range = search_range(search, i - 1);
        if (range->depth + 1 != search->depth)
            break;
        size += range->end - range->begin;
    }
    return size;
}

/* Levels mostly grow or shrink as they did before. */
static uint64_t expected_states(const struct search *search)
{
    const uint64_t size = search->level_size, previous = size_of_previous_level(search);
    const double ratio = previous > 0 ? (double)size / (double)previous : 1;
    return (uint64_t)((double)size * (ratio < RATIO_MOST ? ratio : RATIO_MOST));
}

void search_make_room(struct search *search, uint32_t threads)
{
    struct root_set *roots = &search->store.roots;
    const uint64_t now = atomic_load(&roots->next_id);
    const uint64_t expected = expected_states(search);
    const uint64_t wanted = now + expected + expected / MARGIN_PART;
    if (search->level_done > 0 || now < WORTH_STATES || wanted <= roots->slot_capacity)
        return;
    const uint64_t least = roots->slot_capacity + roots->slot_capacity / PART_LEAST;
    if (search->options->states_most < wanted)
        return;
    const uint64_t old_end = roots->slot_end;
    if (root_set_enlarge(roots, wanted < least ? least : wanted)) {
        search->result->statistics.growths++;
        refill_table(search, threads, old_end);
    }
}
