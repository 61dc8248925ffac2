/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/explore_setup.h"

#include "base/clock.h"
#include "cluster/threads/crew.h"
#include "verify/confirm_loops.h"

#include <string.h>

enum { PROGRESS_INTERVAL_MS = 100 };

/* ---- counterexamples ---- */

static bool speaks_of_states(const struct property *property)
{
    return property->kind != PROPERTY_STEP_INVARIANT && property->kind != PROPERTY_NO_CYCLE;
}

/* Nothing changes in the loop: attempts at most, that fail. */
static bool stands_still(const struct run_path *path)
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
                  const struct property *property, const struct run_path *path,
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

void setup_tell(struct arena *arena, struct population *population, uint32_t intent,
                const struct property *property, const struct run_path *path, bool pictures,
                struct verify_result *result)
{
    struct storyteller *teller =
        storyteller_create(arena, population, path->words, (uint32_t)path->offsets[1]);
    int64_t now = 0;
    result->steps = ARENA_ARRAY(arena, struct verify_step, path->step_count + 1);
    result->step_count = path->step_count;
    result->initial = path->initial_index;
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
    result->whose = storyteller_whose(teller, intent);
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

static void localise(struct crew *crew, struct run_path *path)
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
                outcome->results[numbers[i]].reductions = outcome->reductions;
                setup_tell(&outcome->arena, crew_population(crew), i, property->property,
                           &property->path, query->pictures, &outcome->results[numbers[i]]);
            }
        } else if (property->verdict != VERDICT_HOLDS || overflowed ||
                   (!judged && is_safety(property->property))) {
            outcome->undecided |= bit;
        } else if (property->doubted) {
            outcome->doubted |= bit;
        }
    }
    outcome->ended_by = found->reason;
    /* A search that ends because everything is decided was not cut short. If a limit
     * came first, what was found on half a graph stands, but whoever goes on from the
     * checkpoint gets to know the whole. */
    const bool cut = found->reason != EXPLORE_DECIDED && found->reason != EXPLORE_STOPPED;
    if (!outcome->undecided && !(query->checkpoint && cut))
        outcome->ended_by = EXPLORE_DECIDED;
    else if (outcome->ended_by == EXPLORE_DECIDED)
        outcome->ended_by = overflowed || judged ? EXPLORE_MEMORY : EXPLORE_UNTESTED;
    outcome->states = found->statistics.states;
    outcome->transitions = found->statistics.transitions;
    outcome->depth = (uint32_t)found->statistics.depth;
}

struct asked_intents asked_intents(struct arena *arena, const struct setup_query *query,
                                   uint64_t wanted)
{
    struct asked_intents asked = {
        .numbers = ARENA_ARRAY(arena, uint32_t, query->intent_count + 1),
        .items = ARENA_ARRAY(arena, struct check_intent, query->intent_count + 1),
    };
    for (uint32_t i = 0; i < query->intent_count; i++)
        if (wanted >> i & 1) {
            asked.numbers[asked.count] = i;
            asked.items[asked.count++] = query->intents[i];
        }
    return asked;
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

/* The exploration of this very question that was saved; NULL: there is none. */
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
    if (query->parallel_from > 0)
        options.parallel_from = query->parallel_from;
    options.states_most = query->states_most;
    options.time_most_ms = query->time_most_ms;
    options.interrupted = query->stop;
    options.progress = note_progress;
    options.progress_context = query->states;
    options.progress_interval_ms = PROGRESS_INTERVAL_MS;
    if (query->checkpoint) {
        options.save_begin = save_begin;
        options.save_end = save_end;
        options.save_context = saving;
    }
    return options;
}

/* What is saved has to have the numbers that a new model gives. */
static struct population_shelf *shelf_of(const struct setup_query *query)
{
    return query->checkpoint || query->resume ? NULL : query->shelf;
}

enum { DEADLINE_MS_MOST = 1 << 30 };

static uint64_t time_left_ms(uint64_t most_ms, int64_t started)
{
    const uint64_t passed_ms = (uint64_t)((clock_now_ns() - started) / 1000000);
    if (most_ms == UINT64_MAX)
        return most_ms;
    return passed_ms < most_ms ? most_ms - passed_ms : 0;
}

struct population_options setup_options(const struct setup_query *query,
                                        enum population_reductions reductions)
{
    struct population_options how = *query->population;
    how.reductions = reductions;
    how.interrupted = query->stop;
    if (query->time_most_ms < DEADLINE_MS_MOST)
        how.deadline_ns = clock_now_ns() + (int64_t)query->time_most_ms * 1000000;
    return how;
}

enum explore_reason setup_why_unmade(const struct population_options *how)
{
    if (how->interrupted && atomic_load(how->interrupted))
        return EXPLORE_INTERRUPTED;
    return how->deadline_ns > 0 && clock_now_ns() >= how->deadline_ns ? EXPLORE_TIME
                                                                      : EXPLORE_MEMORY;
}

/* False: a step was met that the reductions are not made for. */
static bool explore_with(const struct setup_query *query, enum population_reductions reductions,
                         struct memory *memory, struct memory *stories,
                         struct setup_outcome *outcome)
{
    const int64_t started = clock_now_ns();
    const struct population_options how = setup_options(query, reductions);
    *outcome = (struct setup_outcome){
        .asked = query->asked, .states_most = query->states_most, .reductions = reductions};
    arena_init(&outcome->arena, stories);
    outcome->results = ARENA_ARRAY(&outcome->arena, struct verify_result, query->intent_count + 1);
    const struct asked_intents asked = asked_intents(&outcome->arena, query, query->asked);
    /* Whatever could be wrong with the input was found by population_supports. */
    struct problems problems;
    problems_init(&problems, &outcome->arena);
    struct crew *crew = crew_create(shelf_of(query), memory, query->scope, query->setup,
                                    asked.items, asked.count, &how, &problems);
    struct saving saving = {query, crew, reductions};
    struct explore_options options = options_of(query, &saving);
    options.time_most_ms = time_left_ms(query->time_most_ms, started);
    const struct checkpoint_part *saved = saved_search(query);
    struct bytes_in in = {0};
    if (crew && saved && saved->reductions == (uint64_t)reductions) {
        in = checkpoint_read(query->resume, saved);
        crew_load(crew, &in);
        options.resume = &in;
    }
    struct exploration *found = crew ? explore_run(crew_model(crew), &options, memory) : NULL;
    checkpoint_done(&in);
    const bool again = crew && crew_needs_all(crew);
    if (found) {
        if (!again)
            judge(query, asked.numbers, crew, found, outcome);
        explore_free(found);
    } else {
        outcome->undecided = query->asked;
        outcome->ended_by = crew ? EXPLORE_MEMORY : setup_why_unmade(&how);
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
    const struct checkpoint_part *saved = saved_search(query);
    const enum population_reductions first =
        saved ? (enum population_reductions)saved->reductions : REDUCTIONS_OF_LARGE;
    const bool done = explore_with(query, first, memory, stories, outcome);
    if (done && !outcome->goes_on && !outcome->doubted)
        return;
    again.time_most_ms = time_left_ms(query->time_most_ms, started);
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

/* ---- telling again ---- */

/* Takes the step with a certain number. */
struct choice_follower {
    struct step_sink sink;
    struct arena *arena;
    uint32_t wanted;
    uint32_t seen;
    bool found;
    struct step step;
};

static bool follower_emit(struct step_sink *sink, const struct step *step)
{
    struct choice_follower *follower = (struct choice_follower *)sink;
    if (follower->seen++ != follower->wanted)
        return true;
    follower->found = true;
    follower->step = *step;
    follower->step.words =
        arena_copy(follower->arena, step->words, step->length * sizeof(*step->words));
    return true;
}

static void follower_enable(struct step_sink *sink, uint32_t fairness_class)
{
    (void)sink;
    (void)fairness_class;
}

/* The states and steps of a run, from the numbers of its steps. */
static bool follow(struct arena *arena, const struct model *model, const struct told_path *told,
                   struct run_path *path)
{
    struct choice_follower follower = {
        .sink = {follower_emit, follower_enable}, .arena = arena, .wanted = told->initial};
    const struct step **states = ARENA_ARRAY(arena, const struct step *, told->step_count + 1);
    size_t words = 0;
    *path = (struct run_path){
        .initial_index = told->initial,
        .step_count = told->step_count,
        .steps = ARENA_ARRAY(arena, struct path_step, told->step_count + 1),
        .offsets = ARENA_ARRAY(arena, size_t, (size_t)told->step_count + 2),
        .loops = told->loops,
        .loop_rests = told->rests,
        .loop_from = told->loop_from,
    };
    model->initial(model, NULL, &follower.sink);
    for (uint32_t i = 0; i <= told->step_count; i++) {
        if (!follower.found)
            return false;
        states[i] = arena_copy(arena, &follower.step, sizeof(follower.step));
        path->offsets[i] = words;
        words += states[i]->length;
        if (i > 0)
            path->steps[i - 1] =
                (struct path_step){told->choices[i - 1], states[i]->action, states[i]->argument,
                                   states[i]->fairness, states[i]->marks};
        if (i == told->step_count)
            break;
        follower.wanted = told->choices[i];
        follower.seen = 0;
        follower.found = false;
        model->expand(model, NULL, states[i]->words, states[i]->length, &follower.sink);
    }
    path->offsets[told->step_count + 1] = words;
    path->words = ARENA_ARRAY(arena, uint32_t, words + 1);
    for (uint32_t i = 0; i <= told->step_count; i++)
        memcpy(path->words + path->offsets[i], states[i]->words,
               states[i]->length * sizeof(uint32_t));
    return told->loop_from <= told->step_count;
}

bool setup_retell(const struct setup_query *query, enum population_reductions reductions,
                  enum population_nodes nodes, uint32_t intent, const struct told_path *told,
                  struct memory *memory, struct arena *arena, struct verify_result *result)
{
    struct population_options how = *query->population;
    struct arena scratch;
    struct problems problems;
    struct run_path path;
    how.reductions = reductions;
    how.nodes = nodes;
    arena_init(&scratch, memory);
    problems_init(&problems, &scratch);
    const struct asked_intents asked = asked_intents(&scratch, query, query->asked);
    struct population *population = population_create(memory, query->scope, query->setup,
                                                      asked.items, asked.count, &how, &problems);
    uint32_t place = 0;
    while (place < asked.count && asked.numbers[place] != intent)
        place++;
    const bool good = population && place < asked.count &&
                      follow(&scratch, population_model(population), told, &path);
    if (good) {
        result->reductions = reductions;
        result->nodes = nodes;
        setup_tell(arena, population, place, &population_model(population)->properties[place],
                   &path, query->pictures, result);
    }
    if (population)
        population_free(population);
    arena_release(&scratch);
    return good;
}
