/* SPDX-License-Identifier: Apache-2.0 */
/* One setup after the other, in the order of scaling. */
#include "verify/verify.h"

#include "base/clock.h"

#include <string.h>

struct run {
    struct arena *arena; /* of the report */
    struct memory *memory;
    const struct scope *scope;
    const struct verify_options *options;
    struct verify_report *report;
    struct problems *problems;
    int64_t started;
};

static const char *state_text(struct run *run, const struct model *model, const struct path *path,
                              uint32_t index)
{
    struct text text;
    text_init(&text, run->memory);
    const size_t from = path->offsets[index];
    model->describe_state(model, NULL, path->words + from,
                          (uint32_t)(path->offsets[index + 1] - from), &text);
    const char *copy = arena_strdup(run->arena, text_content(&text));
    text_release(&text);
    return copy;
}

static const char *step_text(struct run *run, const struct model *model, const struct path *path,
                             uint32_t index)
{
    struct text text;
    const struct path_step *taken = &path->steps[index];
    const size_t from = path->offsets[index];
    const size_t to = path->offsets[index + 1];
    const struct step step = {
        .words = path->words + to,
        .length = (uint32_t)(path->offsets[index + 2] - to),
        .action = taken->action,
        .argument = taken->argument,
        .fairness = taken->fairness,
        .marks = taken->marks,
    };
    text_init(&text, run->memory);
    model->describe_step(model, NULL, path->words + from, (uint32_t)(to - from), &step, &text);
    const char *copy = arena_strdup(run->arena, text_content(&text));
    text_release(&text);
    return copy;
}

static void keep_path(struct run *run, const struct model *model, const struct path *path,
                      struct verify_result *result)
{
    result->initial_state = state_text(run, model, path, 0);
    result->steps = ARENA_ARRAY(run->arena, struct verify_step, path->step_count + 1);
    result->step_count = path->step_count;
    result->loops = path->loops;
    result->loop_from = path->loop_from;
    result->rests = path->loop_rests;
    for (uint32_t i = 0; i < path->step_count; i++)
        result->steps[i] = (struct verify_step){
            .actor = population_action_actor(path->steps[i].action),
            .verb = population_action_verb(path->steps[i].action),
            .sentence = step_text(run, model, path, i),
            .state = state_text(run, model, path, i + 1),
            .outside = path->steps[i].fairness == FAIRNESS_OPTIONAL,
        };
}

static void keep_results(struct run *run, const struct setup *setup, const struct model *model,
                         const struct exploration *found, const uint32_t *open, bool overflowed)
{
    for (uint32_t i = 0; i < found->property_count; i++) {
        const struct property_result *property = &found->properties[i];
        struct verify_result *result = &run->report->results[open[i]];
        if (property->verdict == VERDICT_VIOLATED) {
            result->verdict = VERDICT_VIOLATED;
            result->setup = setup;
            keep_path(run, model, &property->path, result);
        } else if (property->verdict != VERDICT_HOLDS || overflowed) {
            if (result->verdict == VERDICT_HOLDS) {
                result->verdict = VERDICT_UNDECIDED;
                result->reason = overflowed ? EXPLORE_MEMORY : property->reason;
                result->setup = setup;
            }
        }
    }
}

/* Intents that no smaller setup violates. */
static uint32_t open_intents(const struct verify_report *report, uint32_t *open,
                             struct check_intent *intents)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->result_count; i++)
        if (report->results[i].verdict != VERDICT_VIOLATED) {
            open[count] = i;
            intents[count++] = *report->results[i].intent;
        }
    return count;
}

static uint64_t time_left(const struct run *run)
{
    if (run->options->time_most_ms == UINT64_MAX)
        return UINT64_MAX;
    const uint64_t passed = (uint64_t)((clock_now_ns() - run->started) / 1000000);
    return passed < run->options->time_most_ms ? run->options->time_most_ms - passed : 0;
}

static bool explore_setup(struct run *run, const struct setup *setup)
{
    struct verify_report *report = run->report;
    const struct arena_mark mark = arena_mark(run->arena);
    uint32_t *open = ARENA_ARRAY(run->arena, uint32_t, report->result_count + 1);
    struct check_intent *intents =
        ARENA_ARRAY(run->arena, struct check_intent, report->result_count + 1);
    const uint32_t count = open_intents(report, open, intents);
    if (count == 0)
        return false;
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    options.states_most = run->options->states_most;
    options.time_most_ms = time_left(run);
    options.interrupted = run->options->interrupted;
    struct population *population = population_create(
        run->memory, run->scope, setup, intents, count, &run->options->population, run->problems);
    const struct model *model = population_model(population);
    struct exploration *found = explore_run(model, &options, run->memory);
    bool goes_on = found != NULL;
    if (found) {
        const bool overflowed = population_overflowed(population);
        bool violated = false;
        for (uint32_t i = 0; i < found->property_count; i++)
            violated = violated || found->properties[i].verdict == VERDICT_VIOLATED;
        keep_results(run, setup, model, found, open, overflowed);
        report->setups_explored++;
        report->states += found->statistics.states;
        report->transitions += found->statistics.transitions;
        if (found->statistics.depth > report->depth)
            report->depth = (uint32_t)found->statistics.depth;
        goes_on = found->reason != EXPLORE_TIME && found->reason != EXPLORE_INTERRUPTED;
        report->interrupted |= found->reason == EXPLORE_INTERRUPTED;
        explore_free(found);
        if (!violated)
            arena_rewind(run->arena, mark);
    }
    population_free(population);
    return goes_on;
}

void verify_run(struct arena *arena, struct memory *memory, const struct scope *scope,
                const struct check_intent *intents, uint32_t intent_count,
                const struct verify_options *options, struct verify_report *report,
                struct problems *problems)
{
    struct setups setups;
    *report = (struct verify_report){
        .results = ARENA_ARRAY(arena, struct verify_result, intent_count + 1),
        .result_count = intent_count,
    };
    for (uint32_t i = 0; i < intent_count; i++)
        report->results[i] =
            (struct verify_result){.intent = &intents[i], .verdict = VERDICT_HOLDS};
    scope_enumerate(arena, scope, &setups);
    report->setups_total = setups.count;
    struct run run = {
        .arena = arena,
        .memory = memory,
        .scope = scope,
        .options = options,
        .report = report,
        .problems = problems,
        .started = clock_now_ns(),
    };
    uint32_t next = 0;
    while (next < setups.count && explore_setup(&run, &setups.items[next]))
        next++;
    /* Setups that a limit left unexplored decide nothing. */
    for (uint32_t i = 0; i < intent_count && next < setups.count; i++)
        if (report->results[i].verdict == VERDICT_HOLDS) {
            report->results[i].verdict = VERDICT_UNDECIDED;
            report->results[i].reason = report->interrupted ? EXPLORE_INTERRUPTED : EXPLORE_TIME;
        }
    report->seconds = (double)(clock_now_ns() - run.started) / 1e9;
}
