/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/explore_setup.h"
#include "cluster/threads/crew_save.h"

#include "base/clock.h"
#include "base/limit.h"
#include "cluster/threads/crew.h"
#include "verify/admitted_run.h"
#include "verify/confirm_loops.h"
#include "verify/fair_run.h"
#include "verify/tell_setup.h"

enum { PROGRESS_INTERVAL_MS = 100 };

static void note_progress(void *context, const struct explore_progress *progress)
{
    const struct setup_query *query = context;
    atomic_store_explicit(query->states, query->states_before + progress->states,
                          memory_order_relaxed);
}

static bool is_safety(const struct property *property)
{
    return property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_STEP_INVARIANT;
}

static void localise(struct crew *crew, struct run_path *path)
{
    for (uint32_t i = 0; i <= path->step_count; i++)
        crew_localise(crew, path->words + path->offsets[i],
                      (uint32_t)(path->offsets[i + 1] - path->offsets[i]));
}

static void judge(const struct setup_query *query, const struct asked_intents *asked,
                  struct crew *crew, struct exploration *found, struct setup_outcome *outcome)
{
    const struct population_findings *findings = &outcome->findings;
    outcome->findings = *crew_findings(crew);
    const bool overflowed = findings->overflowed || findings->restless ||
                            findings->conditions_fail || findings->webhooks_refuse;
    const bool refused = steps_are_refused(findings);
    const bool judged = findings->judged;
    const uint32_t *numbers = asked->numbers;
    /* One more property says that there are no loops. */
    if (found->property_count > asked->count && !overflowed)
        outcome->may_loop = found->properties[asked->count].verdict != VERDICT_HOLDS;
    for (uint32_t i = 0; i < asked->count; i++) {
        struct property_result *property = &found->properties[i];
        const uint64_t bit = UINT64_C(1) << numbers[i];
        if (findings->applied >> i & 1)
            outcome->applied |= bit;
        const bool violated = property->verdict == VERDICT_VIOLATED;
        const bool local = violated && (query->leads || refused);
        if (local && property->has_path)
            localise(crew, &property->path);
        if (violated && query->leads) {
            if (!is_fair_run(&outcome->arena, crew_worker(crew), &property->path)) {
                outcome->undecided |= bit;
                continue;
            }
        }
        if (violated && refused &&
            (!property->has_path ||
             !is_admitted_run(crew_worker(crew), findings, property->property, &property->path))) {
            outcome->undecided |= bit;
            continue;
        }
        if (violated) {
            outcome->violated |= bit;
            if (property->path.loops && !property->path.loop_rests)
                outcome->goes_on |= bit;
            if (query->told & bit) {
                outcome->results[numbers[i]].asked = query->asked;
                if (!local)
                    localise(crew, &property->path);
                outcome->results[numbers[i]].reductions = outcome->reductions;
                setup_tell(&outcome->arena, crew_worker(crew), i, property->property,
                           &property->path, query->pictures, &outcome->results[numbers[i]]);
            }
        } else if (property->verdict != VERDICT_HOLDS || overflowed || !judged ||
                   (refused && property->property->kind == PROPERTY_ALWAYS_POSSIBLE)) {
            outcome->undecided |= bit;
        } else if (property->doubted) {
            outcome->doubted |= bit;
        }
    }
    outcome->images_could_decide = findings->images_could_decide;
    outcome->came = findings->came;
    outcome->ended_by = found->reason;
    /* A search that ends because everything is decided was not cut short. If a limit was
     * reached first, the violations that were found stand; a run that is resumed from the
     * checkpoint explores the rest. */
    const bool cut = found->reason != EXPLORE_DECIDED && found->reason != EXPLORE_STOPPED;
    if (!outcome->undecided && !(query->checkpoint && cut))
        outcome->ended_by = EXPLORE_DECIDED;
    else if (outcome->ended_by == EXPLORE_DECIDED)
        outcome->ended_by = findings->piled_up          ? EXPLORE_BEYOND
                            : findings->conditions_cost ? EXPLORE_COSTLY
                            : findings->conditions_fail ? EXPLORE_FAILED
                            : refused                   ? EXPLORE_REFUSED
                            : overflowed || judged      ? EXPLORE_MEMORY
                                                        : EXPLORE_UNTESTED;
    outcome->states = found->statistics.states;
    outcome->transitions = found->statistics.transitions;
    outcome->depth = (uint32_t)found->statistics.depth;
}

struct saving {
    const struct setup_query *query;
    struct crew *crew;
    enum population_reductions reductions;
};

static struct bytes_out *save_begin(void *context, enum explore_reason reason)
{
    const struct saving *saving = context;
    const struct setup_query *query = saving->query;
    if (!query->worth_saving(query->saving, reason))
        return NULL;
    struct bytes_out *out =
        checkpoint_begin(query->checkpoint, &(struct checkpoint_part){
                                                .kind = CHECKPOINT_SEARCH,
                                                .unit = query->unit,
                                                .setup = query->number,
                                                .asked = query->asked,
                                                .reductions = saving->reductions,
                                            });
    if (out)
        crew_save(saving->crew, out);
    return out;
}

static void save_end(void *context)
{
    checkpoint_end(((const struct saving *)context)->query->checkpoint);
}

static bool is_sound(void *crew, const uint32_t *words, uint32_t length)
{
    return crew_state_is_sound(crew, words, length);
}

/* The saved exploration of this setup with the same intents and reductions; NULL: there is none. */
static const struct checkpoint_part *saved_search(const struct setup_query *query)
{
    const struct checkpoint_part *part =
        query->resume
            ? checkpoint_find(query->resume, CHECKPOINT_SEARCH, query->unit, query->number)
            : NULL;
    return part && part->asked == query->asked ? part : NULL;
}

static struct explore_options options_of(const struct setup_query *query, struct saving *saving)
{
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    options.threads = query->threads;
    options.threads_now = query->threads_now;
    options.phases = query->phases;
    if (query->parallel_from > 0)
        options.parallel_from = query->parallel_from;
    options.states_most = query->states_most;
    options.time_most_ms = query->time_most_ms;
    options.interrupted = query->stop;
    options.progress = note_progress;
    options.progress_context = (void *)query;
    options.progress_interval_ms = PROGRESS_INTERVAL_MS;
    if (query->checkpoint) {
        options.save_begin = save_begin;
        options.save_end = save_end;
        options.save_context = saving;
    }
    return options;
}

/* What is saved, or known to others, has to have the numbers that a new model gives. */
static struct population_shelf *shelf_of(const struct setup_query *query)
{
    return query->checkpoint || query->resume || query->explorer ? NULL : query->shelf;
}

static uint64_t time_left_ms(uint64_t most_ms, int64_t started)
{
    limit_spend_ns(&most_ms, clock_now_ns() - started);
    return most_ms;
}

static bool is_violated(const struct exploration *found)
{
    for (uint32_t i = 0; found && i < found->property_count; i++)
        if (found->properties[i].verdict == VERDICT_VIOLATED)
            return true;
    return false;
}

/* Is all violated, and by finite runs? These are there with more states of rest, too. */
static bool only_safety_fails(const struct exploration *found)
{
    for (uint32_t i = 0; found && i < found->property_count; i++)
        if (found->properties[i].verdict != VERDICT_VIOLATED ||
            !is_safety(found->properties[i].property))
            return false;
    return true;
}

/* The reductions that a setup has to be explored again with; gives those that were made if none. */
static enum population_reductions reductions_needed(struct crew *crew,
                                                    const struct exploration *found,
                                                    enum population_reductions made)
{
    const struct population_findings *findings = crew_findings(crew);
    if (findings->needs_all || (findings->guessed && is_violated(found)))
        return REDUCTIONS_NEVER;
    return findings->may_loop && made != REDUCTIONS_NEVER_LOOPS_REST && !only_safety_fails(found)
               ? REDUCTIONS_NEVER_LOOPS_REST
               : made;
}

static struct exploration *explore_model(const struct setup_query *query,
                                         enum population_reductions reductions, struct crew *crew,
                                         const struct explore_options *options,
                                         struct memory *memory)
{
    const struct explorer *explorer = query->explorer;
    if (!explorer)
        return explore_run(crew_model(crew), options, memory);
    return explorer->explore(explorer->context, query, reductions, crew, options, memory);
}

/* Gives the reductions that it has to be done again with, because a step was met that these are
 * not made for; these: it is done. */
static enum population_reductions explore_with(const struct setup_query *query,
                                               enum population_reductions reductions,
                                               struct memory *memory, struct memory *stories,
                                               struct setup_outcome *outcome)
{
    const int64_t started = clock_now_ns();
    const struct population_options how = setup_options(query, reductions);
    *outcome = (struct setup_outcome){.asked = query->asked,
                                      .states_most = query->states_most,
                                      .reductions = reductions,
                                      .may_loop = reductions == REDUCTIONS_NEVER_LOOPS_REST};
    arena_init(&outcome->arena, stories);
    outcome->results = ARENA_ARRAY(&outcome->arena, struct verify_result, query->intent_count + 1);
    const struct asked_intents asked = asked_intents(&outcome->arena, query, query->asked);
    /* Whatever could be wrong with the input was found by population_supports. */
    struct problems problems;
    problems_init(&problems, &outcome->arena);
    struct crew *crew = crew_create(shelf_of(query), memory, query->scope, query->setup,
                                    asked.items, asked.count, &how, &problems);
    if (crew)
        population_worker_lead(crew_worker(crew), query->leads, query->lead_alone);
    struct saving saving = {query, crew, reductions};
    struct explore_options options = options_of(query, &saving);
    options.time_most_ms = time_left_ms(query->time_most_ms, started);
    const struct checkpoint_part *saved = saved_search(query);
    struct bytes_in in = {0};
    if (crew && saved && saved->reductions == (uint64_t)reductions) {
        in = checkpoint_read(query->resume, saved);
        crew_load(crew, &in);
        options.resume = &in;
        options.is_sound = is_sound;
        options.sound_context = crew;
    }
    struct exploration *found =
        crew ? explore_model(query, reductions, crew, &options, memory) : NULL;
    checkpoint_done(&in);
    const enum population_reductions needed =
        crew ? reductions_needed(crew, found, reductions) : reductions;
    if (crew)
        outcome->sizes = crew_findings(crew)->sizes;
    if (found) {
        if (needed == reductions)
            judge(query, &asked, crew, found, outcome);
        outcome->placement = crew_placement(crew);
        explore_free(found);
    } else {
        outcome->undecided = query->asked;
        outcome->ended_by = crew ? EXPLORE_MEMORY : setup_why_unmade(&how);
    }
    if (crew)
        crew_free(crew);
    return needed;
}

/* Not even a model is built when the run is over: that of many workloads takes long. What is saved
 * must be kept, so it is read first. */
static bool is_over_before(const struct setup_query *query, struct memory *stories,
                           struct setup_outcome *outcome)
{
    if (query->checkpoint || !setup_is_over(query, clock_now_ns()))
        return false;
    *outcome = (struct setup_outcome){
        .asked = query->asked,
        .undecided = query->asked,
        .states_most = query->states_most,
        .ended_by = query->stop && atomic_load(query->stop) ? EXPLORE_INTERRUPTED : EXPLORE_TIME};
    arena_init(&outcome->arena, stories);
    outcome->results = ARENA_ARRAY(&outcome->arena, struct verify_result, query->intent_count + 1);
    return true;
}

void setup_explore(const struct setup_query *query, struct memory *memory, struct memory *stories,
                   struct setup_outcome *outcome)
{
    const int64_t started = clock_now_ns();
    if (is_over_before(query, stories, outcome))
        return;
    struct setup_query again = *query;
    struct size_region sizes = {0};
    const struct checkpoint_part *saved = saved_search(query);
    enum population_reductions reductions =
        saved ? (enum population_reductions)saved->reductions : REDUCTIONS_OF_LARGE;
    for (;;) {
        const enum population_reductions needed =
            explore_with(&again, reductions, memory, stories, outcome);
        again.time_most_ms = time_left_ms(query->time_most_ms, started);
        size_region_join(&sizes, &outcome->sizes);
        if (needed == reductions)
            break;
        setup_outcome_release(outcome);
        reductions = needed;
    }
    /* That it was explored again is so for other sizes only if all of these explorations are. */
    outcome->sizes = sizes;
    if (query->leads && sizes.tracked)
        outcome->sizes = size_region_point("workloads were verified one by one");
    /* Beside others a violation proves nothing, so it need not be confirmed; neither do doubts
     * where only violations count. */
    if (query->population->others)
        outcome->goes_on = 0;
    if (outcome->findings.pooled) {
        outcome->undecided |= outcome->doubted; /* nodes cannot be told apart there */
        outcome->doubted = 0;
    }
    if (query->leads)
        outcome->doubted = 0;
    if ((!outcome->goes_on && !outcome->doubted) || query->leads)
        return;
    confirm_loops(&again, memory, outcome);
}

void setup_outcome_release(struct setup_outcome *outcome)
{
    arena_release(&outcome->arena);
}
