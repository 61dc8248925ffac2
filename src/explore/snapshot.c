/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search in a file: states, graph, counts, and how far it has come.
 *
 * A snapshot has the search as it was after the last whole segment of a level (the
 * boundary). Work after the boundary may be incomplete, and is done again. Ids stay
 * the same, so a search that one thread resumes numbers its states as if it had not
 * been interrupted. Tables are not saved, they are made again from what is in them.
 *
 * Nodes of the store that were added after the boundary are saved with the others:
 * no stored state uses them yet, and they will be found again.
 */
#include "explore/snapshot.h"

#include "base/error.h"
#include "explore/property.h"
#include "explore/store_save.h"
#include "explore/worker.h"

#include <assert.h>
#include <string.h>

/* Sums over all threads, with the last whole segment. */
struct boundary {
    bool marked;
    uint32_t root_count; /* ids below were given out */
    uint64_t level_done;
    uint32_t level_first, level_last, next_begin, depth;
    uint32_t expanded_ids;
    uint32_t checkpoint_count;
    uint64_t transitions, expanded, rests;
    uint64_t atoms_seen, marks_seen;
    uint64_t *log_counts; /* by worker */
    uint64_t *fired;      /* by action */
    bool *hits;           /* by property */
};

static uint64_t worker_log_count(const struct search *search, uint32_t worker)
{
    return search->workers[worker].search ? search->workers[worker].log.count : 0;
}

static size_t log_counts_bytes(const struct search *search)
{
    return sizeof(uint64_t) * search->worker_count;
}

static size_t fired_bytes(const struct search *search)
{
    return sizeof(uint64_t) * ((size_t)search->model->action_count + 1);
}

static size_t hits_bytes(const struct search *search)
{
    return sizeof(bool) * ((size_t)search->model->property_count + 1);
}

bool search_snapshot_init(struct search *search)
{
    if (!search->options->save_begin)
        return true;
    struct boundary *boundary = memory_try_allocate_zeroed(search->memory, sizeof(*boundary));
    search->boundary = boundary;
    if (!boundary)
        return false;
    boundary->log_counts = memory_try_allocate_zeroed(search->memory, log_counts_bytes(search));
    boundary->fired = memory_try_allocate_zeroed(search->memory, fired_bytes(search));
    boundary->hits = memory_try_allocate_zeroed(search->memory, hits_bytes(search));
    return boundary->log_counts && boundary->fired && boundary->hits;
}

void search_snapshot_release(struct search *search)
{
    struct boundary *boundary = search->boundary;
    if (!boundary)
        return;
    memory_release(search->memory, boundary->log_counts, log_counts_bytes(search));
    memory_release(search->memory, boundary->fired, fired_bytes(search));
    memory_release(search->memory, boundary->hits, hits_bytes(search));
    memory_release(search->memory, boundary, sizeof(*boundary));
}

bool search_snapshot_is_possible(const struct search *search)
{
    return search->boundary && search->boundary->marked;
}

void search_snapshot_mark(struct search *search)
{
    struct boundary *boundary = search->boundary;
    if (!boundary)
        return;
    boundary->marked = true;
    boundary->root_count = (uint32_t)atomic_load(&search->store.roots.next_id);
    boundary->level_done = search->level_done;
    boundary->level_first = search->level_first;
    boundary->level_last = search->level_last;
    boundary->next_begin = search->next_begin;
    boundary->depth = search->depth;
    boundary->expanded_ids = search->expanded_ids;
    boundary->checkpoint_count = search->checkpoint_count;
    boundary->transitions = boundary->expanded = boundary->rests = 0;
    boundary->atoms_seen = boundary->marks_seen = 0;
    memset(boundary->fired, 0, fired_bytes(search));
    for (uint32_t w = 0; w < search->worker_count; w++) {
        const struct search_worker *worker = &search->workers[w];
        boundary->log_counts[w] = worker_log_count(search, w);
        if (!worker->fired)
            continue;
        boundary->transitions += worker->transitions;
        boundary->expanded += worker->expanded;
        boundary->rests += worker->rests;
        boundary->atoms_seen |= worker->atoms_seen;
        boundary->marks_seen |= worker->marks_seen;
        for (uint32_t action = 0; action < search->model->action_count; action++)
            boundary->fired[action] += worker->fired[action];
    }
    for (uint32_t i = 0; i < search->model->property_count; i++)
        boundary->hits[i] = atomic_load(&search->properties[i].hit);
}

/* ---- saving ---- */

/* What must be equal in the model and the options for a snapshot to fit. */
static void shape_of(const struct search *search, uint64_t *shape)
{
    const struct model *model = search->model;
    shape[0] = model->length_least;
    shape[1] = model->length_most;
    shape[2] = model->property_count;
    shape[3] = model->action_count;
    shape[4] = model->fairness_class_count;
    shape[5] = search->keeps_edges;
    shape[6] = search->packing.used;
}

enum { SHAPE_NUMBERS = 7 };

/* The verdict of a safety property for which a state or step was met that decides it. */
static enum verdict verdict_when_met(const struct property *property)
{
    return property->kind == PROPERTY_REACHABLE ? VERDICT_HOLDS : VERDICT_VIOLATED;
}

static void save_properties(const struct search *search, struct bytes_out *out)
{
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        const struct property *property = &search->model->properties[i];
        const struct property_state *state = &search->properties[i];
        /* These properties were decided after the boundary, or on an incomplete graph: they
         * are decided again. */
        const bool later = property_is_liveness(property) ||
                           state->path_length + (property->kind == PROPERTY_DEADLOCK_FREE) >
                               search->boundary->depth;
        const bool decided = state->decided && !later;
        /* This includes properties for which no path could be found for lack of memory or time. */
        const bool met = decided && search->boundary->hits[i];
        const enum verdict verdict = met ? verdict_when_met(property) : VERDICT_UNDECIDED;
        bytes_put_number(out, decided);
        bytes_put_number(out, decided ? state->path_length : 0);
        bytes_put_number(out, search->boundary->hits[i]);
        bytes_put_number(out, verdict);
        bytes_put_number(out, met ? EXPLORE_DECIDED : search->result->properties[i].reason);
    }
}

static void save_ranges(const struct search *search, struct bytes_out *out)
{
    const uint32_t most = search->boundary->root_count;
    uint32_t count = 0;
    while (count < search->range_count && search_range(search, count)->begin < most)
        count++;
    bytes_put_number(out, count);
    for (uint32_t i = 0; i < count; i++) {
        struct level_range range = *search_range(search, i);
        if (range.end > most)
            range.end = most;
        bytes_put(out, &range, sizeof(range));
    }
    bytes_put_number(out, search->boundary->checkpoint_count);
    bytes_put(out, search->checkpoints.base,
              search->boundary->checkpoint_count * sizeof(struct checkpoint));
}

static void save_store(const struct search *search, struct bytes_out *out)
{
    const struct store *store = &search->store;
    const uint64_t roots = search->boundary->root_count;
    store_save_roots(store, roots, out);
    if (search->packing.bytes > 0)
        bytes_put(out, search->atoms.base, roots * search->packing.bytes);
    store_save_nodes(store, out);
    uint64_t gaps = search->node_gap_count;
    for (uint32_t w = 0; w < search->worker_count; w++)
        gaps +=
            search->workers[w].cursor.node_block.next < search->workers[w].cursor.node_block.end;
    bytes_put_number(out, gaps);
    bytes_put(out, search->node_gaps.base, search->node_gap_count * sizeof(struct id_block));
    for (uint32_t w = 0; w < search->worker_count; w++) {
        const struct id_block *block = &search->workers[w].cursor.node_block;
        if (block->next < block->end)
            bytes_put(out, block, sizeof(*block));
    }
}

/* The logs of all threads become one, so the places in it move. */
static void save_edges(const struct search *search, struct bytes_out *out)
{
    const struct edges *edges = &search->edges;
    const struct boundary *boundary = search->boundary;
    uint64_t offsets[TEAM_MEMBERS_MOST] = {0};
    uint64_t total = 0;
    if (!search->keeps_edges)
        return;
    for (uint32_t w = 0; w < search->worker_count; w++) {
        offsets[w] = total;
        total += boundary->log_counts[w];
    }
    bytes_put_number(out, total);
    for (uint32_t w = 0; w < search->worker_count; w++)
        bytes_put(out, search->workers[w].log.targets.base,
                  boundary->log_counts[w] * sizeof(uint32_t));
    for (uint32_t w = 0; w < search->worker_count; w++)
        bytes_put(out, search->workers[w].log.labels.base,
                  boundary->log_counts[w] * sizeof(uint16_t));
    uint64_t begins = edges->begins.bytes / sizeof(uint64_t);
    if (begins > boundary->root_count)
        begins = boundary->root_count;
    bytes_put_number(out, begins);
    for (uint64_t id = 0; id < begins; id++) {
        const uint64_t begin = ((const uint64_t *)edges->begins.base)[id];
        bytes_put_number(out, (begin & ((UINT64_C(1) << 56) - 1)) + offsets[begin >> 56]);
    }
    bytes_put_number(out, edges->label_count);
    bytes_put(out, edges->labels.base, edges->label_count * sizeof(struct edge_label));
}

void search_snapshot_save(struct search *search, struct bytes_out *out)
{
    const struct boundary *boundary = search->boundary;
    uint64_t shape[SHAPE_NUMBERS];
    assert(search_snapshot_is_possible(search));
    shape_of(search, shape);
    bytes_put(out, shape, sizeof(shape));
    bytes_put_number(out, search->parallel);
    bytes_put_number(out, boundary->level_first);
    bytes_put_number(out, boundary->level_last);
    bytes_put_number(out, boundary->next_begin);
    bytes_put_number(out, boundary->depth);
    bytes_put_number(out, boundary->level_done);
    bytes_put_number(out, boundary->expanded_ids);
    bytes_put_number(out, search->result->statistics.initial_states);
    bytes_put_number(out, boundary->transitions);
    bytes_put_number(out, boundary->expanded);
    bytes_put_number(out, boundary->rests);
    bytes_put_number(out, boundary->atoms_seen);
    bytes_put_number(out, boundary->marks_seen);
    bytes_put(out, boundary->fired, search->model->action_count * sizeof(uint64_t));
    save_properties(search, out);
    save_ranges(search, out);
    save_store(search, out);
    save_edges(search, out);
}

/* ---- loading ---- */

static bool refuse(struct bytes_in *in)
{
    in->bad = true;
    return false;
}

/* A snapshot decides only what a state or step was met for: the run to it is found again. Cycles
 * are searched anew. */
static bool may_be_decided(const struct property *property, uint64_t verdict, bool hit)
{
    return !property_is_liveness(property) &&
           (verdict == VERDICT_UNDECIDED || (hit && verdict == verdict_when_met(property)));
}

static bool load_properties(struct search *search, struct bytes_in *in)
{
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        const struct property *property = &search->model->properties[i];
        struct property_state *state = &search->properties[i];
        const bool decided = bytes_get_number(in) != 0;
        const uint64_t path_length = bytes_get_number(in);
        const bool hit = bytes_get_number(in) != 0;
        const uint64_t verdict = bytes_get_number(in);
        const uint64_t reason = bytes_get_number(in);
        if (path_length > UINT32_MAX || reason > EXPLORE_OMISSION ||
            (decided && !may_be_decided(property, verdict, hit)))
            return refuse(in);
        state->decided = state->decided || decided;
        state->path_length = (uint32_t)path_length;
        atomic_store(&state->hit, hit);
        if (!decided)
            continue;
        search->result->properties[i].verdict = (enum verdict)verdict;
        search->result->properties[i].reason = (enum explore_reason)reason;
    }
    return !in->bad;
}

static bool load_array(struct bytes_in *in, struct region *region, uint64_t count,
                       size_t item_bytes)
{
    if (count == 0)
        return true;
    if (!region_grow(region, count * item_bytes))
        return false;
    bytes_get(in, region->base, count * item_bytes);
    return !in->bad;
}

/* Ids rise from range to range, and so do depths. */
static bool load_ranges(struct search *search, struct bytes_in *in)
{
    const uint64_t count = bytes_get_count(in, sizeof(struct level_range));
    if (in->bad || !load_array(in, &search->ranges, count, sizeof(struct level_range)))
        return false;
    search->range_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++) {
        const struct level_range *range = search_range(search, i);
        const struct level_range *last = i > 0 ? range - 1 : range;
        if (range->begin >= range->end || (i > 0 && range->begin < last->end) ||
            range->depth < last->depth || range->depth - last->depth > 1 ||
            (i == 0 && range->depth != 0))
            return refuse(in);
        search->state_count += range->end - range->begin;
    }
    const uint64_t checkpoints = bytes_get_count(in, sizeof(struct checkpoint));
    search->checkpoint_count = (uint32_t)checkpoints;
    return !in->bad && load_array(in, &search->checkpoints, checkpoints, sizeof(struct checkpoint));
}

static bool load_roots(struct search *search, struct bytes_in *in)
{
    struct root_set *roots = &search->store.roots;
    uint64_t count;
    if (!store_load_roots(&search->store, in, &count))
        return false;
    if (search->packing.bytes > 0) {
        if (!region_grow(&search->atoms, roots->capacity * search->packing.bytes))
            return false;
        bytes_get(in, search->atoms.base, count * search->packing.bytes);
    }
    for (uint32_t i = 0; i < search->range_count; i++) {
        const struct level_range *range = search_range(search, i);
        if (range->end > count)
            return refuse(in);
        for (uint32_t id = range->begin; id < range->end; id++)
            root_set_restore(roots, id);
    }
    return !in->bad;
}

static bool load_nodes(struct search *search, struct bytes_in *in)
{
    struct pair_set *nodes = &search->store.nodes;
    uint64_t count;
    if (!store_load_nodes(&search->store, in, &count))
        return false;
    const uint64_t gaps = bytes_get_count(in, sizeof(struct id_block));
    if (in->bad || !load_array(in, &search->node_gaps, gaps, sizeof(struct id_block)))
        return false;
    search->node_gap_count = (uint32_t)gaps;
    /* There are only a few blocks, so they are saved as a list. */
    uint64_t at = 0;
    while (at < count) {
        const struct id_block *gap = NULL;
        for (uint64_t g = 0; g < gaps; g++) {
            const struct id_block *block = (const struct id_block *)search->node_gaps.base + g;
            if (block->next >= at && block->next < block->end && (!gap || block->next < gap->next))
                gap = block;
        }
        const uint64_t end = gap && gap->next < count ? gap->next : count;
        for (; at < end; at++)
            pair_set_restore(nodes, (uint32_t)at);
        if (end < count)
            at = gap->end;
    }
    return true;
}

/* Everything that states refer to is there, and the model can have such states. */
static bool check_states(struct search *search, struct bytes_in *in)
{
    const struct explore_options *options = search->options;
    struct store_cursor *cursor = &search->workers[0].cursor;
    for (uint32_t i = 0; i < search->range_count; i++)
        for (uint32_t id = search_range(search, i)->begin; id < search_range(search, i)->end;
             id++) {
            uint32_t length;
            if (!store_is_sound(cursor, id))
                return refuse(in);
            const uint32_t *words = store_load(cursor, id, &length);
            if (options->is_sound && !options->is_sound(options->sound_context, words, length))
                return refuse(in);
        }
    return true;
}

/* What is remembered of the order of states names states that are there. */
static bool check_places(struct search *search, struct bytes_in *in)
{
    const uint64_t states = atomic_load(&search->store.roots.next_id);
    const struct checkpoint *checkpoints = search->checkpoints.base;
    if (search->next_begin > states || search->expanded_ids > states || search->range_count == 0 ||
        search->level_last == 0)
        return refuse(in);
    const uint32_t deepest = search_range(search, search->range_count - 1)->depth;
    for (uint32_t i = 0; i < search->model->property_count; i++)
        if (search->properties[i].path_length > deepest)
            return refuse(in);
    for (uint32_t i = 0; i < search->checkpoint_count; i++)
        if (checkpoints[i].expanding >= states || checkpoints[i].next > states)
            return refuse(in);
    return true;
}

static bool load_edges(struct search *search, struct bytes_in *in)
{
    struct edges *edges = &search->edges;
    struct edge_log *log = &search->workers[0].log;
    if (!search->keeps_edges)
        return true;
    const uint64_t count = bytes_get_count(in, sizeof(uint32_t) + sizeof(uint16_t));
    if (in->bad || !load_array(in, &log->targets, count, sizeof(uint32_t)) ||
        !load_array(in, &log->labels, count, sizeof(uint16_t)))
        return false;
    log->count = count;
    const uint64_t begins = bytes_get_count(in, sizeof(uint64_t));
    if (in->bad || !load_array(in, &edges->begins, begins, sizeof(uint64_t)))
        return false;
    const uint64_t labels = bytes_get_count(in, sizeof(struct edge_label));
    if (in->bad || labels == 0 || labels > LABELS_MOST)
        return refuse(in);
    if (!load_array(in, &edges->labels, labels, sizeof(struct edge_label)))
        return false;
    edges->label_count = (uint32_t)labels;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t target = ((const uint32_t *)log->targets.base)[i];
        const uint16_t label = ((const uint16_t *)log->labels.base)[i];
        if ((target != EDGE_NO_TARGET && target >= atomic_load(&search->store.roots.next_id)) ||
            (label & ~EDGE_LAST) >= labels)
            return refuse(in);
    }
    for (uint64_t id = 0; id < begins; id++)
        if (((const uint64_t *)edges->begins.base)[id] >= (count > 0 ? count : 1))
            ((uint64_t *)edges->begins.base)[id] = 0; /* begun after the boundary */
    return region_grow(&edges->begins,
                       sizeof(uint64_t) * (size_t)atomic_load(&search->store.roots.next_id));
}

/* The places in the list of ranges, and the size of the level. */
static bool check_level(struct search *search, struct bytes_in *in)
{
    if (search->level_first > search->level_last || search->level_last > search->range_count)
        return refuse(in);
    for (uint32_t i = search->level_first; i < search->level_last; i++) {
        const struct level_range *range = search_range(search, i);
        if (range->depth != search->depth)
            return refuse(in);
        search->level_size += range->end - range->begin;
    }
    return search->level_done <= search->level_size || refuse(in);
}

bool search_snapshot_load(struct search *search, struct bytes_in *in)
{
    struct search_worker *worker = &search->workers[0];
    uint64_t shape[SHAPE_NUMBERS], saved[SHAPE_NUMBERS];
    assert(search->state_count == 0);
    shape_of(search, shape);
    bytes_get(in, saved, sizeof(saved));
    if (in->bad || memcmp(shape, saved, sizeof(shape)) != 0)
        return refuse(in);
    search->parallel = bytes_get_number(in) != 0;
    search->level_first = (uint32_t)bytes_get_number(in);
    search->level_last = (uint32_t)bytes_get_number(in);
    search->next_begin = (uint32_t)bytes_get_number(in);
    search->depth = (uint32_t)bytes_get_number(in);
    search->level_done = bytes_get_number(in);
    search->expanded_ids = (uint32_t)bytes_get_number(in);
    search->result->statistics.initial_states = bytes_get_number(in);
    worker->transitions = bytes_get_number(in);
    worker->expanded = bytes_get_number(in);
    worker->rests = bytes_get_number(in);
    worker->atoms_seen = bytes_get_number(in);
    worker->marks_seen = bytes_get_number(in);
    bytes_get(in, worker->fired, search->model->action_count * sizeof(uint64_t));
    if (!load_properties(search, in) || !load_ranges(search, in) || !check_level(search, in) ||
        !load_roots(search, in) || !load_nodes(search, in) || !check_places(search, in) ||
        !check_states(search, in) || !load_edges(search, in))
        return false;
    search->result->statistics.depth =
        search->range_count > 0 ? search_range(search, search->level_last - 1)->depth : 0;
    return !in->bad;
}
