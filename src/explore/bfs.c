/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breadth-first search, level by level. All states of one depth are expanded
 * before any of the next, and a level is always finished, so what is known after
 * it (states, hits, counts) does not depend on which thread was faster.
 */
#include "explore/bfs.h"

#include "base/clock.h"
#include "explore/cycle.h"
#include "explore/explain.h"
#include "explore/id_limit.h"
#include "explore/room.h"
#include "explore/snapshot.h"
#include "explore/worker.h"

#include <assert.h>

enum { LIVENESS_FIRST = 4096, LIVENESS_FACTOR = 4, SEGMENT_STATES = 1 << 13 };

/* How many ids a thread takes at once. Neighbouring states have much in common, so a
 * large block, whose states one thread finds and one thread expands, makes better use
 * of the caches. The ids that are left of a block at the end of a level are lost, so a
 * block is small in comparison with the level. */
enum { BLOCK_LEAST = 16, BLOCK_MOST = 1024, BLOCKS_A_LEVEL = 32 };

/* Sets what the workers look at in the next level. */
static void watch_undecided(struct search *search)
{
    search->watch_states = search->packing.bytes > 0;
    search->watch_deadlock = false;
    search->watch_marks = 0;
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        const struct property *property = &search->model->properties[i];
        if (search->properties[i].decided)
            continue;
        if (property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_REACHABLE)
            search->watch_states = true;
        else if (property->kind == PROPERTY_DEADLOCK_FREE)
            search->watch_deadlock = true;
        else if (property->kind == PROPERTY_STEP_INVARIANT)
            search->watch_marks |= property->marks;
    }
}

static void add_range(struct search *search, uint32_t begin, uint32_t end, uint32_t depth)
{
    assert(begin <= end);
    if (begin == end)
        return;
    search->state_count += end - begin;
    struct level_range *ranges = search->ranges.base;
    if (search->range_count > search->level_last && ranges[search->range_count - 1].end == begin) {
        ranges[search->range_count - 1].end = end;
        return;
    }
    if (!region_reserve_next(&search->ranges, search->range_count, sizeof(struct level_range))) {
        limits_end(&search->limits, EXPLORE_MEMORY);
        return;
    }
    ((struct level_range *)search->ranges.base)[search->range_count++] =
        (struct level_range){begin, end, depth};
}

/* The next block at or after `from` of ids that a thread took and did not use. */
static struct id_block *next_leftover(struct search *search, uint32_t from)
{
    struct id_block *next = NULL;
    for (uint32_t i = 0; i < search->worker_count; i++) {
        struct id_block *block = &search->workers[i].cursor.root_block;
        if (block->next < block->end && block->next >= from && (!next || block->next < next->next))
            next = block;
    }
    return next;
}

/* The states added since id `begin` are of this depth. */
static void add_states(struct search *search, uint32_t begin, uint32_t depth)
{
    const uint32_t end = (uint32_t)atomic_load(&search->store.roots.next_id);
    struct id_block *leftover;
    while ((leftover = next_leftover(search, begin)) != NULL) {
        add_range(search, begin, leftover->next, depth);
        begin = leftover->end;
        *leftover = (struct id_block){0, 0};
    }
    add_range(search, begin, end, depth);
}

/* Makes the states that were added the current level. */
static void open_level(struct search *search, uint32_t depth)
{
    const uint32_t end = (uint32_t)atomic_load(&search->store.roots.next_id);
    if (!search_ending(search))
        search->expanded_ids = search->next_begin;
    search->next_begin = end;
    search->level_block = search->store.block_size;
    search->level_first = search->level_last;
    search->level_last = search->range_count;
    search->level_size = 0;
    search->level_done = 0;
    for (uint32_t i = search->level_first; i < search->level_last; i++)
        search->level_size += search_range(search, i)->end - search_range(search, i)->begin;
    search->depth = depth;
    if (search->level_size > 0)
        search->result->statistics.depth = depth;
    if (search->keeps_edges && !region_grow(&search->edges.begins, sizeof(uint64_t) * (size_t)end))
        limits_end(&search->limits, EXPLORE_MEMORY);
}

/* Decides the properties that a state or step of the level just expanded
 * violates (or, for REACHABLE, shows). `depth` is the depth of the states that
 * were added. */
static void gather_hits(struct search *search, uint32_t depth)
{
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        struct property_state *state = &search->properties[i];
        if (state->decided || !atomic_load(&state->hit))
            continue;
        const enum property_kind kind = search->model->properties[i].kind;
        state->decided = true;
        state->path_length = kind == PROPERTY_DEADLOCK_FREE ? depth - 1 : depth;
        search->result->properties[i].verdict =
            kind == PROPERTY_REACHABLE ? VERDICT_HOLDS : VERDICT_VIOLATED;
        search->result->properties[i].reason = EXPLORE_DECIDED;
    }
}

static bool violated(const struct search *search)
{
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        if (search->properties[i].decided &&
            search->result->properties[i].verdict == VERDICT_VIOLATED)
            return true;
    }
    return false;
}

static bool all_decided(const struct search *search)
{
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        if (!search->properties[i].decided)
            return false;
    }
    return search->model->property_count > 0;
}

static void level_job(void *context, uint32_t member)
{
    struct search *search = context;
    struct search_worker *worker = &search->workers[member];
    if (!worker->search && !worker_init(worker, search)) {
        limits_end(&search->limits, EXPLORE_MEMORY);
        return;
    }
    struct phases *phases = search->options->phases;
    if (!phases) {
        worker_run_level(worker);
        return;
    }
    const uint64_t began = phases_thread_ns();
    const int64_t began_at = clock_now_ns();
    worker_run_level(worker);
    const uint64_t took = phases_thread_ns() - began;
    atomic_fetch_add(&search->segment_work_ns, took);
    atomic_fetch_add(&search->segment_inside_ns, (uint64_t)(clock_now_ns() - began_at));
    if (member > 0)
        atomic_fetch_add(&phases->helping, took);
}

/* What the threads have measured in a segment, which took so long by the clock. */
static void add_segment(struct search *search, uint64_t clock_ns)
{
    struct phases *phases = search->options->phases;
    const uint64_t work = atomic_exchange(&search->segment_work_ns, 0);
    const uint64_t inside = atomic_exchange(&search->segment_inside_ns, 0);
    const uint64_t present = clock_ns * search->level_threads;
    atomic_fetch_add(&phases->levels, 1);
    if (search->level_threads == 1) {
        atomic_fetch_add(&phases->expanding_alone, work);
        return;
    }
    atomic_fetch_add(&phases->levels_shared, 1);
    atomic_fetch_add(&phases->expanding_shared, work);
    atomic_fetch_add(&phases->waiting_at_ends, present > inside ? present - inside : 0);
}

static void make_room(struct search *search, uint32_t threads)
{
    struct phases *phases = search->options->phases;
    const uint64_t began = phases ? phases_thread_ns() : 0;
    search_make_room(search, threads);
    if (phases)
        atomic_fetch_add(&phases->making_room, phases_thread_ns() - began);
}

/* From now on the ids of states depend on which thread was faster. */
static void go_parallel(struct search *search)
{
    if (search->shared)
        return;
    search->parallel = search->shared = true;
    if (search->model->before_threads)
        search->model->before_threads(search->model);
}

/* A search that may be saved expands its levels in segments, so that little work is
 * lost if it ends within a large level. */
static uint64_t segment_states(const struct search *search)
{
    if (search->options->segment_states > 0)
        return search->options->segment_states;
    return search->boundary ? (uint64_t)SEGMENT_STATES : UINT64_MAX;
}

static uint32_t block_size(const struct search *search, uint32_t threads)
{
    const uint64_t states = search->level_end - search->level_done;
    const uint64_t size = states / ((uint64_t)threads * BLOCKS_A_LEVEL);
    return size < BLOCK_LEAST ? BLOCK_LEAST : size > BLOCK_MOST ? BLOCK_MOST : (uint32_t)size;
}

static void expand_segment(struct search *search)
{
    const uint32_t threads = search_threads(search);
    const uint64_t left = search->level_size - search->level_done;
    const uint64_t most = segment_states(search);
    const uint32_t begin = (uint32_t)atomic_load(&search->store.roots.next_id);
    search_limit_ids(search);
    search->level_end = search->level_done + (left < most ? left : most);
    atomic_store(&search->level_next, search->level_done);
    watch_undecided(search);
    int64_t began = 0;
    if (threads > 1 && left >= search->options->parallel_from) {
        go_parallel(search);
        search->level_threads = threads;
        make_room(search, threads);
        store_share(&search->store, block_size(search, threads));
        began = search->options->phases ? clock_now_ns() : 0;
        team_run(&search->team, threads, level_job, search);
    } else {
        search->level_threads = 1;
        store_share(&search->store, 1);
        level_job(search, 0);
    }
    if (search->options->phases)
        add_segment(search, (uint64_t)(clock_now_ns() - began));
    add_states(search, begin, search->depth + 1);
    if (!search_ending(search))
        search->level_done = search->level_end;
}

/* With several threads, finding a path takes about as long as the search up to its
 * end. The time limit includes it, so paths are found before the limit is reached. */
static void explain_early(struct search *search)
{
    if (search->parallel && !search_ending(search))
        explain_safety(search);
}

static void expand_level(struct search *search)
{
    const uint32_t depth = search->depth + 1;
    expand_segment(search);
    if (!search_ending(search) && search->level_done < search->level_size) {
        search_snapshot_mark(search);
        return;
    }
    open_level(search, depth);
    gather_hits(search, depth);
    explain_early(search);
    if (!search_ending(search))
        search_snapshot_mark(search);
}

/* A cycle among the states that are known so far is a cycle of the whole graph.
 * Looking for one now and then ends runs with a violation early, at a third of
 * the cost of looking once at the end. */
static bool looking_for_cycles(const struct search *search)
{
    return search->keeps_edges && !search->options->all &&
           search->state_count >= search->liveness_at;
}

static void look_for_cycles(struct search *search)
{
    cycle_judge(search, false);
    search->liveness_at = search->state_count * LIVENESS_FACTOR;
}

/* Ends the search without a limit: what is undecided stays so. */
static bool satisfied(const struct search *search)
{
    return all_decided(search) || (!search->options->all && violated(search));
}

void bfs_run(struct search *search)
{
    struct statistics *statistics = &search->result->statistics;
    const int64_t started = clock_now_ns();
    assert(search->workers[0].ready);
    search->liveness_at = LIVENESS_FIRST;
    if (!search->options->resume) {
        watch_undecided(search);
        search_limit_ids(search);
        worker_add_initial(&search->workers[0]);
        add_states(search, 0, 0);
        open_level(search, 0);
        gather_hits(search, 0);
        statistics->initial_states = search->state_count;
    }
    explain_early(search);
    if (!search_ending(search))
        search_snapshot_mark(search);
    while (!search_ending(search) && search->level_size > 0) {
        if (satisfied(search))
            limits_end(&search->limits, EXPLORE_STOPPED);
        else if (search->depth >= search->options->depth_most)
            limits_end(&search->limits, EXPLORE_DEPTH);
        else if (search->level_done == 0 && looking_for_cycles(search))
            look_for_cycles(search);
        else
            expand_level(search);
    }
    search->result->complete = !search_ending(search);
    statistics->search_seconds =
        (double)(clock_now_ns() - started) / 1e9 - statistics->liveness_seconds;
}
