/* SPDX-License-Identifier: Apache-2.0 */
/* One run from beginning to end: set up, search, judge, explain, gather. */
#include "explore/explore.h"

#include "base/clock.h"
#include "explore/bfs.h"
#include "explore/cycle.h"
#include "explore/explain.h"
#include "explore/lossy.h"
#include "explore/property.h"
#include "explore/replay.h"
#include "explore/snapshot.h"
#include "explore/worker.h"

#include <assert.h>
#include <string.h>

void explore_options_init(struct explore_options *options)
{
    *options = (struct explore_options){
        .mode = EXPLORE_EXACT,
        .threads = 1,
        .parallel_from = 1024,
        .states_most = UINT64_MAX,
        .depth_most = UINT32_MAX,
        .time_most_ms = UINT64_MAX,
        .lasso_effort_most = 1000000,
        .progress_interval_ms = 1000,
    };
}

static size_t results_bytes(uint32_t count)
{
    return sizeof(struct property_result) * ((size_t)count + 1);
}

static size_t counts_bytes(uint32_t count)
{
    return sizeof(uint64_t) * ((size_t)count + 1);
}

struct exploration *exploration_create(const struct model *model, struct memory *memory)
{
    struct exploration *result = memory_try_allocate_zeroed(memory, sizeof(*result));
    if (!result)
        return NULL;
    result->memory = memory;
    result->property_count = model->property_count;
    result->action_count = model->action_count;
    result->properties = memory_try_allocate_zeroed(memory, results_bytes(model->property_count));
    result->action_fired = memory_try_allocate_zeroed(memory, counts_bytes(model->action_count));
    if (!result->properties || !result->action_fired) {
        explore_free(result);
        return NULL;
    }
    for (uint32_t i = 0; i < model->property_count; i++) {
        result->properties[i].property = &model->properties[i];
        result->properties[i].verdict = VERDICT_UNDECIDED;
    }
    return result;
}

void explore_free(struct exploration *result)
{
    if (!result)
        return;
    struct memory *memory = result->memory;
    if (result->properties) {
        for (uint32_t i = 0; i < result->property_count; i++)
            path_release(&result->properties[i].path, memory);
    }
    memory_release(memory, result->properties, results_bytes(result->property_count));
    memory_release(memory, result->action_fired, counts_bytes(result->action_count));
    memory_release(memory, result, sizeof(*result));
}

/* Decides the properties that this mode cannot judge: they are unsupported. */
static void refuse_unsupported(struct search *search)
{
    if (search->options->mode == EXPLORE_EXACT)
        return;
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        if (!property_is_liveness(&search->model->properties[i]))
            continue;
        search->properties[i].decided = true;
        search->result->properties[i].reason = EXPLORE_UNSUPPORTED;
    }
}

/* Edges and atoms are kept if there is liveness to judge. */
static bool prepare_liveness(struct search *search)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        const struct property *property = &search->model->properties[i];
        if (search->properties[i].decided || !property_is_liveness(property))
            continue;
        search->keeps_edges = true;
        used |= property_atoms(property);
    }
    if (!search->keeps_edges)
        return true;
    atom_packing_init(&search->packing, used);
    if (!edges_init(&search->edges, search->memory, search->worker_count))
        return false;
    for (uint32_t i = 0; i < search->worker_count; i++) {
        edge_log_init(&search->workers[i].log, search->memory);
        search->edges.logs[i] = &search->workers[i].log;
    }
    return search->packing.bytes == 0 ||
           region_grow(&search->atoms, search->store.roots.capacity * search->packing.bytes);
}

static size_t states_bytes(const struct search *search)
{
    return sizeof(struct property_state) * ((size_t)search->model->property_count + 1);
}

static bool search_init(struct search *search)
{
    const struct model *model = search->model;
    const uint32_t threads = search->options->threads;
    assert(model->length_least <= model->length_most);
    assert(model->length_most <= MODEL_LENGTH_MOST);
    search->worker_count = threads < 1                   ? 1
                           : threads < TEAM_MEMBERS_MOST ? threads
                                                         : TEAM_MEMBERS_MOST;
    gate_init(&search->gate);
    team_init(&search->team, search->worker_count);
    limits_init(&search->limits, search->options);
    region_init(&search->ranges, search->memory);
    region_init(&search->checkpoints, search->memory);
    region_init(&search->atoms, search->memory);
    region_init(&search->node_gaps, search->memory);
    search->properties = memory_try_allocate_zeroed(search->memory, states_bytes(search));
    search->workers = memory_try_allocate_zeroed(search->memory, sizeof(struct search_worker) *
                                                                     search->worker_count);
    if (!search->properties || !search->workers)
        return false;
    refuse_unsupported(search);
    if (search->options->mode != EXPLORE_EXACT)
        return true;
    if (!store_init(&search->store, search->memory, model->length_least, model->length_most))
        return false;
    if (!prepare_liveness(search) || !worker_init(&search->workers[0], search))
        return false;
    search->workers[0].watch.tells_progress = true;
    return search_snapshot_init(search);
}

static void search_release(struct search *search)
{
    team_release(&search->team);
    gate_release(&search->gate);
    if (search->workers) {
        for (uint32_t i = 0; i < search->worker_count; i++)
            worker_release(&search->workers[i]);
    }
    memory_release(search->memory, search->workers,
                   sizeof(struct search_worker) * search->worker_count);
    memory_release(search->memory, search->properties, states_bytes(search));
    region_release(&search->ranges);
    region_release(&search->checkpoints);
    region_release(&search->atoms);
    region_release(&search->node_gaps);
    search_snapshot_release(search);
    edges_release(&search->edges);
    if (search->store.memory)
        store_release(&search->store);
}

/* What was counted in the search itself. */
static void add_phases(const struct search *search)
{
    struct phases *phases = search->options->phases;
    uint64_t looked_up = 0;
    for (uint32_t i = 0; i < search->worker_count; i++)
        looked_up += search->workers[i].looked_up;
    atomic_fetch_add(&phases->searches, 1);
    atomic_fetch_add(&phases->states, search->state_count);
    atomic_fetch_add(&phases->transitions, search->result->statistics.transitions);
    atomic_fetch_add(&phases->looked_up, looked_up);
    atomic_fetch_add(&phases->growing, search->growing_ns);
    atomic_fetch_add(&phases->standing_still, search->gate.waited_ns);
    phases_note_most(&phases->bytes_of_states, store_bytes(&search->store));
    if (search->keeps_edges)
        phases_note_most(&phases->bytes_of_steps,
                         edges_bytes(&search->edges) + search->atoms.bytes);
}

static void gather_counts(struct search *search)
{
    struct exploration *result = search->result;
    struct statistics *statistics = &result->statistics;
    statistics->states = search->state_count;
    for (uint32_t i = 0; i < search->worker_count; i++) {
        const struct search_worker *worker = &search->workers[i];
        if (!worker->fired)
            continue;
        statistics->transitions += worker->transitions;
        statistics->states_expanded += worker->expanded;
        statistics->rest_states += worker->rests;
        statistics->collisions += worker->cursor.collisions;
        result->atoms_seen |= worker->atoms_seen;
        result->marks_seen |= worker->marks_seen;
        for (uint32_t action = 0; action < result->action_count; action++)
            result->action_fired[action] += worker->fired[action];
    }
    if (search->options->phases)
        add_phases(search);
    statistics->tree_nodes = atomic_load(&search->store.nodes.next_id);
    statistics->store_bytes = store_bytes(&search->store);
    if (search->keeps_edges) {
        statistics->edges = edges_count(&search->edges);
        statistics->edge_bytes = edges_bytes(&search->edges) + search->atoms.bytes;
    }
}

static bool worth_looking_for_cycles(struct search *search)
{
    switch (limits_reason(&search->limits)) {
    case EXPLORE_DECIDED:
    case EXPLORE_STATES:
    case EXPLORE_DEPTH: return search->keeps_edges;
    default: return false;
    }
}

/* Gives each property that no state or step decided the verdict that follows from
 * how the search ended. */
static void settle(struct search *search)
{
    struct exploration *result = search->result;
    const enum explore_reason ended = limits_reason(&search->limits);
    for (uint32_t i = 0; i < result->property_count; i++) {
        struct property_result *property = &result->properties[i];
        if (!search->properties[i].decided && !result->complete)
            property->reason = ended;
        else if (!search->properties[i].decided) {
            property->verdict =
                property->property->kind == PROPERTY_REACHABLE ? VERDICT_VIOLATED : VERDICT_HOLDS;
            property->vacuous =
                property_is_vacuous(property->property, result->atoms_seen, result->marks_seen);
        }
    }
}

static enum explore_reason first_undecided(const struct exploration *result)
{
    for (uint32_t i = 0; i < result->property_count; i++) {
        if (result->properties[i].verdict == VERDICT_UNDECIDED)
            return result->properties[i].reason;
    }
    return EXPLORE_DECIDED;
}

void exploration_summarise(struct exploration *result, enum explore_reason ended)
{
    result->reason = ended;
    result->verdict = VERDICT_HOLDS;
    bool undecided = result->property_count == 0 && !result->complete, probable = false;
    for (uint32_t i = 0; i < result->property_count; i++) {
        const enum verdict verdict = result->properties[i].verdict;
        if (verdict == VERDICT_VIOLATED)
            result->verdict = VERDICT_VIOLATED;
        undecided = undecided || verdict == VERDICT_UNDECIDED;
        probable = probable || verdict == VERDICT_HOLDS_PROBABLY;
    }
    if (result->verdict == VERDICT_VIOLATED)
        return;
    if (undecided) {
        result->verdict = VERDICT_UNDECIDED;
        /* The search ended well, and then a path could not be built. */
        if (ended == EXPLORE_DECIDED || ended == EXPLORE_STOPPED)
            result->reason = first_undecided(result);
    } else if (probable)
        result->verdict = VERDICT_HOLDS_PROBABLY;
}

static void forget_verdicts(struct search *search)
{
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        search->properties[i].decided = false;
        search->result->properties[i].verdict = VERDICT_UNDECIDED;
    }
}

static void save(struct search *search)
{
    const struct explore_options *options = search->options;
    const enum explore_reason reason = limits_reason(&search->limits);
    if (!search_snapshot_is_possible(search) || reason == EXPLORE_DECIDED ||
        reason == EXPLORE_STOPPED || reason == EXPLORE_UNRESUMED)
        return;
    struct bytes_out *out = options->save_begin(options->save_context, reason);
    if (!out)
        return;
    search_snapshot_save(search, out);
    options->save_end(options->save_context);
}

static void run_exact(struct search *search)
{
    if (search->options->resume && !search_snapshot_load(search, search->options->resume)) {
        forget_verdicts(search);
        limits_end(&search->limits,
                   search->options->resume->bad ? EXPLORE_UNRESUMED : EXPLORE_MEMORY);
        settle(search);
        return;
    }
    bfs_run(search);
    if (worth_looking_for_cycles(search))
        cycle_judge(search, search->result->complete);
    gather_counts(search);
    explain_safety(search);
    settle(search);
    save(search);
}

struct exploration *explore_run(const struct model *model, const struct explore_options *options,
                                struct memory *memory)
{
    const int64_t started = clock_now_ns();
    assert(model->initial);
    assert(model->expand);
    for (uint32_t i = 0; i < model->property_count; i++)
        assert(model->atoms || property_atoms(&model->properties[i]) == 0);
    struct exploration *result = exploration_create(model, memory);
    if (!result)
        return NULL;
    struct search search = {.model = model, .options = options, .memory = memory, .result = result};
    if (!search_init(&search)) {
        limits_end(&search.limits, EXPLORE_MEMORY);
        for (uint32_t i = 0; i < result->property_count; i++)
            result->properties[i].reason = EXPLORE_MEMORY;
    } else if (options->mode == EXPLORE_EXACT) {
        run_exact(&search);
    } else {
        lossy_run(&search);
    }
    exploration_summarise(result, limits_reason(&search.limits));
    search_release(&search);
    result->statistics.peak_bytes = atomic_load(&memory->peak_bytes);
    result->statistics.total_seconds = (double)(clock_now_ns() - started) / 1e9;
    return result;
}
