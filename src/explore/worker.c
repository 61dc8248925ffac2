/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread's share of a level: load a state, let the model emit its steps,
 * pack and store the successors.
 *
 * Successors are gathered in batches, so that the cache misses of many look-ups
 * overlap: a slot is prefetched when its successor is packed, the pair behind it
 * at the start of the batch, and both are there when the batch is stored.
 *
 * Atoms of new states are evaluated after the expansion that found them, never
 * inside of it, because both use the model's one scratch.
 */
#include "explore/worker.h"

#include "base/error.h"
#include "explore/id_limit.h"
#include "explore/spilling.h"

#include <assert.h>
#include <string.h>

/* How many states of a level a thread takes at once. One alone notes a checkpoint for
 * each chunk. Of several threads each takes a block of states that one thread found (see
 * block_size in bfs.c), and smaller ones towards the end of the level, so that the
 * threads finish at the same time. */
enum { CHUNK_SIZE = 64, CHUNK_LEAST = 16, CHUNKS_LEFT = 2 };

static bool worker_emit(struct step_sink *sink, const struct step *step);
static void worker_enable(struct step_sink *sink, uint32_t fairness_class);
static void worker_open(struct step_sink *sink, uint32_t gate);

static size_t fired_bytes(const struct search *search)
{
    return sizeof(uint64_t) * ((size_t)search->model->action_count + 1);
}

bool worker_init(struct search_worker *worker, struct search *search)
{
    const struct model *model = search->model;
    worker->sink = (struct step_sink){worker_emit, worker_enable, worker_open};
    worker->search = search;
    region_init(&worker->fresh, search->memory);
    edge_log_init(&worker->log, search->memory);
    if (!store_cursor_init(&worker->cursor, &search->store) ||
        !recents_init(&worker->recents, search->memory))
        return false;
    worker->fired = memory_try_allocate_zeroed(search->memory, fired_bytes(search));
    if (!worker->fired)
        return false;
    if (search->keeps_edges && !labels_known_enlarge(&worker->labels_known, search->memory))
        return false;
    if (model->worker_create) {
        worker->scratch = model->worker_create(model, search->memory);
        if (!worker->scratch)
            return false;
    }
    worker->ready = true;
    return true;
}

void worker_release(struct search_worker *worker)
{
    const struct search *search = worker->search;
    if (!search)
        return;
    if (worker->scratch && search->model->worker_free)
        search->model->worker_free(search->model, search->memory, worker->scratch);
    store_cursor_release(&worker->cursor);
    recents_release(&worker->recents, search->memory);
    region_release(&worker->fresh);
    edge_log_release(&worker->log);
    labels_known_release(&worker->labels_known, search->memory);
    memory_release(search->memory, worker->fired, fired_bytes(search));
}

static uint64_t growth_begins(const struct search *search)
{
    return search->options->phases ? phases_thread_ns() : 0;
}

/* The gate is still closed. */
static void growth_ends(struct search *search, uint64_t began)
{
    if (search->options->phases)
        search->growing_ns += phases_thread_ns() - began;
}

static void note_growth(struct search *search, bool grown)
{
    if (grown)
        search->result->statistics.growths++;
    else
        limits_end(&search->limits, EXPLORE_MEMORY);
}

/* Unless another thread has done so since the set had `slots_seen` slots. False: the run is
 * ending. */
static bool grow_nodes(struct search_worker *worker, uint64_t slots_seen)
{
    struct search *search = worker->search;
    struct pair_set *nodes = &search->store.nodes;
    if (!gate_close(&search->gate))
        return !search_ending(search);
    const uint64_t began = growth_begins(search);
    if (nodes->slot_count == slots_seen) {
        bool grown = pair_set_grow(nodes);
        while (!grown && search_spill(search))
            grown = pair_set_grow(nodes);
        note_growth(search, grown);
    }
    growth_ends(search, began);
    gate_open(&search->gate);
    return !search_ending(search);
}

/* The packed atoms have room for every id that the roots have room for. */
static bool grow_atoms(struct search *search)
{
    return search->packing.bytes == 0 ||
           region_grow(&search->atoms, search->store.roots.capacity * search->packing.bytes);
}

static bool grow_roots(struct search *search)
{
    bool roots_grown = false;
    do {
        roots_grown = roots_grown || root_set_grow(&search->store.roots);
        if (roots_grown && grow_atoms(search))
            return true;
    } while (search_spill(search));
    return false;
}

static bool widen_roots(struct search *search, uint64_t root)
{
    do {
        if (root_set_widen(&search->store.roots, root))
            return true;
    } while (search_spill(search));
    return false;
}

bool worker_grow_roots(struct search_worker *worker, uint64_t root, uint64_t changes_seen)
{
    struct search *search = worker->search;
    struct root_set *roots = &search->store.roots;
    if (!gate_close(&search->gate))
        return !search_ending(search);
    const uint64_t began = growth_begins(search);
    if (!root_set_fits(roots, root)) {
        if (!widen_roots(search, root))
            limits_end(&search->limits, EXPLORE_MEMORY);
    } else {
        const bool has_id =
            worker_lacks_ids(worker) && !search_ending(search) && worker_obtain_ids(worker);
        if (!has_id && roots->changes == changes_seen)
            note_growth(search, grow_roots(search));
    }
    growth_ends(search, began);
    gate_open(&search->gate);
    return !search_ending(search);
}

static void hit(struct search *search, uint32_t index)
{
    atomic_store_explicit(&search->properties[index].hit, true, memory_order_relaxed);
}

/* Notes which invariants a new state violates and which witnesses it gives. */
static void look_at_state(struct search *search, uint64_t atoms)
{
    const struct model *model = search->model;
    for (uint32_t i = 0; i < model->property_count; i++) {
        const struct property *property = &model->properties[i];
        if (search->properties[i].decided)
            continue;
        const bool holds = literals_hold(&property->p, atoms);
        if ((property->kind == PROPERTY_INVARIANT && !holds) ||
            (property->kind == PROPERTY_REACHABLE && holds))
            hit(search, i);
    }
}

static void look_at_marks(struct search *search, uint64_t marks)
{
    const struct model *model = search->model;
    for (uint32_t i = 0; i < model->property_count; i++) {
        const struct property *property = &model->properties[i];
        if (property->kind == PROPERTY_STEP_INVARIANT && (property->marks & marks) != 0 &&
            !search->properties[i].decided)
            hit(search, i);
    }
}

static void look_at_fresh(struct search_worker *worker)
{
    struct search *search = worker->search;
    const uint32_t *fresh = worker->fresh.base;
    for (uint32_t i = 0; i < worker->fresh_count; i++) {
        uint32_t length;
        const uint32_t *words = store_load(&worker->cursor, fresh[i], &length);
        const uint64_t atoms = search_atoms(search, worker->scratch, words, length);
        worker->atoms_seen |= atoms;
        look_at_state(search, atoms);
        if (search->packing.bytes > 0)
            atoms_store(&search->packing, search->atoms.base, fresh[i], atoms);
    }
    worker->fresh_count = 0;
}

static void note_fresh(struct search_worker *worker, uint32_t id)
{
    struct search *search = worker->search;
    if (id >= search->store.roots.ids_most)
        limits_end(&search->limits, EXPLORE_STATES);
    if (!search->watch_states)
        return;
    if (!region_reserve_next(&worker->fresh, worker->fresh_count, sizeof(uint32_t))) {
        limits_end(&search->limits, EXPLORE_MEMORY);
        return;
    }
    ((uint32_t *)worker->fresh.base)[worker->fresh_count++] = id;
}

static bool store_entry(struct search_worker *worker, const struct batch_entry *entry, uint32_t *id)
{
    const struct root_set *roots = &worker->search->store.roots;
    worker->looked_up++;
    for (;;) {
        bool is_new;
        const uint64_t changes_seen = roots->changes;
        *id = store_add(&worker->cursor, entry->root, entry->length, entry->hash, &is_new);
        if (*id != PAIR_SET_NONE) {
            if (entry->recent > 0)
                recents_stored(&worker->recents, entry->recent - 1,
                               (uint32_t)(entry - worker->batch), *id);
            else
                store_remember(&worker->cursor, entry->root, entry->length, entry->hash, *id);
            if (is_new)
                note_fresh(worker, *id);
            else if (entry->recent > 0)
                recents_missed(&worker->recents, worker->search->memory);
            return true;
        }
        if (!worker_grow_roots(worker, entry->root, changes_seen))
            return false;
    }
}

static void keep_edge(struct search_worker *worker, const struct batch_entry *entry,
                      uint32_t target)
{
    const uint16_t label = (uint16_t)(entry->label | (entry->last ? EDGE_LAST : 0));
    if (!edge_log_push(&worker->log, target, label))
        limits_end(&worker->search->limits, EXPLORE_MEMORY);
}

static void check_limits(struct search_worker *worker)
{
    struct search *search = worker->search;
    if (!limits_check(&search->limits, &worker->watch))
        return;
    uint64_t done = atomic_load_explicit(&search->level_next, memory_order_relaxed);
    if (done > search->level_size)
        done = search->level_size;
    struct explore_progress progress = {
        .states = atomic_load_explicit(&search->store.roots.next_id, memory_order_relaxed),
        .transitions = worker->transitions * (search->parallel ? search_threads(search) : 1),
        .frontier = search->level_size - done,
        .depth = search->depth,
        .memory_bytes = atomic_load(&search->memory->used_bytes),
    };
    limits_progress(&search->limits, &progress);
}

static void flush(struct search_worker *worker)
{
    struct search *search = worker->search;
    gate_pause(&search->gate);
    const struct root_set *roots = &search->store.roots;
    for (uint32_t i = 0; i < worker->batch_count; i++) {
        if (worker->batch[i].kind == BATCH_STEP)
            root_set_prefetch_record(roots, worker->batch[i].hash);
    }
    for (uint32_t i = 0; i < worker->batch_count && !search_ending(search); i++) {
        const struct batch_entry *entry = &worker->batch[i];
        uint32_t target = entry->target;
        if (entry->kind == BATCH_STEP && !store_entry(worker, entry, &target))
            break;
        if (search->keeps_edges && !worker->initial)
            keep_edge(worker, entry, target);
    }
    worker->batch_count = 0;
    if (limit_tick(&worker->watch))
        check_limits(worker);
}

static bool pack_step(struct search_worker *worker, const struct step *step, uint64_t *root)
{
    const struct pair_set *nodes = &worker->search->store.nodes;
    for (;;) {
        const uint64_t slots_seen = nodes->slot_count;
        if (store_pack(&worker->cursor, step->words, step->length, root))
            return true;
        if (!grow_nodes(worker, slots_seen))
            return false;
    }
}

static struct batch_entry *batch_next(struct search_worker *worker)
{
    if (worker->batch_count == BATCH_SIZE)
        flush(worker);
    return &worker->batch[worker->batch_count++];
}

static uint16_t label_of(struct search_worker *worker, uint32_t fairness, uint64_t marks)
{
    struct search *search = worker->search;
    if (!search->keeps_edges || worker->initial)
        return 0;
    const uint16_t label = edges_label(&search->edges, &worker->labels_known, fairness, marks);
    if (label == UINT16_MAX)
        limits_end(&search->limits, EXPLORE_MEMORY);
    return label;
}

static void check_step(const struct model *model, const struct step *step)
{
    if (step->length < model->length_least || step->length > model->length_most)
        bug("model %s emits a state of %u words, not %u to %u", model->name, step->length,
            model->length_least, model->length_most);
    if (step->action >= model->action_count && model->action_count > 0)
        bug("model %s emits action %u of %u", model->name, step->action, model->action_count);
    if (step->fairness >= model->fairness_class_count && step->fairness < FAIRNESS_OPTIONAL)
        bug("model %s emits fairness class %u of %u", model->name, step->fairness,
            model->fairness_class_count);
}

static void count_step(struct search_worker *worker, const struct step *step)
{
    struct search *search = worker->search;
    worker->transitions++;
    worker->fired[step->action]++;
    worker->marks_seen |= step->marks;
    if ((step->marks & search->watch_marks) != 0)
        look_at_marks(search, step->marks);
}

/* A step to a state that has an id. */
static void batch_known(struct search_worker *worker, uint32_t target, uint16_t label)
{
    if (worker->search->keeps_edges && !worker->initial)
        *batch_next(worker) =
            (struct batch_entry){.target = target, .label = label, .kind = BATCH_KNOWN};
}

/* A step to a state that has to be looked up. */
static struct batch_entry *batch_step(struct search_worker *worker, uint32_t length, uint64_t root,
                                      uint32_t hash, uint16_t label)
{
    root_set_prefetch(&worker->search->store.roots, hash);
    struct batch_entry *entry = batch_next(worker);
    *entry = (struct batch_entry){
        .root = root, .hash = hash, .length = length, .label = label, .kind = BATCH_STEP};
    return entry;
}

static bool emit_short(struct search_worker *worker, const struct step *step, uint16_t label)
{
    const uint64_t hash = recents_hash(step->words, step->length);
    const struct recent *recent = recents_at(&worker->recents, hash);
    if (recent_is(recent, step->words, step->length)) {
        if (recent->waits == 0) {
            batch_known(worker, recent->id, label);
            return true;
        }
        if (!worker->search->keeps_edges || worker->initial)
            return true;
    }
    uint64_t root;
    if (!pack_step(worker, step, &root))
        return false;
    struct batch_entry *entry =
        batch_step(worker, step->length, root, pair_hash(root, step->length), label);
    entry->recent = 1 + recents_put(&worker->recents, hash, step->words, step->length,
                                    (uint32_t)(entry - worker->batch));
    return true;
}

static bool worker_emit(struct step_sink *sink, const struct step *step)
{
    struct search_worker *worker = (struct search_worker *)sink;
    struct search *search = worker->search;
    if (search_ending(search))
        return false;
    worker->state_steps++;
    uint16_t label = 0;
    if (worker->initial) {
        check_step(search->model,
                   &(struct step){.length = step->length, .fairness = FAIRNESS_NONE});
    } else {
        check_step(search->model, step);
        count_step(worker, step);
        label = label_of(worker, step->fairness, step->marks);
    }
    if (step->length <= RECENT_WORDS_MOST)
        return emit_short(worker, step, label);
    uint64_t root;
    if (!pack_step(worker, step, &root))
        return false;
    const uint32_t hash = pair_hash(root, step->length);
    const uint32_t recalled = store_recall(&worker->cursor, root, step->length, hash);
    if (recalled == PAIR_SET_NONE)
        batch_step(worker, step->length, root, hash, label);
    else
        batch_known(worker, recalled, label);
    return true;
}

static void worker_enable(struct step_sink *sink, uint32_t fairness_class)
{
    struct search_worker *worker = (struct search_worker *)sink;
    const struct search *search = worker->search;
    if (fairness_class >= search->model->fairness_class_count)
        bug("model %s enables fairness class %u of %u", search->model->name, fairness_class,
            search->model->fairness_class_count);
    if (!search->keeps_edges || worker->initial)
        return;
    *batch_next(worker) = (struct batch_entry){.target = EDGE_NO_TARGET,
                                               .label = label_of(worker, fairness_class, 0),
                                               .kind = BATCH_KNOWN};
}

static void worker_open(struct step_sink *sink, uint32_t gate)
{
    struct search_worker *worker = (struct search_worker *)sink;
    const struct search *search = worker->search;
    if (gate >= search->model->gate_count)
        bug("model %s opens gate %u of %u", search->model->name, gate, search->model->gate_count);
    if (!search->keeps_edges || worker->initial)
        return;
    *batch_next(worker) = (struct batch_entry){.target = EDGE_NO_TARGET,
                                               .label = label_of(worker, edge_gate(gate), 0),
                                               .kind = BATCH_KNOWN};
}

/* A state without steps: a deadlock unless it is marked as an end. */
static void at_rest(struct search_worker *worker, const uint32_t *words, uint32_t length)
{
    struct search *search = worker->search;
    const struct model *model = search->model;
    worker->rests++;
    if (search->keeps_edges)
        *batch_next(worker) = (struct batch_entry){.target = EDGE_NO_TARGET, .kind = BATCH_KNOWN};
    if (!search->watch_deadlock)
        return;
    if (model->end_atoms != 0 &&
        (search_atoms(search, worker->scratch, words, length) & model->end_atoms) != 0)
        return;
    for (uint32_t i = 0; i < model->property_count; i++) {
        if (model->properties[i].kind == PROPERTY_DEADLOCK_FREE && !search->properties[i].decided)
            hit(search, i);
    }
}

/* Marks the last edge of the state that was expanded, which is in the batch or in
 * the log by now. */
static void mark_last(struct search_worker *worker)
{
    assert(worker->batch_count > 0 || worker->log.count > 0);
    if (worker->batch_count > 0)
        worker->batch[worker->batch_count - 1].last = true;
    else if (worker->log.count > 0)
        ((uint16_t *)worker->log.labels.base)[worker->log.count - 1] |= EDGE_LAST;
}

static void expand_state(struct search_worker *worker, uint32_t id)
{
    struct search *search = worker->search;
    const struct model *model = search->model;
    uint32_t length;
    assert(worker->ready);
    const uint32_t *words = store_load(&worker->cursor, id, &length);
    if (search->keeps_edges)
        edges_set_begin(&search->edges, id, (uint32_t)(worker - search->workers),
                        worker->log.count + worker->batch_count);
    worker->state_steps = 0;
    model->expand(model, worker->scratch, words, length, &worker->sink);
    if (search_ending(search))
        return;
    if (worker->state_steps == 0)
        at_rest(worker, words, length);
    if (search->keeps_edges)
        mark_last(worker);
    worker->expanded++;
    if (worker->fresh_count > 0)
        look_at_fresh(worker);
}

static void expand_range(struct search_worker *worker, uint32_t begin, uint32_t end)
{
    struct search *search = worker->search;
    for (uint32_t id = begin; id < end && !search_ending(search); id++) {
        gate_pause(&search->gate);
        expand_state(worker, id);
        if (limit_tick(&worker->watch))
            check_limits(worker);
    }
}

/* Positions first..last-1 of the level, which may lie in several ranges. */
static void expand_positions(struct search_worker *worker, uint64_t first, uint64_t last)
{
    const struct search *search = worker->search;
    uint64_t passed = 0;
    assert(last <= search->level_size);
    for (uint32_t i = search->level_first; i < search->level_last && passed < last; i++) {
        const struct level_range *range = search_range(search, i);
        const uint64_t size = range->end - range->begin;
        if (passed + size > first) {
            const uint64_t from = first > passed ? first - passed : 0;
            const uint64_t to = last - passed < size ? last - passed : size;
            expand_range(worker, range->begin + (uint32_t)from, range->begin + (uint32_t)to);
        }
        passed += size;
    }
}

static void finish(struct search_worker *worker)
{
    flush(worker);
    if (worker->fresh_count > 0 && !search_ending(worker->search))
        look_at_fresh(worker);
}

/* With one thread states are numbered in the order of the first path to them,
 * and so are their predecessors; a note now and then of how far both had come
 * lets trail_find.c find the predecessor of a state by expanding a few. */
static bool note_checkpoint(struct search_worker *worker, uint64_t position)
{
    struct search *search = worker->search;
    flush(worker); /* what earlier states added has its number */
    if (!region_reserve_next(&search->checkpoints, search->checkpoint_count,
                             sizeof(struct checkpoint))) {
        limits_end(&search->limits, EXPLORE_MEMORY);
        return false;
    }
    ((struct checkpoint *)search->checkpoints.base)[search->checkpoint_count++] =
        (struct checkpoint){search_range(search, search->level_first)->begin + (uint32_t)position,
                            (uint32_t)atomic_load(&search->store.roots.next_id)};
    return true;
}

static uint64_t chunk_size(const struct search *search, uint64_t first)
{
    const uint64_t left = search->level_end - first;
    const uint64_t block = search->level_block > CHUNK_SIZE ? search->level_block : CHUNK_SIZE;
    if (!search->parallel)
        return CHUNK_SIZE;
    const uint64_t most = left / ((uint64_t)search->level_threads * CHUNKS_LEFT);
    const uint64_t size = block - first % block;
    return size < most ? size : most < CHUNK_LEAST ? CHUNK_LEAST : most;
}

/* Positions *first..*last-1 are the caller's. */
static bool take_chunk(struct search *search, uint64_t *first, uint64_t *last)
{
    *first = atomic_load_explicit(&search->level_next, memory_order_relaxed);
    do {
        if (*first >= search->level_end)
            return false;
        const uint64_t left = search->level_end - *first, size = chunk_size(search, *first);
        *last = *first + (size < left ? size : left);
    } while (!atomic_compare_exchange_weak_explicit(&search->level_next, first, *last,
                                                    memory_order_relaxed, memory_order_relaxed));
    return true;
}

void worker_run_level(struct search_worker *worker)
{
    struct search *search = worker->search;
    gate_enter(&search->gate);
    uint64_t first, last;
    while (!search_ending(search) && take_chunk(search, &first, &last)) {
        if (!search->parallel && !note_checkpoint(worker, first))
            break;
        expand_positions(worker, first, last);
    }
    finish(worker);
    gate_leave(&search->gate);
}

void worker_add_initial(struct search_worker *worker)
{
    const struct model *model = worker->search->model;
    gate_enter(&worker->search->gate);
    worker->initial = true;
    model->initial(model, worker->scratch, &worker->sink);
    finish(worker);
    worker->initial = false;
    gate_leave(&worker->search->gate);
}
