/* SPDX-License-Identifier: Apache-2.0 */
/* Kahn's algorithm ("Topological sorting of large networks", 1962): what it cannot
 * sort lies on cycles or behind them. Which states these are does not depend on the order in
 * which the others are sorted, so several threads sort what is ready, round by round. */
#include "explore/suspects.h"

#include "explore/spilling.h"

#include <string.h>

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

    /* Of several threads. */
    struct suspects *suspects;
    atomic_uint_fast64_t next;     /* log, or place in the order, that no thread has taken yet */
    atomic_uint_fast64_t gathered; /* states in the order */
    uint32_t round_end;            /* the round's states end there in the order */
    atomic_bool stopped;
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

/* `end` is behind the last state of the order that may be read. */
static void fetch_ahead(const struct sorting *sorting, uint64_t at, uint64_t end)
{
    const struct edges *edges = &sorting->search->edges;
    const uint32_t *order = sorting->order.base;
    if (at + AHEAD_BEGIN < end)
        __builtin_prefetch((const uint64_t *)edges->begins.base + order[at + AHEAD_BEGIN]);
    if (at + AHEAD_RECORDS < end) {
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
        fetch_ahead(sorting, at, sorting->ordered);
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

/* ---- the same by several threads ---- */

/* A round of fewer states is left to one thread. */
enum { SHARED_LEAST = 1 << 10, CHUNK = 128, READY_MOST = 256 };

/* Each takes whole logs, of which there are as many as threads that have expanded states. */
static void count_job(void *context, uint32_t member)
{
    struct sorting *sorting = context;
    const struct edges *edges = &sorting->search->edges;
    _Atomic uint32_t *arrivals = sorting->arrivals.base;
    uint64_t log;
    (void)member;
    while ((log = atomic_fetch_add(&sorting->next, 1)) < edges->log_count) {
        const uint32_t *targets = edges->logs[log]->targets.base;
        for (uint64_t at = 0; at < edges->logs[log]->count; at++) {
            if (targets[at] < sorting->id_count)
                atomic_fetch_add_explicit(&arrivals[targets[at]], 1, memory_order_relaxed);
            if (at % RELAX_STEPS == RELAX_STEPS - 1)
                search_relax(sorting->search);
        }
    }
}

/* States that nothing leads to any more, on their way into the order. */
struct ready {
    uint32_t count;
    uint32_t ids[READY_MOST];
};

static void hand_over(struct sorting *sorting, struct ready *ready)
{
    const uint64_t at = atomic_fetch_add(&sorting->gathered, ready->count);
    memcpy((uint32_t *)sorting->order.base + at, ready->ids, ready->count * sizeof(uint32_t));
    ready->count = 0;
}

static void sort_one(struct sorting *sorting, uint32_t id, struct ready *ready)
{
    const struct edges *edges = &sorting->search->edges;
    _Atomic uint32_t *arrivals = sorting->arrivals.base;
    _Atomic uint64_t *bits = sorting->suspects->bits.base;
    for (struct edge_walk edge = edges_of(edges, id); edge_next(&edge);) {
        if (edge.target >= sorting->id_count ||
            atomic_fetch_sub_explicit(&arrivals[edge.target], 1, memory_order_relaxed) != 1)
            continue;
        if (ready->count == READY_MOST)
            hand_over(sorting, ready);
        ready->ids[ready->count++] = edge.target;
    }
    if (!edges_rest(edges, id))
        atomic_fetch_and_explicit(&bits[id / 64], ~(UINT64_C(1) << id % 64), memory_order_relaxed);
}

static void round_job(void *context, uint32_t member)
{
    struct sorting *sorting = context;
    const uint32_t *order = sorting->order.base;
    struct limit_watch watch = {0};
    struct ready ready = {0};
    uint64_t first;
    (void)member;
    while ((first = atomic_fetch_add(&sorting->next, CHUNK)) < sorting->round_end) {
        const uint64_t left = sorting->round_end - first;
        const uint64_t last = first + (left < CHUNK ? left : CHUNK);
        for (uint64_t at = first; at < last; at++) {
            fetch_ahead(sorting, at, last);
            sort_one(sorting, order[at], &ready);
        }
        if (limit_tick(&watch) && limits_expired(&sorting->search->limits, &watch))
            atomic_store(&sorting->stopped, true);
    }
    hand_over(sorting, &ready);
}

/* The job, measured if somebody asks (phases.h). */
static void measured(struct sorting *sorting, team_job *job, uint32_t member)
{
    struct phases *phases = sorting->search->options->phases;
    const uint64_t began = phases ? phases_thread_ns() : 0;
    job(sorting, member);
    if (!phases)
        return;
    const uint64_t took = phases_thread_ns() - began;
    atomic_fetch_add(&phases->sorting_shared, took);
    if (member == 0)
        atomic_fetch_sub(&phases->sorting_out, took); /* which has it, too */
}

static void count_together(void *context, uint32_t member)
{
    measured(context, count_job, member);
}

static void round_together(void *context, uint32_t member)
{
    measured(context, round_job, member);
}

static bool sort_together(struct sorting *sorting, uint32_t threads)
{
    struct search *search = sorting->search;
    uint32_t done = 0;
    atomic_store(&sorting->gathered, sorting->ordered);
    while (done < atomic_load(&sorting->gathered) && !atomic_load(&sorting->stopped)) {
        sorting->round_end = (uint32_t)atomic_load(&sorting->gathered);
        atomic_store(&sorting->next, done);
        if (sorting->round_end - done < SHARED_LEAST)
            round_job(sorting, 0);
        else
            team_run(&search->team, threads, round_together, sorting);
        done = sorting->round_end;
        search_relax(search);
    }
    return !atomic_load(&sorting->stopped);
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
        const uint32_t threads = search->shared ? search_threads(search) : 1;
        sorting.suspects = suspects;
        if (threads > 1)
            team_run(&search->team, threads, count_together, &sorting);
        else
            count_arrivals(&sorting);
        begin_order(&sorting);
        done = threads > 1 ? sort_together(&sorting, threads) : sort(&sorting, suspects);
    }
    region_release(&sorting.arrivals);
    region_release(&sorting.order);
    return done;
}

void suspects_release(struct suspects *suspects)
{
    region_release(&suspects->bits);
}
