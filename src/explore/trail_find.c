/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first shortest path to a violation of a safety property.
 *
 * No predecessors are stored: they would cost memory in every run to serve the
 * one path of a violated one. With one thread, states are numbered in the very
 * order of their first paths, so a state's predecessor is found by expanding the
 * few states that were expanded about when it was added (checkpoints). With
 * several threads numbers depend on luck; then the states on shortest paths to a
 * violation are found level by level from the back, by all threads, and the
 * path is the first one through these. That costs at most one more
 * search, and both ways give the same path.
 */
#include "explore/trail_find.h"

#include "base/error.h"
#include "explore/property.h"
#include "explore/worker.h"

#include <assert.h>

enum { CHUNK = 256 };

/* Looks through the steps of a state (or the initial states) for the first that
 * leads to a wanted state. */
struct trail_probe {
    struct step_sink sink;
    struct search *search;
    struct search_worker *worker;
    const atomic_uchar *on_path; /* bitmap of wanted ids; NULL: only `wanted` is */
    uint32_t wanted;
    uint32_t least_id;    /* no id below is wanted */
    uint64_t wanted_step; /* marks of a bad step that is looked for; 0: none */
    uint32_t steps;       /* seen so far */
    bool found;
    uint32_t found_step, found_id;
};

static bool is_on_path(const atomic_uchar *on_path, uint32_t id)
{
    return (atomic_load_explicit(&on_path[id / 8], memory_order_relaxed) >> id % 8 & 1) != 0;
}

static void put_on_path(atomic_uchar *on_path, uint32_t id)
{
    atomic_fetch_or_explicit(&on_path[id / 8], (unsigned char)(1U << id % 8), memory_order_relaxed);
}

static uint32_t find_successor(struct search_worker *worker, const struct step *step)
{
    uint64_t root;
    if (!store_pack(&worker->cursor, step->words, step->length, &root))
        return PAIR_SET_NONE;
    return root_set_find(&worker->search->store.roots, root, step->length);
}

static bool is_wanted(const struct trail_probe *probe, uint32_t id)
{
    if (id == PAIR_SET_NONE || id < probe->least_id)
        return false;
    return probe->on_path ? is_on_path(probe->on_path, id) : id == probe->wanted;
}

static bool probe_emit(struct step_sink *sink, const struct step *step)
{
    struct trail_probe *probe = (struct trail_probe *)sink;
    const uint32_t index = probe->steps++;
    if (probe->found)
        return false;
    if (probe->wanted_step != 0 && (step->marks & probe->wanted_step) == 0)
        return true;
    const uint32_t id = find_successor(probe->worker, step);
    if (probe->wanted_step == 0 && !is_wanted(probe, id))
        return true;
    probe->found = true;
    probe->found_step = index;
    probe->found_id = id;
    return false;
}

static void probe_enable(struct step_sink *sink, uint32_t fairness_class)
{
    (void)sink;
    (void)fairness_class;
}

static struct trail_probe probe_for(struct search_worker *worker)
{
    return (struct trail_probe){.sink = {probe_emit, probe_enable},
                                .search = worker->search,
                                .worker = worker,
                                .wanted = PAIR_SET_NONE};
}

/* True if a step out of `id` leads to what is wanted. */
static bool probe_state(struct trail_probe *probe, uint32_t id)
{
    const struct model *model = probe->search->model;
    uint32_t length;
    const uint32_t *words = store_load(&probe->worker->cursor, id, &length);
    probe->steps = 0;
    probe->found = false;
    model->expand(model, probe->worker->scratch, words, length, &probe->sink);
    return probe->found;
}

/* Is this state (at the end of the path, but for the bad step) a violation? */
static bool is_target(struct search_worker *worker, const struct property *property, uint32_t id)
{
    struct search *search = worker->search;
    struct trail_probe probe = probe_for(worker);
    if (property->kind == PROPERTY_STEP_INVARIANT) {
        probe.wanted_step = property->marks;
        return probe_state(&probe, id);
    }
    if (property->kind == PROPERTY_DEADLOCK_FREE) {
        probe_state(&probe, id);
        if (probe.steps > 0)
            return false;
    }
    uint32_t length;
    const uint32_t *words = store_load(&worker->cursor, id, &length);
    const uint64_t atoms = search_atoms(search, worker->scratch, words, length);
    switch (property->kind) {
    case PROPERTY_DEADLOCK_FREE: return (atoms & search->model->end_atoms) == 0;
    case PROPERTY_INVARIANT: return !literals_hold(&property->p, atoms);
    default: return literals_hold(&property->p, atoms);
    }
}

/* The ranges of one depth: indices first..last-1. */
static void ranges_of_depth(const struct search *search, uint32_t depth, uint32_t *first,
                            uint32_t *last)
{
    uint32_t at = 0;
    while (at < search->range_count && search_range(search, at)->depth < depth)
        at++;
    *first = at;
    while (at < search->range_count && search_range(search, at)->depth == depth)
        at++;
    *last = at;
}

static uint32_t level_begin(const struct search *search, uint32_t depth)
{
    uint32_t first, last;
    ranges_of_depth(search, depth, &first, &last);
    assert(first < last);
    return search_range(search, first)->begin;
}

/* One level whose states on shortest paths are found, shared by the threads. */
struct sweep {
    struct search *search;
    const struct property *property; /* NULL: look for steps to states on the path */
    atomic_uchar *on_path;
    uint32_t next_level_begin;
    uint32_t begin, end;
    atomic_uint_fast64_t next;
};

static bool is_over(struct search_worker *worker)
{
    if (limit_tick(&worker->watch))
        (void)limits_expired(&worker->search->limits, &worker->watch);
    const enum explore_reason reason = limits_reason(&worker->search->limits);
    return reason == EXPLORE_TIME || reason == EXPLORE_INTERRUPTED;
}

static void sweep_job(void *context, uint32_t member)
{
    struct sweep *sweep = context;
    struct search_worker *worker = &sweep->search->workers[member];
    if (!worker->ready)
        return; /* never started: the others do its share */
    struct trail_probe probe = probe_for(worker);
    probe.on_path = sweep->on_path;
    probe.least_id = sweep->next_level_begin;
    for (;;) {
        const uint64_t first = atomic_fetch_add(&sweep->next, CHUNK);
        if (first >= sweep->end || is_over(worker))
            break;
        for (uint64_t id = first; id < first + CHUNK && id < sweep->end; id++) {
            if (sweep->property ? is_target(worker, sweep->property, (uint32_t)id)
                                : probe_state(&probe, (uint32_t)id))
                put_on_path(sweep->on_path, (uint32_t)id);
        }
    }
}

static void sweep_level(struct search *search, uint32_t depth, const struct property *property,
                        uint32_t next_level_begin, atomic_uchar *on_path)
{
    uint32_t first, last;
    ranges_of_depth(search, depth, &first, &last);
    for (uint32_t i = first; i < last; i++) {
        const struct level_range *range = search_range(search, i);
        struct sweep sweep = {.search = search,
                              .property = property,
                              .on_path = on_path,
                              .next_level_begin = next_level_begin,
                              .begin = range->begin,
                              .end = range->end};
        atomic_init(&sweep.next, range->begin);
        if (range->end - range->begin > 4 * CHUNK)
            team_run(&search->team, search_threads(search), sweep_job, &sweep);
        else
            sweep_job(&sweep, 0);
    }
}

static uint32_t first_initial(struct search *search, struct trail_probe *probe)
{
    const struct model *model = search->model;
    probe->steps = 0;
    probe->found = false;
    model->initial(model, probe->worker->scratch, &probe->sink);
    if (!probe->found)
        bug("no initial state leads to the violation found");
    return probe->found_step;
}

/* Depth of the last state that is looked at: for a bad step, the one before it. */
static uint32_t target_depth(const struct property *property, uint32_t path_length)
{
    return property->kind == PROPERTY_STEP_INVARIANT ? path_length - 1 : path_length;
}

static bool walk_on_path(struct search *search, uint32_t depth, const atomic_uchar *on_path,
                         struct trail *trail)
{
    struct trail_probe probe = probe_for(&search->workers[0]);
    probe.on_path = on_path;
    trail->initial_index = first_initial(search, &probe);
    if (!trail_push(trail, 0, probe.found_id))
        return false;
    for (uint32_t at = 0; at < depth; at++) {
        probe.least_id = level_begin(search, at + 1);
        if (!probe_state(&probe, probe.found_id))
            bug("a path to the violation found breaks off at depth %u", at);
        if (!trail_push(trail, probe.found_step, probe.found_id))
            return false;
    }
    return true;
}

static bool find_by_sweeping(struct search *search, const struct property *property, uint32_t depth,
                             struct trail *trail)
{
    const size_t bytes = (size_t)atomic_load(&search->store.roots.next_id) / 8 + 1;
    atomic_uchar *on_path = memory_try_allocate_zeroed(search->memory, bytes);
    if (!on_path)
        return false;
    sweep_level(search, depth, property, 0, on_path);
    for (uint32_t at = depth; at-- > 0;)
        sweep_level(search, at, NULL, level_begin(search, at + 1), on_path);
    const bool done = !is_over(&search->workers[0]) && walk_on_path(search, depth, on_path, trail);
    memory_release(search->memory, on_path, bytes);
    return done;
}

/* Where to start expanding so as to meet the state that added `id`: at the last
 * checkpoint before it was added. */
static uint32_t parent_from(const struct search *search, uint32_t id)
{
    const struct checkpoint *checkpoints = search->checkpoints.base;
    uint32_t low = 0, high = search->checkpoint_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (checkpoints[middle].next <= id)
            low = middle + 1;
        else
            high = middle;
    }
    /* Checkpoints before `low` have next <= id. */
    return low == 0 ? 0 : checkpoints[low - 1].expanding;
}

static uint32_t find_parent(struct search *search, uint32_t id)
{
    struct trail_probe probe = probe_for(&search->workers[0]);
    probe.wanted = id;
    for (uint32_t parent = parent_from(search, id); parent < id; parent++) {
        if (probe_state(&probe, parent))
            return parent;
    }
    bug("state %u has no predecessor", id);
}

static bool find_by_numbers(struct search *search, const struct property *property, uint32_t depth,
                            struct trail *trail)
{
    struct search_worker *worker = &search->workers[0];
    uint32_t id = level_begin(search, depth);
    while (!is_target(worker, property, id)) {
        if (++id >= atomic_load(&search->store.roots.next_id))
            bug("the violation found is not there");
    }
    const size_t bytes = ((size_t)depth + 1) * sizeof(uint32_t);
    uint32_t *ids = memory_try_allocate(search->memory, bytes);
    if (!ids)
        return false;
    ids[depth] = id;
    for (uint32_t at = depth; at-- > 0;)
        ids[at] = find_parent(search, ids[at + 1]);
    struct trail_probe probe = probe_for(worker);
    probe.wanted = ids[0];
    trail->initial_index = first_initial(search, &probe);
    bool done = trail_push(trail, 0, ids[0]);
    for (uint32_t at = 0; at < depth && done; at++) {
        probe.wanted = ids[at + 1];
        done = probe_state(&probe, ids[at]) && trail_push(trail, probe.found_step, ids[at + 1]);
    }
    memory_release(search->memory, ids, bytes);
    return done;
}

bool trail_find(struct search *search, uint32_t property_index, struct trail *trail)
{
    const struct property *property = &search->model->properties[property_index];
    assert(search->properties[property_index].decided);
    assert(!property_is_liveness(property));
    const uint32_t depth = target_depth(property, search->properties[property_index].path_length);
    const bool done = search->parallel ? find_by_sweeping(search, property, depth, trail)
                                       : find_by_numbers(search, property, depth, trail);
    if (!done || property->kind != PROPERTY_STEP_INVARIANT)
        return done;
    struct trail_probe probe = probe_for(&search->workers[0]);
    probe.wanted_step = property->marks;
    if (!probe_state(&probe, trail->ids[trail->count]))
        bug("the bad step found is not there");
    return trail_push(trail, probe.found_step, probe.found_id);
}
