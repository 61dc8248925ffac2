/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/explore_setup.h"

#include "base/clock.h"
#include "model/population/crew.h"
#include "verify/confirm_loops.h"

#include <string.h>

enum { PROGRESS_INTERVAL_MS = 100 };

/* ---- counterexamples ---- */

static bool speaks_of_states(const struct property *property)
{
    return property->kind != PROPERTY_STEP_INVARIANT && property->kind != PROPERTY_NO_CYCLE;
}

/* Nothing changes in the loop: attempts at most, that fail. */
static bool stands_still(const struct path *path)
{
    const uint32_t *last = path->words + path->offsets[path->step_count];
    const size_t length = path->offsets[path->step_count + 1] - path->offsets[path->step_count];
    for (uint32_t i = path->loop_rests ? path->step_count : path->loop_from; i < path->step_count;
         i++)
        if (path->offsets[i + 1] - path->offsets[i] != length ||
            memcmp(path->words + path->offsets[i], last, length * sizeof(*last)) != 0)
            return false;
    return true;
}

/* A violation is what some steps do (those with the intent's mark, in the loop if
 * there is one), or what the cluster is like at the end, or both. */
static void blame(struct arena *arena, struct storyteller *teller, uint32_t intent,
                  const struct property *property, const struct path *path,
                  struct verify_result *result)
{
    const bool goes_round = path->loops && !path->loop_rests;
    const uint32_t first = goes_round         ? path->loop_from
                           : path->step_count ? path->step_count - 1
                                              : 0;
    struct story_causes state = {0};
    if (speaks_of_states(property))
        storyteller_blame(teller, intent, path->loops && stands_still(path), &state);
    result->causes.items = ARENA_ARRAY(arena, uint32_t, state.count + path->step_count + 1);
    for (uint32_t i = 0; i < state.count; i++)
        if (state.items[i] > 0 && state.items[i] <= first)
            result->causes.items[result->causes.count++] = state.items[i];
    for (uint32_t i = first; i < path->step_count; i++) {
        bool to_blame = property->kind == PROPERTY_STEP_INVARIANT;
        if (property->kind == PROPERTY_NO_CYCLE)
            to_blame = path->steps[i].marks & property->marks;
        else if (goes_round)
            to_blame = true;
        for (uint32_t s = 0; s < state.count; s++)
            to_blame |= state.items[s] == i + 1;
        if (to_blame)
            result->causes.items[result->causes.count++] = i + 1;
    }
}

static void tell(struct arena *arena, struct population *population, uint32_t intent,
                 const struct property *property, const struct path *path, bool pictures,
                 struct verify_result *result)
{
    struct storyteller *teller =
        storyteller_create(arena, population, path->words, (uint32_t)path->offsets[1]);
    int64_t now = 0;
    result->steps = ARENA_ARRAY(arena, struct verify_step, path->step_count + 1);
    result->step_count = path->step_count;
    result->loops = path->loops;
    result->loop_from = path->loop_from;
    result->rests = path->loop_rests;
    for (uint32_t i = 0; i < path->step_count; i++) {
        const struct path_step *taken = &path->steps[i];
        const size_t to = path->offsets[i + 1];
        const struct step step = {
            .words = path->words + to,
            .length = (uint32_t)(path->offsets[i + 2] - to),
            .action = taken->action,
            .argument = taken->argument,
            .fairness = taken->fairness,
            .marks = taken->marks,
        };
        storyteller_tell(teller, &step, &result->steps[i].told);
        now += result->steps[i].told.period_ns;
        result->steps[i].time_ns = now;
        result->steps[i].choice = taken->index;
        if (pictures)
            storyteller_picture(teller, &result->steps[i].picture);
    }
    blame(arena, teller, intent, property, path, result);
    storyteller_picture(teller, &result->picture);
}

/* ---- the exploration ---- */

static void note_progress(void *context, const struct explore_progress *progress)
{
    atomic_uint_fast64_t *states = context;
    atomic_store_explicit(states, progress->states, memory_order_relaxed);
}

static bool is_safety(const struct property *property)
{
    return property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_STEP_INVARIANT;
}

static void localise(struct crew *crew, struct path *path)
{
    for (uint32_t i = 0; i <= path->step_count; i++)
        crew_localise(crew, path->words + path->offsets[i],
                      (uint32_t)(path->offsets[i + 1] - path->offsets[i]));
}

static void judge(const struct setup_query *query, const uint32_t *numbers, struct crew *crew,
                  struct exploration *found, struct setup_outcome *outcome)
{
    const bool overflowed = crew_overflowed(crew);
    const bool judged = crew_judged(crew);
    for (uint32_t i = 0; i < found->property_count; i++) {
        struct property_result *property = &found->properties[i];
        const uint64_t bit = UINT64_C(1) << numbers[i];
        if (property->verdict == VERDICT_VIOLATED) {
            outcome->violated |= bit;
            if (property->path.loops && !property->path.loop_rests)
                outcome->goes_on |= bit;
            if (query->told & bit) {
                localise(crew, &property->path);
                tell(&outcome->arena, crew_population(crew), i, property->property, &property->path,
                     query->pictures, &outcome->results[numbers[i]]);
            }
        } else if (property->verdict != VERDICT_HOLDS || overflowed ||
                   (!judged && is_safety(property->property))) {
            outcome->undecided |= bit;
        }
    }
    outcome->ended_by = found->reason;
    /* A search that ends because everything is decided was not cut short. */
    if (!outcome->undecided)
        outcome->ended_by = EXPLORE_DECIDED;
    else if (outcome->ended_by == EXPLORE_DECIDED)
        outcome->ended_by = overflowed || judged ? EXPLORE_MEMORY : EXPLORE_UNTESTED;
    outcome->states = found->statistics.states;
    outcome->transitions = found->statistics.transitions;
    outcome->depth = (uint32_t)found->statistics.depth;
}

/* False: it was not to be done in this way. */
static bool explore_with(const struct setup_query *query, enum population_reductions reductions,
                         struct memory *memory, struct memory *stories,
                         struct setup_outcome *outcome)
{
    struct population_options how = *query->population;
    how.reductions = reductions;
    *outcome = (struct setup_outcome){.asked = query->asked, .states_most = query->states_most};
    arena_init(&outcome->arena, stories);
    outcome->results = ARENA_ARRAY(&outcome->arena, struct verify_result, query->intent_count + 1);
    uint32_t *numbers = ARENA_ARRAY(&outcome->arena, uint32_t, query->intent_count + 1);
    struct check_intent *intents =
        ARENA_ARRAY(&outcome->arena, struct check_intent, query->intent_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < query->intent_count; i++)
        if (query->asked >> i & 1) {
            numbers[count] = i;
            intents[count++] = query->intents[i];
        }
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    options.threads = query->threads;
    options.threads_now = query->threads_now;
    if (query->parallel_from > 0)
        options.parallel_from = query->parallel_from;
    options.states_most = query->states_most;
    options.time_most_ms = query->time_most_ms;
    options.interrupted = query->stop;
    options.progress = note_progress;
    options.progress_context = query->states;
    options.progress_interval_ms = PROGRESS_INTERVAL_MS;
    /* Whatever could be wrong with the input was found by population_supports. */
    struct problems problems;
    problems_init(&problems, &outcome->arena);
    struct crew *crew =
        crew_create(memory, query->scope, query->setup, intents, count, &how, &problems);
    struct exploration *found = crew ? explore_run(crew_model(crew), &options, memory) : NULL;
    const bool again = crew && crew_needs_all(crew);
    if (found) {
        if (!again)
            judge(query, numbers, crew, found, outcome);
        explore_free(found);
    } else {
        outcome->undecided = query->asked;
        outcome->ended_by = EXPLORE_MEMORY;
    }
    if (crew)
        crew_free(crew);
    return !again;
}

void setup_explore(const struct setup_query *query, struct memory *memory, struct memory *stories,
                   struct setup_outcome *outcome)
{
    const int64_t started = clock_now_ns();
    struct setup_query again = *query;
    const bool done = explore_with(query, query->population->reductions, memory, stories, outcome);
    if (done && !outcome->goes_on)
        return;
    const uint64_t passed_ms = (uint64_t)((clock_now_ns() - started) / 1000000);
    if (again.time_most_ms != UINT64_MAX)
        again.time_most_ms -= passed_ms < again.time_most_ms ? passed_ms : again.time_most_ms;
    if (!done) {
        setup_outcome_release(outcome);
        explore_with(&again, REDUCTIONS_NEVER, memory, stories, outcome);
    }
    confirm_loops(&again, memory, outcome);
}

void setup_outcome_release(struct setup_outcome *outcome)
{
    arena_release(&outcome->arena);
}
