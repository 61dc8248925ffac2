/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Setups as jobs over threads, outcomes in order.
 *
 * Threads take the smallest setup that nobody has taken, at most WINDOW ahead of
 * the first one that is not accepted yet. An outcome is accepted when all
 * smaller ones are, and only if it answers what is asked by then: a violation
 * takes its intent off the list for all larger setups, and the states of all
 * smaller setups are taken off the limit. An outcome that was obtained too
 * early is thrown away and the setup explored again. Violations are few, so
 * little is thrown away.
 *
 * Threads without a setup of their own help with the setups that are being
 * explored: the threads are divided evenly among these. Memory is one budget for
 * all; a setup for which it did not suffice is explored again alone.
 */
#include "verify/modular.h"
#include "verify/turn_examples.h"
#include "verify/verify_internal.h"

#include "base/clock.h"
#include "base/limit.h"
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "explore/phases.h"

#include <time.h>

enum { JOBS_MOST = 256, WAKE_NS = 50000000, WAKES_BETWEEN_NOTES = 20 };

static uint64_t all_intents(uint32_t count)
{
    return count == 0 ? 0 : UINT64_MAX >> (64 - count);
}

static void stop_workers(struct run *run)
{
    for (uint32_t w = 0; w < run->worker_count; w++) {
        run->workers[w].in_vain |= run->workers[w].setup != UINT64_MAX && run->ended;
        atomic_store(&run->workers[w].stop, true);
    }
}

static void end(struct run *run, enum explore_reason reason)
{
    run->ended = true;
    run->report->ended_by = reason;
    stop_workers(run);
    pthread_cond_broadcast(&run->changed);
}

/* ---- accepting outcomes ---- */

static uint64_t states_left(const struct run *run)
{
    uint64_t left = run->options->states_most;
    limit_spend(&left, run->report->states);
    return left;
}

/* Does an outcome with these limits say what one with all states that are left would say? */
static bool is_within(const struct run *run, enum explore_reason ended_by, uint64_t states,
                      uint64_t states_most)
{
    const uint64_t left = states_left(run);
    return states_most == left || (ended_by != EXPLORE_STATES && states <= left);
}

/* Is the outcome the one that a single thread would have had? */
static bool answers(const struct run *run, const struct setup_slot *slot)
{
    const struct setup_outcome *outcome = &slot->outcome;
    if (outcome->ended_by == EXPLORE_MEMORY && slot->crowded)
        return false;
    return outcome->asked == run->asked &&
           is_within(run, outcome->ended_by, outcome->states, outcome->states_most);
}

/* Is the outcome of the setup known from a shard, and, if the setup is the next one, the one that a
 * single process would have had? */
static bool is_known(const struct run *run, uint64_t setup)
{
    const struct shard_outcome *known = shard_known(run, setup);
    return known && known->asked == run->asked &&
           (setup > run->accepted ||
            is_within(run, known->ended_by, known->states, known->states_most));
}

static void keep_verdicts(struct run *run, const struct setup_outcome *outcome)
{
    uint8_t *verdicts = run->report->verdicts + run->accepted * run->intent_count;
    for (uint32_t i = 0; i < run->intent_count; i++)
        verdicts[i] = outcome->violated >> i & 1    ? VERDICT_VIOLATED
                      : outcome->undecided >> i & 1 ? VERDICT_UNDECIDED
                                                    : VERDICT_HOLDS;
}

static void drop_what_is_asked_too_much(struct run *run)
{
    for (uint32_t w = 0; w < run->worker_count; w++)
        if (run->workers[w].setup != UINT64_MAX && run->workers[w].setup >= run->accepted) {
            run->workers[w].in_vain = true;
            atomic_store(&run->workers[w].stop, true);
        }
}

/* Keeps how workloads were decided: of the last setup for which there is something to tell, and in
 * any case of one that ends the run. */
static void keep_parts(struct run *run, const struct setup_outcome *outcome)
{
    struct verify_report *report = run->report;
    const bool ends = outcome->ended_by != EXPLORE_DECIDED;
    if (outcome->parts)
        report->part_reasons |= outcome->parts->reasons;
    if (!ends && (!outcome->parts || outcome->parts->count == 0))
        return;
    arena_release(&report->parts_arena);
    arena_init(&report->parts_arena, run->memory);
    report->parts = outcome->parts ? parts_copy(&report->parts_arena, outcome->parts) : NULL;
}

/* What other shards have seen violated is not asked any more. */
static void heed_others(struct run *run)
{
    const uint64_t violated = shard_violated_elsewhere(run) & run->asked;
    if (!violated || run->ended)
        return;
    run->asked &= ~violated;
    drop_what_is_asked_too_much(run);
    if (run->asked == 0)
        end(run, EXPLORE_DECIDED);
}

static void accept(struct run *run, struct setup_outcome *outcome)
{
    struct verify_report *report = run->report;
    const bool news = (outcome->violated & ~run->violated) != 0;
    const struct size_region sizes = outcome->sizes; /* the outcome may be released */
    if (outcome->ended_by != EXPLORE_DECIDED)
        settle(run);
    report->states += outcome->states;
    report->transitions += outcome->transitions;
    if (outcome->depth > report->depth)
        report->depth = outcome->depth;
    report->images_could_decide |= outcome->images_could_decide;
    shard_keep(run, outcome);
    keep_violations(run, &report->setups.items[run->accepted], outcome);
    if (report->verdicts)
        keep_verdicts(run, outcome);
    run->violated |= outcome->violated;
    report->applied |= outcome->applied;
    report->came |= outcome->came;
    report->by_components |= outcome->by_components;
    if (outcome->by_components && outcome->components > report->components)
        report->components = outcome->components;
    keep_parts(run, outcome);
    if (news)
        VEC_PUSH(run->arena, &run->kept, outcome->arena);
    else
        setup_outcome_release(outcome);
    run->accepted++;
    run->alone = false;
    if (run->cover && outcome->ended_by == EXPLORE_DECIDED)
        cover_go_on(run->cover, &report->setups, &sizes, &report->sizes);
    report->setups_explored += outcome->ended_by == EXPLORE_DECIDED;
    if (!run->options->exhaustive && news) {
        run->asked &= ~run->violated;
        drop_what_is_asked_too_much(run);
    }
    /* In the last setup, what is not undecided is decided. */
    run->open = run->accepted == report->setups.count ? outcome->undecided : UINT64_MAX;
    if (outcome->ended_by != EXPLORE_DECIDED)
        end(run, outcome->ended_by);
    else if (run->options->stop_at_first && run->violated)
        end(run, EXPLORE_STOPPED);
    else if (run->asked == 0 || run->accepted == report->setups.count)
        end(run, EXPLORE_DECIDED);
    else
        heed_others(run);
}

/* False: the outcome of the next setup is not there, or is not the right one. */
static bool accept_next(struct run *run)
{
    struct setup_slot *slot = slot_of(run, run->accepted);
    if (slot->state != SLOT_DONE)
        return false;
    slot->state = SLOT_FREE;
    if (answers(run, slot)) {
        accept(run, &slot->outcome);
        return true;
    }
    run->alone = slot->outcome.ended_by == EXPLORE_MEMORY;
    if (run->alone)
        drop_what_is_asked_too_much(run);
    setup_outcome_release(&slot->outcome);
    return false;
}

/* The same with the outcome that a shard had. */
static bool accept_known(struct run *run)
{
    struct setup_outcome outcome;
    if (slot_of(run, run->accepted)->state != SLOT_FREE || !is_known(run, run->accepted) ||
        !shard_recall(run, run->accepted, &outcome))
        return false;
    accept(run, &outcome);
    return true;
}

static void accept_in_order(struct run *run)
{
    while (!run->ended && (accept_next(run) || accept_known(run)))
        ;
}

/* ---- threads ---- */

static uint64_t time_left(const struct run *run)
{
    uint64_t left = run->options->time_most_ms;
    limit_spend_ns(&left, clock_now_ns() - run->started);
    return left;
}

/* The smallest setup that nobody has taken; UINT64_MAX: there is none for now. */
static uint64_t next_setup(struct run *run)
{
    if (run->alone && (run->running > 0 || slot_of(run, run->accepted)->state != SLOT_FREE))
        return UINT64_MAX;
    for (uint64_t i = run->accepted; i < run->accepted + WINDOW && i < run->report->setups.count;
         i++)
        if (slot_of(run, i)->state == SLOT_FREE && (i == run->accepted || !is_known(run, i)))
            return i;
    return UINT64_MAX;
}

static void share_threads(struct run *run)
{
    const uint32_t each = run->running > 1 ? run->threads / run->running : run->threads;
    atomic_store(&run->threads_now, each > 1 ? each : 1);
}

static void take(struct setup_worker *worker, uint64_t setup)
{
    struct run *run = worker->run;
    worker->setup = setup;
    worker->asked = run->asked;
    worker->in_vain = false;
    worker->crowded = false;
    run->running++;
    for (uint32_t w = 0; w < run->worker_count && run->running > 1; w++)
        run->workers[w].crowded = true;
    share_threads(run);
}

static void put_down(struct setup_worker *worker)
{
    worker->setup = UINT64_MAX;
    worker->run->running--;
    share_threads(worker->run);
}

/* An exploration whose outcome is not needed any more, or that only lacked
 * memory which other setups used, is not saved. */
static bool worth_saving(void *context, enum explore_reason reason)
{
    const struct setup_worker *worker = context;
    struct run *run = worker->run;
    pthread_mutex_lock(&run->mutex);
    const bool over = run->ended && (run->report->ended_by == EXPLORE_DECIDED ||
                                     run->report->ended_by == EXPLORE_STOPPED);
    const bool worth = !over && (run->ended || !worker->in_vain) && worker->asked == run->asked &&
                       (reason != EXPLORE_MEMORY || !worker->crowded);
    pthread_mutex_unlock(&run->mutex);
    return worth;
}

static void tell_part(void *context, const struct part_news *news)
{
    struct run *run = context;
    struct part_news told = *news;
    told.setups_total = run->report->setups.count;
    pthread_mutex_lock(&run->mutex);
    if (!run->ended)
        run->options->part_progress(run->options->progress_context, &told);
    pthread_mutex_unlock(&run->mutex);
}

static void explore_measured(const struct setup_query *query, struct run *run,
                             struct setup_outcome *outcome)
{
    struct phases *phases = query->phases;
    const uint64_t began = phases ? phases_thread_ns() : 0;
    modular_explore(query, &run->explored, run->memory, outcome);
    if (!phases)
        return;
    const uint64_t took = phases_thread_ns() - began;
    atomic_fetch_add(&phases->setups, 1);
    atomic_fetch_add(&phases->in_setups, took);
    phases_note_most(&phases->longest_setup, took);
}

static void explore(struct setup_worker *worker, uint64_t setup)
{
    struct run *run = worker->run;
    struct setup_slot *slot = slot_of(run, setup);
    struct setup_query query = query_of(run, setup, run->asked);
    query.states_most = states_left(run);
    query.time_most_ms = time_left(run);
    query.threads = run->threads;
    query.threads_now = &run->threads_now;
    query.parallel_from = run->options->parallel_from;
    /* Without other threads nobody watches over it, and no outcome is thrown away. */
    query.stop = run->alone_in_process && run->options->interrupted ? run->options->interrupted
                                                                    : &worker->stop;
    query.states = &worker->states;
    query.tell_part = run->options->part_progress ? tell_part : NULL;
    query.telling = run;
    query.shelf = &worker->shelf;
    query.checkpoint = run->options->checkpoint;
    query.worth_saving = worth_saving;
    query.saving = worker;
    query.resume = run->options->resume;
    struct setup_outcome outcome;
    slot->state = SLOT_TAKEN;
    take(worker, setup);
    atomic_store(&worker->states, 0);
    atomic_store(&worker->stop, run->interrupted);
    pthread_mutex_unlock(&run->mutex);
    explore_measured(&query, run, &outcome);
    pthread_mutex_lock(&run->mutex);
    put_down(worker);
    slot->crowded = worker->crowded;
    slot->state = worker->in_vain ? SLOT_FREE : SLOT_DONE;
    if (worker->in_vain)
        setup_outcome_release(&outcome);
    else
        slot->outcome = outcome;
    accept_in_order(run);
    pthread_cond_broadcast(&run->changed);
}

static void *work(void *context)
{
    struct setup_worker *worker = context;
    struct run *run = worker->run;
    pthread_mutex_lock(&run->mutex);
    while (!run->ended) {
        const uint64_t setup = next_setup(run);
        if (setup == UINT64_MAX)
            pthread_cond_wait(&run->changed, &run->mutex);
        else
            explore(worker, setup);
    }
    pthread_mutex_unlock(&run->mutex);
    population_shelf_release(&worker->shelf);
    return NULL;
}

static void tell_progress(struct run *run)
{
    const struct verify_report *report = run->report;
    if (!run->options->progress)
        return;
    struct verify_progress progress = {
        .setups_done = run->accepted,
        .setups_total = report->setups.count,
        .states = report->states,
        .seconds = (double)(clock_now_ns() - run->started) / 1e9,
    };
    for (uint32_t w = 0; w < run->worker_count; w++)
        if (run->workers[w].setup != UINT64_MAX)
            progress.states += atomic_load_explicit(&run->workers[w].states, memory_order_relaxed);
    const uint64_t at = run->accepted < report->setups.count ? run->accepted : run->accepted - 1;
    progress.nodes = report->setups.items[at].total_nodes;
    progress.pods = report->setups.items[at].total_pods;
    run->options->progress(run->options->progress_context, &progress);
}

/* The calling thread looks after limits, interruption and progress. */
static void oversee(struct run *run)
{
    pthread_mutex_lock(&run->mutex);
    for (uint32_t wakes = 0; !run->ended; wakes++) {
        struct timespec wake;
        clock_gettime(CLOCK_REALTIME, &wake);
        wake.tv_nsec += WAKE_NS;
        wake.tv_sec += wake.tv_nsec / 1000000000;
        wake.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&run->changed, &run->mutex, &wake);
        if (!run->ended && run->options->interrupted && atomic_load(run->options->interrupted)) {
            run->interrupted = true;
            stop_workers(run);
        }
        if (wakes % WAKES_BETWEEN_NOTES == 0) {
            shard_read_notes(run);
            heed_others(run);
        }
        if (!run->ended)
            tell_progress(run);
    }
    pthread_mutex_unlock(&run->mutex);
}

/* False if the machine refuses every thread: the calling one has to do the work. */
static bool start_workers(struct run *run)
{
    const uint32_t wanted =
        run->threads < run->report->setups.count ? run->threads : run->report->setups.count;
    run->workers = ARENA_ARRAY(run->arena, struct setup_worker, wanted);
    for (uint32_t w = 0; w < wanted; w++) {
        struct setup_worker *worker = &run->workers[w];
        worker->run = run;
        worker->setup = UINT64_MAX;
    }
    /* A machine that refuses threads gets as many as it allows; the mutex keeps
     * those that run from counting the others while they are started. */
    pthread_mutex_lock(&run->mutex);
    while (run->worker_count < wanted &&
           pthread_create(&run->workers[run->worker_count].thread, NULL, work,
                          &run->workers[run->worker_count]) == 0)
        run->worker_count++;
    run->alone_in_process = run->worker_count == 0;
    pthread_mutex_unlock(&run->mutex);
    return run->worker_count > 0;
}

/*
 * A loop among all interleavings is a race unless it is there as well when
 * periodic controllers wait for the others.
 */
static void find_races(struct run *run)
{
    struct population_options settled = run->options->population;
    atomic_uint_fast64_t states = 0;
    settled.interleaving = INTERLEAVING_CONTROLLERS;
    if (run->options->population.interleaving < INTERLEAVING_FULL)
        return;
    for (uint32_t i = 0; i < run->intent_count; i++) {
        struct verify_result *result = &run->report->results[i];
        if (result->verdict != VERDICT_VIOLATED || !result->loops)
            continue;
        struct setup_query query =
            query_of(run, (uint64_t)(result->setup - run->report->setups.items), UINT64_C(1) << i);
        query.told = 0;
        query.pictures = false;
        query.population = &settled;
        query.states_most = run->options->states_most;
        query.time_most_ms = time_left(run);
        query.threads = run->threads;
        query.stop = run->options->interrupted;
        query.states = &states;
        struct setup_outcome outcome;
        modular_explore(&query, &run->explored, run->memory, &outcome);
        result->race = outcome.violated == 0 && outcome.undecided == 0;
        setup_outcome_release(&outcome);
    }
}

static void finish(struct run *run)
{
    struct verify_report *report = run->report;
    for (uint32_t w = 0; w < run->worker_count; w++)
        pthread_join(run->workers[w].thread, NULL);
    settle(run);
    if (run->options->checkpoint)
        save_settled(run);
    for (uint32_t i = 0; i < WINDOW; i++)
        if (run->slots[i].state == SLOT_DONE)
            setup_outcome_release(&run->slots[i].outcome);
    /* Whoever joins shards finds them. */
    if (run->options->shard.count == 0)
        find_races(run);
    report->peak_bytes = atomic_load(&run->explored.peak_bytes);
    pthread_mutex_destroy(&run->mutex);
    pthread_cond_destroy(&run->changed);
}

/* What the process takes already, the program and its input, counts too. */
size_t verify_memory_for_setups(const struct verify_options *options)
{
    const size_t most = options->memory_most;
    const size_t taken = clock_resident_bytes();
    if (most == 0)
        return SIZE_MAX;
    return taken < most - most / 10 ? most - taken : most / 10;
}

/* All setups, or the first one, if those that follow depend on what it comes to. A checkpoint keeps
 * no regions. */
static void list_setups(struct run *run)
{
    struct verify_report *report = run->report;
    const struct verify_options *options = run->options;
    /* The setups of checkpoints and shards are listed before. */
    if (!options->checkpoint && !options->resume && !options->log && !options->known)
        run->cover = cover_begin(run->arena, run->scope, &report->setups, &report->sizes);
    run->population.every_size = run->cover != NULL;
    if (!run->cover)
        scope_enumerate(run->arena, run->scope, &report->setups);
}

/* Why nothing is explored: the budget of the whole run was over before. */
static enum explore_reason over_before(const struct run *run)
{
    if (run->interrupted)
        return EXPLORE_INTERRUPTED;
    return memory_is_over(run->memory) ? EXPLORE_MEMORY : EXPLORE_TIME;
}

void verify_run(struct arena *arena, struct memory *memory, const struct scope *scope,
                const struct check_intent *intents, uint32_t intent_count,
                const struct verify_options *options, struct verify_report *report)
{
    /* Thousands of questions may be asked, and a run is large: most of it is never touched. */
    struct run *run = memory_allocate_zeroed(memory, sizeof(*run));
    *report = (struct verify_report){
        .results = ARENA_ARRAY(arena, struct verify_result, intent_count + 1),
        .result_count = intent_count,
    };
    arena_init(&report->parts_arena, memory);
    for (uint32_t i = 0; i < intent_count; i++)
        report->results[i] =
            (struct verify_result){.intent = &intents[i], .verdict = VERDICT_HOLDS};
    run->memory = memory;
    run->scope = scope;
    run->intents = intents;
    run->intent_count = intent_count;
    run->options = options;
    run->population = options->population;
    run->report = report;
    run->arena = arena;
    run->started = clock_now_ns();
    run->asked = all_intents(intent_count);
    run->open = UINT64_MAX;
    run->interrupted = options->interrupted && atomic_load(options->interrupted);
    run->untellable = UINT64_MAX;
    for (uint32_t i = 0; i < 64; i++)
        run->violated_elsewhere[i] = UINT64_MAX;
    const uint32_t threads = options->jobs < JOBS_MOST ? options->jobs : JOBS_MOST;
    run->threads = threads > 0 ? threads : 1;
    memory_init(&run->explored, verify_memory_for_setups(options));
    run->explored.may_overdraw = true;
    run->explored.spill = memory->spill;
    pthread_mutex_init(&run->mutex, NULL);
    pthread_cond_init(&run->changed, NULL);
    const bool over = !options->checkpoint && (options->time_most_ms == 0 || run->interrupted);
    if (!options->over_before)
        list_setups(run);
    shard_take_setups(run);
    if (options->exhaustive)
        report->verdicts = ARENA_ARRAY(
            arena, uint8_t,
            (size_t)(run->cover ? report->setups.capacity : report->setups.count) * intent_count +
                1);
    if ((options->resume && !load_settled(run)) || !shard_fits(run)) {
        for (uint32_t i = 0; i < intent_count; i++)
            report->results[i] =
                (struct verify_result){.intent = &intents[i], .verdict = VERDICT_HOLDS};
        end(run, EXPLORE_UNRESUMED);
    }
    shard_read_notes(run);
    heed_others(run);
    accept_in_order(run);
    if (!run->ended && (over || options->over_before))
        end(run, over_before(run));
    if (!run->ended && run->accepted < report->setups.count && run->asked != 0) {
        if (start_workers(run))
            oversee(run);
        else
            work(&run->workers[0]);
    }
    finish(run);
    for (uint32_t i = 0; i < intent_count; i++)
        if (report->results[i].verdict == VERDICT_HOLDS && report->ended_by != EXPLORE_DECIDED &&
            run->open >> i & 1) {
            report->results[i].verdict = VERDICT_UNDECIDED;
            report->results[i].reason = report->ended_by;
        }
    if (options->shard.count == 0)
        search_beyond(run);
    for (uint32_t i = 0; i < intent_count; i++) {
        const struct intent_class *class = intent_class_of(&intents[i]);
        if (report->results[i].verdict == VERDICT_HOLDS && class->applies &&
            !(report->applied >> i & 1))
            report->results[i].of_nothing = class->never_applied;
    }
    turn_examples(report);
    report->story_arenas = run->kept.items;
    report->story_arena_count = run->kept.count;
    report->seconds = (double)(clock_now_ns() - run->started) / 1e9;
    memory_release(memory, run, sizeof(*run));
}

void verify_release(struct verify_report *report)
{
    arena_release(&report->parts_arena);
    for (uint32_t i = 0; i < report->story_arena_count; i++)
        arena_release(&report->story_arenas[i]);
}

bool verify_ended_early(const struct verify_report *report)
{
    switch (report->ended_by) {
    case EXPLORE_TIME:
    case EXPLORE_MEMORY:
    case EXPLORE_STATES:
    case EXPLORE_DEPTH:
    case EXPLORE_INTERRUPTED: return true;
    default: return false;
    }
}

enum verdict verify_verdict(const struct verify_report *report)
{
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t i = 0; i < report->result_count; i++)
        verdict = verdict_worse(verdict, report->results[i].verdict);
    return verdict;
}
