/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of the states of a level.
 *
 * A search with a single thread finds the states of a level in the order of their first steps: by
 * the order of the step's state in its own level, then by the step's index there. Each owner knows
 * the first step to each of its new states. Together they are put into order by ranges: the rank
 * that has a range gets the keys in it, sorts them, and answers with the numbers.
 */
#include "ranks/rank_run.h"

#include <stdlib.h>
#include <string.h>

struct ordered_key {
    struct step_key key;
    uint32_t rank, index; /* whose it is, and which of its new states */
};

struct key_record {
    uint32_t kind, index, step, padding;
    uint64_t order;
};

struct number_record {
    uint32_t kind, index;
    uint64_t number;
};

static int compare_keys(const void *left, const void *right)
{
    const struct ordered_key *a = left, *b = right;
    return key_before(a->key, b->key) ? -1 : key_before(b->key, a->key);
}

static void take_key(struct rank_run *run, uint32_t from, const struct key_record *record)
{
    struct ordered_key *key = list_push(&run->keys, sizeof(*key));
    if (key)
        *key = (struct ordered_key){{record->order, record->step}, from, record->index};
    else
        rank_end(run, EXPLORE_MEMORY);
}

void rank_take_key(struct rank_run *run, uint32_t from, const uint32_t *record)
{
    struct key_record key;
    memcpy(&key, record, sizeof(key));
    take_key(run, from, &key);
}

static void take_number(struct rank_run *run, const struct number_record *record)
{
    *LIST_AT(&run->new_orders, uint64_t, record->index) = record->number;
}

void rank_take_number(struct rank_run *run, const uint32_t *record)
{
    struct number_record number;
    memcpy(&number, record, sizeof(number));
    take_number(run, &number);
}

/* Which rank sorts the keys of this range. */
static uint32_t sorter_of(const struct rank_run *run, uint64_t order)
{
    const uint64_t total = run->level_total > 0 ? run->level_total : 1;
    return (uint32_t)((pair_wide)order * run->link->count / total);
}

static void send_keys(struct rank_run *run)
{
    for (uint32_t i = 0; i < run->new_keys.count && !run->link->broken; i++) {
        const struct step_key *key = LIST_AT(&run->new_keys, struct step_key, i);
        const uint32_t sorter = sorter_of(run, key->order);
        const struct key_record record = {
            .kind = RECORD_KEY, .index = i, .step = key->step, .order = key->order};
        if (sorter == run->link->rank)
            take_key(run, sorter, &record);
        else
            link_send(run->link, sorter, (const uint32_t *)&record,
                      sizeof(record) / sizeof(uint32_t));
    }
}

static void send_numbers(struct rank_run *run, uint64_t first)
{
    for (uint32_t i = 0; i < run->keys.count && !run->link->broken; i++) {
        const struct ordered_key *key = LIST_AT(&run->keys, struct ordered_key, i);
        const struct number_record record = {RECORD_NUMBER, key->index, first + i};
        if (key->rank == run->link->rank)
            take_number(run, &record);
        else
            link_send(run->link, key->rank, (const uint32_t *)&record,
                      sizeof(record) / sizeof(uint32_t));
    }
}

/* How many keys the ranks before this one have. */
static bool count_before(struct rank_run *run, uint64_t *before)
{
    uint64_t *counts = memory_try_allocate_zeroed(run->memory, sizeof(uint64_t) * run->link->count);
    if (!counts)
        rank_end(run, EXPLORE_MEMORY);
    /* Whoever has no memory must not keep the others waiting. */
    if (!rank_agree(run) || !counts) {
        memory_release(run->memory, counts, sizeof(uint64_t) * run->link->count);
        return false;
    }
    counts[run->link->rank] = run->keys.count;
    const bool done = link_reduce(run->link, LINK_SUM, counts, run->link->count);
    *before = 0;
    for (uint32_t r = 0; r < run->link->rank; r++)
        *before += counts[r];
    memory_release(run->memory, counts, sizeof(uint64_t) * run->link->count);
    return done;
}

bool rank_order_new(struct rank_run *run)
{
    uint64_t before;
    run->keys.count = 0;
    run->new_orders.count = 0;
    if (!region_grow(&run->new_orders.items, sizeof(uint64_t) * ((size_t)run->new_keys.count + 1)))
        rank_end(run, EXPLORE_MEMORY);
    if (!rank_agree(run))
        return false;
    run->new_orders.count = run->new_keys.count;
    send_keys(run);
    if (!link_close_phase(run->link) || !count_before(run, &before))
        return false;
    if (run->keys.count > 1)
        qsort(run->keys.items.base, run->keys.count, sizeof(struct ordered_key), compare_keys);
    send_numbers(run, before);
    return link_close_phase(run->link);
}
