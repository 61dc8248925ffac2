/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/tell_setup.h"
#include "cluster/threads/crew.h"
#include "verify/node_cost.h"

#include <string.h>

/* ---- counterexamples ---- */

static bool speaks_of_states(const struct property *property)
{
    return property->kind != PROPERTY_STEP_INVARIANT && property->kind != PROPERTY_NO_CYCLE;
}

/* Does nothing change in the loop, except for attempts that fail? */
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

void setup_tell(struct arena *arena, struct worker *worker, uint32_t intent,
                const struct property *property, const struct run_path *path, bool pictures,
                struct verify_result *result)
{
    struct storyteller *teller =
        storyteller_create(arena, worker, path->words, (uint32_t)path->offsets[1]);
    struct node_cost_meter meter;
    int64_t now = 0;
    result->steps = ARENA_ARRAY(arena, struct verify_step, path->step_count + 1);
    result->step_count = path->step_count;
    result->initial = path->initial_index;
    result->loops = path->loops;
    result->loop_from = path->loop_from;
    result->rests = path->loop_rests;
    node_cost_begin(&meter, arena, teller, result);
    if (pictures)
        storyteller_picture(teller, &result->start);
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
        node_cost_step(&meter, teller, &result->steps[i].told, path->loops && i >= path->loop_from);
        now += result->steps[i].told.period_ns;
        result->steps[i].time_ns = now;
        result->steps[i].choice = taken->index;
        if (pictures)
            storyteller_picture(teller, &result->steps[i].picture);
    }
    node_cost_end(&meter, arena, result);
    blame(arena, teller, intent, property, path, result);
    result->whose = storyteller_whose(teller, intent);
    result->values = storyteller_values(teller, intent);
    storyteller_picture(teller, &result->picture);
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
static bool follow(struct arena *arena, struct worker *worker, const struct told_path *told,
                   struct run_path *path)
{
    const struct model *model = population_worker_model(worker);
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
    model->initial(model, worker, &follower.sink);
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
        model->expand(model, worker, states[i]->words, states[i]->length, &follower.sink);
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
    struct crew *crew = crew_create(NULL, memory, query->scope, query->setup, asked.items,
                                    asked.count, &how, &problems);
    uint32_t place = 0;
    while (place < asked.count && asked.numbers[place] != intent)
        place++;
    const bool good =
        crew && place < asked.count && follow(&scratch, crew_worker(crew), told, &path);
    if (good) {
        result->reductions = reductions;
        result->nodes = nodes;
        setup_tell(arena, crew_worker(crew), place, &crew_model(crew)->properties[place], &path,
                   query->pictures, result);
    }
    if (crew)
        crew_free(crew);
    arena_release(&scratch);
    return good;
}
