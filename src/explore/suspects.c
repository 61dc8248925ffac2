/* SPDX-License-Identifier: Apache-2.0 */
/* Kahn's algorithm ("Topological sorting of large networks", 1962): what it cannot
 * sort lies on cycles or behind them. */
#include "explore/suspects.h"

#include "explore/spilling.h"

/* So far ahead of the state in work its successors' records are fetched: long enough
 * for memory, short enough for the cache. */
enum { AHEAD_BEGIN = 16, AHEAD_RECORDS = 8 };

/* After so many steps, or looks at the clock, steps in files are left to the system. */
enum { RELAX_STEPS = 1 << 24, RELAX_LOOKS = 64 };

struct sorting {
    struct search *search;
    struct region arrivals; /* uint32_t by id: steps into it from states not yet sorted */
    struct region order;    /* uint32_t: the states sorted, and those to be sorted next */
    uint32_t ordered;
    uint32_t id_count;
};

uint32_t suspects_next(const struct suspects *suspects, uint32_t id, uint32_t end)
{
    const uint64_t *bits = suspects->bits.base;
    if (suspects->all || id >= end)
        return id;
    uint64_t left = bits[id / 64] >> id % 64 << id % 64;
    while (left == 0) {
        id = (id / 64 + 1) * 64;
        if (id >= end)
            return end;
        left = bits[id / 64];
    }
    id = id / 64 * 64 + (uint32_t)__builtin_ctzll(left);
    return id < end ? id : end;
}

/* The logs hold the steps of the expanded states and no others, between two levels. */
static void count_arrivals(struct sorting *sorting)
{
    const struct edges *edges = &sorting->search->edges;
    uint32_t *arrivals = sorting->arrivals.base;
    for (uint32_t i = 0; i < edges->log_count; i++) {
        const uint32_t *targets = edges->logs[i]->targets.base;
        for (uint64_t at = 0; at < edges->logs[i]->count; at++) {
            if (targets[at] < sorting->id_count)
                arrivals[targets[at]]++;
            if (at % RELAX_STEPS == RELAX_STEPS - 1)
                search_relax(sorting->search);
        }
    }
}

/* Those that no step leads to, of the ids that stand for a state. */
static void begin_order(struct sorting *sorting)
{
    const struct search *search = sorting->search;
    const uint32_t *arrivals = sorting->arrivals.base;
    uint32_t *order = sorting->order.base;
    for (uint32_t i = 0; i < search->range_count; i++) {
        const struct level_range *range = search_range(search, i);
        if (range->begin >= sorting->id_count)
            break;
        for (uint32_t id = range->begin; id < range->end; id++) {
            if (arrivals[id] == 0)
                order[sorting->ordered++] = id;
        }
    }
}

static void fetch_ahead(const struct sorting *sorting, uint32_t at)
{
    const struct edges *edges = &sorting->search->edges;
    const uint32_t *order = sorting->order.base;
    if (at + AHEAD_BEGIN < sorting->ordered)
        __builtin_prefetch((const uint64_t *)edges->begins.base + order[at + AHEAD_BEGIN]);
    if (at + AHEAD_RECORDS < sorting->ordered) {
        const struct edge_walk edge = edges_of(edges, order[at + AHEAD_RECORDS]);
        __builtin_prefetch(edge.targets);
        __builtin_prefetch(edge.labels);
    }
}

static void sort_state(struct sorting *sorting, uint32_t id)
{
    uint32_t *arrivals = sorting->arrivals.base;
    uint32_t *order = sorting->order.base;
    uint32_t ordered = sorting->ordered;
    for (struct edge_walk edge = edges_of(&sorting->search->edges, id); edge_next(&edge);) {
        if (edge.target >= sorting->id_count)
            continue;
        /* Written in any case: a branch on whether it counts would be mispredicted often. */
        order[ordered] = edge.target;
        ordered += --arrivals[edge.target] == 0;
    }
    sorting->ordered = ordered;
}

/* All states but those sorted, and among them those that a run may rest in. */
static bool sort(struct sorting *sorting, struct suspects *suspects)
{
    struct search *search = sorting->search;
    uint64_t *bits = suspects->bits.base;
    struct limit_watch watch = {0};
    const uint32_t *order = sorting->order.base;
    uint32_t looks = 0;
    for (uint32_t at = 0; at < sorting->ordered; at++) {
        const uint32_t id = order[at];
        fetch_ahead(sorting, at);
        sort_state(sorting, id);
        if (!edges_rest(&search->edges, id))
            bits[id / 64] &= ~(UINT64_C(1) << id % 64);
        if (!limit_tick(&watch))
            continue;
        if (limits_expired(&search->limits, &watch))
            return false;
        if (++looks % RELAX_LOOKS == 0)
            search_relax(search);
    }
    return true;
}

static void suspect_all(const struct search *search, struct suspects *suspects)
{
    uint64_t *bits = suspects->bits.base;
    for (uint32_t i = 0; i < search->range_count; i++) {
        const struct level_range *range = search_range(search, i);
        if (range->begin >= suspects->id_count)
            break;
        for (uint32_t id = range->begin; id < range->end; id++)
            bits[id / 64] |= UINT64_C(1) << id % 64;
    }
}

bool suspects_find(struct search *search, struct suspects *suspects)
{
    struct sorting sorting = {.search = search, .id_count = search->expanded_ids};
    const size_t numbers_bytes = sizeof(uint32_t) * ((size_t)sorting.id_count + 1);
    *suspects = (struct suspects){.id_count = search->expanded_ids, .all = true};
    region_init(&suspects->bits, search->memory);
    region_init(&sorting.arrivals, search->memory);
    region_init(&sorting.order, search->memory);
    bool done = true;
    /* A search that ended within a level has steps of states that are not all there. */
    if (!search_ending(search) && region_grow(&sorting.arrivals, numbers_bytes) &&
        region_grow(&sorting.order, numbers_bytes) &&
        region_grow(&suspects->bits, ((size_t)suspects->id_count / 64 + 1) * sizeof(uint64_t))) {
        suspects->all = false;
        suspect_all(search, suspects);
        count_arrivals(&sorting);
        begin_order(&sorting);
        done = sort(&sorting, suspects);
    }
    region_release(&sorting.arrivals);
    region_release(&sorting.order);
    return done;
}

void suspects_release(struct suspects *suspects)
{
    region_release(&suspects->bits);
}
