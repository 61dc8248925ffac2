/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/rank_explore.h"

#include "base/clock.h"
#include "explore/property.h"
#include "ranks/rank_run.h"

#include <string.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- limits ---- */

bool rank_agree(struct rank_run *run)
{
    uint64_t reason = (uint64_t)run->reason;
    if (!link_reduce(run->link, LINK_MOST, &reason, 1))
        return false;
    if (reason != EXPLORE_DECIDED)
        run->reason = (enum explore_reason)reason;
    return reason == EXPLORE_DECIDED;
}

/* The clock of rank 0 counts. */
void rank_check_limits(struct rank_run *run)
{
    if (run->table.count > run->options->explore->states_most)
        rank_end(run, EXPLORE_STATES);
    if (run->link->rank == 0 && run->deadline_ns != INT64_MAX && clock_now_ns() >= run->deadline_ns)
        rank_end(run, EXPLORE_TIME);
}

static void tell_progress(struct rank_run *run)
{
    const struct explore_options *options = run->options->explore;
    struct explore_progress progress = {
        .states = run->states_total,
        .transitions = run->result->statistics.transitions,
        .frontier = run->level_total,
        .depth = run->depth,
        .memory_bytes = atomic_load(&run->memory->used_bytes),
        .seconds = (double)(clock_now_ns() - run->started_ns) / 1e9,
    };
    if (options->progress)
        options->progress(options->progress_context, &progress);
}

static bool is_satisfied(const struct rank_run *run)
{
    bool all = run->model->property_count > 0, violated = false;
    for (uint32_t i = 0; i < run->model->property_count; i++) {
        all = all && run->properties[i].decided;
        violated = violated || run->result->properties[i].verdict == VERDICT_VIOLATED;
    }
    return all || (violated && !run->options->explore->all);
}

/* The new states become the level in hand. */
static void open_level(struct rank_run *run, uint64_t total, uint32_t depth)
{
    const struct list before = run->orders;
    run->orders = run->new_orders;
    run->new_orders = before;
    run->new_keys.count = 0;
    run->new_atoms.count = 0;
    run->level_begin = run->level_end;
    run->level_end = run->table.count;
    run->level_total = total;
    run->states_total += total;
    run->depth = depth;
    if (total > 0)
        run->result->statistics.depth = depth;
    run->options->statistics->levels++;
}

/* ---- what is saved ---- */

/* The clock of rank 0 counts. */
static bool is_due(struct rank_run *run)
{
    const struct rank_keeping *keeping = run->options->keeping;
    if (!keeping || !keeping->saves)
        return false;
    const uint64_t since_ms = (uint64_t)(clock_now_ns() - run->saved_ns) / 1000000;
    uint64_t due = since_ms >= keeping->interval_ms && run->level_total > 0;
    return link_share(run->link, 0, &due, sizeof(due)) && due;
}

/* Nothing is on its way between the ranks. */
static void keep_level(struct rank_run *run)
{
    const struct rank_keeping *keeping = run->options->keeping;
    if (!is_due(run))
        return;
    struct bytes_out *out = keeping->begin(keeping->context);
    if (out)
        rank_snapshot_save(run, out);
    uint64_t done = out && keeping->end(keeping->context);
    if (link_reduce(run->link, LINK_LEAST, &done, 1))
        keeping->settle(keeping->context, done);
    run->saved_ns = clock_now_ns();
}

static bool goes_on(const struct rank_run *run)
{
    return run->options->keeping && run->options->keeping->resume;
}

static void go_on(struct rank_run *run)
{
    if (!rank_snapshot_load(run, run->options->keeping->resume))
        rank_end(run, run->options->keeping->resume->bad ? EXPLORE_UNRESUMED : EXPLORE_MEMORY);
    (void)rank_agree(run);
}

/* ---- levels ---- */

/* All that the level led to has been sent. */
static void finish_level(struct rank_run *run, uint32_t depth)
{
    if (!link_close_phase(run->link))
        return;
    uint64_t total = run->table.count - run->level_end;
    if (!link_reduce(run->link, LINK_SUM, &total, 1))
        return;
    if (!rank_agree(run)) {
        run->states_total += total;
        return;
    }
    if (run->keeps_paths && !(rank_order_new(run) && rank_agree(run) && rank_gather_hits(run)))
        return;
    open_level(run, total, depth);
    if (run->states_total > run->options->explore->states_most)
        rank_end(run, EXPLORE_STATES);
    tell_progress(run);
    if (!rank_is_ending(run))
        keep_level(run);
}

static void expand_level(struct rank_run *run)
{
    for (uint32_t id = run->level_begin; id < run->level_end && !rank_is_ending(run); id++)
        rank_expand(run, id,
                    run->keeps_paths ? *LIST_AT(&run->orders, uint64_t, id - run->level_begin) : 0);
    finish_level(run, run->depth + 1);
}

static void search(struct rank_run *run)
{
    run->pass = PASS_SEARCH;
    if (goes_on(run)) {
        go_on(run);
    } else {
        rank_add_initial(run);
        finish_level(run, 0);
        run->result->statistics.initial_states = run->states_total;
    }
    while (!rank_is_ending(run) && run->level_total > 0) {
        if (is_satisfied(run))
            rank_end(run, EXPLORE_STOPPED);
        else if (run->depth >= run->options->explore->depth_most)
            rank_end(run, EXPLORE_DEPTH);
        else
            expand_level(run);
    }
    run->result->complete = !rank_is_ending(run);
}

/* ---- the result ---- */

static void gather_counts(struct rank_run *run)
{
    struct exploration *result = run->result;
    struct statistics *statistics = &result->statistics;
    struct rank_statistics *own = run->options->statistics;
    own->states += run->table.count;
    own->transitions += statistics->transitions;
    uint64_t sums[] = {statistics->transitions, statistics->states_expanded,
                       statistics->rest_states, state_table_bytes(&run->table)};
    uint64_t seen[] = {result->atoms_seen, result->marks_seen};
    statistics->states = run->states_total;
    if (!link_reduce(run->link, LINK_SUM, sums, 4) ||
        !link_reduce(run->link, LINK_SUM, result->action_fired, result->action_count) ||
        !link_reduce(run->link, LINK_OR, seen, 2))
        return;
    statistics->transitions = sums[0];
    statistics->states_expanded = sums[1];
    statistics->rest_states = sums[2];
    statistics->store_bytes = sums[3];
    result->atoms_seen = seen[0];
    result->marks_seen = seen[1];
}

static void settle(struct rank_run *run)
{
    struct exploration *result = run->result;
    const enum explore_reason ended = run->link->broken ? EXPLORE_INTERRUPTED : run->reason;
    for (uint32_t i = 0; i < result->property_count; i++) {
        struct property_result *property = &result->properties[i];
        if (run->properties[i].decided)
            continue;
        const bool open = ended != EXPLORE_DECIDED && property_is_liveness(property->property);
        if (!result->complete || open || run->link->broken) {
            property->reason = ended;
            continue;
        }
        property->verdict =
            property->property->kind == PROPERTY_REACHABLE ? VERDICT_VIOLATED : VERDICT_HOLDS;
        property->vacuous =
            property_is_vacuous(property->property, result->atoms_seen, result->marks_seen);
    }
    exploration_summarise(result, ended);
}

/* ---- beginning and end ---- */

static size_t properties_bytes(const struct rank_run *run)
{
    return sizeof(struct rank_property) * ((size_t)run->model->property_count + 1);
}

static size_t words_bytes(const struct rank_run *run)
{
    return sizeof(uint32_t) * (HEAD_WORDS + (size_t)run->model->length_most + 1);
}

#define ALL_LISTS(run)                                                                         \
    {                                                                                          \
        &(run)->origins, &(run)->arrivals, &(run)->rests, &(run)->orders, &(run)->new_orders,  \
            &(run)->new_keys, &(run)->new_atoms, &(run)->emitted, &(run)->keys, &(run)->queue, \
            &(run)->next_queue, &(run)->numbers, &(run)->edges, &(run)->gathered_edges,        \
            &(run)->gathered_nodes, &(run)->gathered_begins                                    \
    }

static bool init(struct rank_run *run)
{
    const struct model *model = run->model;
    struct list *lists[] = ALL_LISTS(run);
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        list_init(lists[i], run->memory);
    if (!run->result)
        return false;
    run->properties = memory_try_allocate_zeroed(run->memory, properties_bytes(run));
    run->from = memory_try_allocate_zeroed(run->memory, words_bytes(run));
    run->incoming = memory_try_allocate_zeroed(run->memory, words_bytes(run));
    if (!run->properties || !run->from || !run->incoming ||
        !state_table_init(&run->table, run->memory, model->length_least, model->length_most))
        return false;
    for (uint32_t i = 0; i < model->property_count; i++) {
        run->properties[i].hit.key = (struct step_key){UINT64_MAX, UINT32_MAX};
        if (property_is_liveness(&model->properties[i]))
            run->keeps_cycles = true;
        else
            run->keeps_paths = true;
    }
    if (model->worker_create)
        run->scratch = model->worker_create(model, run->memory);
    return run->scratch || !model->worker_create;
}

static void release(struct rank_run *run)
{
    struct list *lists[] = ALL_LISTS(run);
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        list_release(lists[i]);
    state_table_release(&run->table);
    if (run->scratch && run->model->worker_free)
        run->model->worker_free(run->model, run->memory, run->scratch);
    memory_release(run->memory, run->properties, properties_bytes(run));
    memory_release(run->memory, run->from, words_bytes(run));
    memory_release(run->memory, run->incoming, words_bytes(run));
}

static void explore(struct rank_run *run)
{
    search(run);
    if (run->result->complete && run->keeps_cycles)
        rank_judge_liveness(run);
    gather_counts(run);
    rank_explain(run);
    settle(run);
}

struct exploration *rank_explore(const struct model *model, const struct rank_options *options,
                                 struct memory *memory)
{
    const double cpu_before = cpu_seconds();
    struct rank_run run = {.model = model,
                           .options = options,
                           .link = options->link,
                           .memory = memory,
                           .started_ns = clock_now_ns(),
                           .saved_ns = clock_now_ns(),
                           .deadline_ns = INT64_MAX};
    if (options->explore->time_most_ms < INT64_MAX / 1000000 - (uint64_t)run.started_ns / 1000000)
        run.deadline_ns =
            run.started_ns + (int64_t)(options->explore->time_most_ms * UINT64_C(1000000));
    run.result = exploration_create(model, memory);
    if (!init(&run))
        rank_end(&run, EXPLORE_MEMORY);
    run.link->receive = rank_receive;
    run.link->receiver = &run;
    run.link->interrupted = options->explore->interrupted;
    const bool ready = rank_agree(&run);
    if (ready)
        explore(&run);
    for (uint32_t i = 0; run.result && !ready && i < model->property_count; i++)
        run.result->properties[i].reason = run.link->broken ? EXPLORE_INTERRUPTED : run.reason;
    if (run.result && !ready)
        exploration_summarise(run.result, run.link->broken ? EXPLORE_INTERRUPTED : run.reason);
    release(&run);
    if (run.result) {
        run.result->statistics.peak_bytes = atomic_load(&memory->peak_bytes);
        run.result->statistics.total_seconds = (double)(clock_now_ns() - run.started_ns) / 1e9;
    }
    options->statistics->cpu_seconds += cpu_seconds() - cpu_before;
    return run.result;
}
