/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/judge.h"

#include "base/clock.h"
#include "reconcile/shapes.h"

#include <string.h>

struct judging {
    struct memory *memory;
    struct arena *arena;
    const struct controller *controller;
    const struct judge_options *how;
    struct problems *problems;
    int64_t started_ns;
};

static uint64_t time_left_ms(const struct judging *judging)
{
    const uint64_t most = judging->how->time_most_ms;
    if (most == UINT64_MAX)
        return most;
    const uint64_t passed = (uint64_t)(clock_now_ns() - judging->started_ns) / 1000000;
    return passed < most ? most - passed : 0;
}

static void set_options(const struct judging *judging, struct explore_options *options)
{
    explore_options_init(options);
    options->threads = judging->how->threads > 0 ? judging->how->threads : 1;
    options->states_most = judging->how->states_most;
    options->time_most_ms = time_left_ms(judging);
    options->interrupted = judging->how->interrupted;
    options->lasso_effort_most = 0; /* the shortest stem, not the shortest sum */
}

/* --- What a violation needs --- */

/* A script and budgets with some of their elements removed. */
struct less {
    struct environment_options options;
    struct script_operation *script;
};

static struct less without(const struct judging *judging, const struct environment_options *full,
                           const struct cause_slice *slice)
{
    struct less less = {.options = *full};
    less.script = ARENA_ARRAY(judging->arena, struct script_operation, full->script_count + 1);
    less.options.script = less.script;
    less.options.script_count = 0;
    for (uint32_t i = 0; i < full->script_count; i++)
        if (slice->operations[i])
            less.script[less.options.script_count++] = full->script[i];
    less.options.crashes = slice->crashes;
    less.options.failures = slice->failures;
    less.options.stale_reads = slice->stale_reads;
    return less;
}

static const struct property *same_property(const struct environment *environment,
                                            const struct judged_intent *intent)
{
    const struct model *model = environment_model(environment);
    const char *wanted = intent->is_esr ? intent->resource : intent->name;
    for (uint32_t i = 0; i < model->property_count; i++) {
        const bool is_esr = i < environment_resource_count(environment);
        if (is_esr == intent->is_esr && strcmp(model->properties[i].name, wanted) == 0)
            return &model->properties[i];
    }
    /* A safety property whose name came up while the search ran. */
    const uint32_t last = model->property_count - 1;
    if (!intent->is_esr && model->property_count > environment_resource_count(environment) &&
        strcmp(model->properties[last].name, "safety") == 0)
        return &model->properties[last];
    return NULL;
}

/* The verdict on the same property with a reduced script and budgets. */
static enum verdict judge_less(const struct judging *judging,
                               const struct environment_options *full,
                               const struct cause_slice *slice, const struct judged_intent *intent)
{
    const struct less less = without(judging, full, slice);
    if (less.options.script_count == 0)
        return VERDICT_HOLDS;
    struct environment *environment =
        environment_create(judging->memory, judging->controller, &less.options, judging->problems);
    if (!environment)
        return VERDICT_UNDECIDED;
    enum verdict verdict = VERDICT_HOLDS;
    const struct property *property = same_property(environment, intent);
    if (property) {
        struct model model = *environment_model(environment);
        struct explore_options options;
        model.properties = property;
        model.property_count = 1;
        set_options(judging, &options);
        options.model_failed = environment_failure(environment);
        struct exploration *result = explore_run(&model, &options, judging->memory);
        verdict = result && !environment_failed(environment) ? result->verdict : VERDICT_UNDECIDED;
        explore_free(result);
    }
    environment_free(environment);
    return verdict;
}

/* Removes one element; it stays removed if the violation does not need it. */
static bool try_less(const struct judging *judging, const struct environment_options *full,
                     const struct judged_intent *intent, struct cause_slice *slice,
                     const struct cause_slice *less)
{
    const enum verdict verdict = judge_less(judging, full, less, intent);
    if (verdict == VERDICT_UNDECIDED)
        slice->unchecked = true;
    if (verdict != VERDICT_VIOLATED)
        return false;
    const bool unchecked = slice->unchecked;
    *slice = *less;
    slice->unchecked = unchecked;
    return true;
}

static bool *copy_operations(const struct judging *judging, const bool *operations, uint32_t count)
{
    return arena_copy(judging->arena, operations, (count + 1) * sizeof(bool));
}

static bool lessen_once(const struct judging *judging, const struct environment_options *full,
                        const struct judged_intent *intent, struct cause_slice *slice)
{
    bool lessened = false;
    struct cause_slice less = *slice;
    if (less.crashes > 0) {
        less.crashes--;
        lessened = try_less(judging, full, intent, slice, &less) || lessened;
        less = *slice;
    }
    if (less.failures > 0) {
        less.failures--;
        lessened = try_less(judging, full, intent, slice, &less) || lessened;
        less = *slice;
    }
    if (less.stale_reads > 0) {
        less.stale_reads--;
        lessened = try_less(judging, full, intent, slice, &less) || lessened;
        less = *slice;
    }
    for (uint32_t i = full->script_count; i-- > 0;) {
        if (!slice->operations[i])
            continue;
        less = *slice;
        less.operations = copy_operations(judging, slice->operations, full->script_count);
        less.operations[i] = false;
        lessened = try_less(judging, full, intent, slice, &less) || lessened;
    }
    return lessened;
}

/* Starts with the elements that the run uses, and removes elements until none can be removed. */
static void find_slice(const struct judging *judging, const struct environment_options *full,
                       const struct env_world *end, struct judged_intent *intent)
{
    struct cause_slice *slice = &intent->slice;
    slice->operations = ARENA_ARRAY(judging->arena, bool, full->script_count + 1);
    for (uint32_t i = 0; i < end->script_done; i++)
        slice->operations[i] = true;
    slice->crashes = end->crashes;
    slice->failures = end->failures;
    slice->stale_reads = end->lags && end->stale_reads == 0 ? 1 : end->stale_reads;
    intent->sliced = true;
    slice->unchecked = false;
    while (lessen_once(judging, full, intent, slice) && !slice->unchecked)
        ;
}

/* --- Intents --- */

static const char *safety_name(const struct environment *environment,
                               const struct property_result *result)
{
    if (!result->has_path || result->path.step_count == 0)
        return result->property->name;
    const uint64_t marks =
        result->path.steps[result->path.step_count - 1].marks & result->property->marks;
    for (uint32_t i = 0; i < environment_safety_count(environment); i++)
        if ((marks >> i & 1) != 0)
            return environment_safety_name(environment, i);
    return result->property->name;
}

static struct judged_intent judged(const struct judging *judging,
                                   const struct environment *environment,
                                   const struct environment_options *options,
                                   const struct property_result *result, uint32_t index,
                                   const struct env_world **end)
{
    const bool is_esr = index < environment_resource_count(environment);
    struct judged_intent intent = {
        .name = is_esr ? "esr" : safety_name(environment, result),
        .resource = is_esr ? arena_strdup(judging->arena, result->property->name) : NULL,
        .verdict = result->verdict,
        .reason = result->reason,
        .is_esr = is_esr,
    };
    intent.name = arena_strdup(judging->arena, intent.name);
    if (result->verdict != VERDICT_VIOLATED || !result->has_path)
        return intent;
    const struct run_path *path = &result->path;
    intent.run = tell_run(environment, options, judging->arena, path);
    intent.stem = path->loops ? path->loop_from : path->step_count;
    if (is_esr) {
        intent.stability = (result->component_atoms >> (2 * index + 1) & 1) == 0;
        intent.component_states = result->component_states;
        intent.components = result->components;
    }
    *end = environment_world(
        environment, judging->arena, path->words + path->offsets[path->step_count],
        (uint32_t)(path->offsets[path->step_count + 1] - path->offsets[path->step_count]));
    return intent;
}

bool judge_controller(struct memory *memory, struct arena *arena,
                      const struct controller *controller,
                      const struct environment_options *options, const struct judge_options *how,
                      struct judged_controller *result, struct problems *problems)
{
    const struct judging judging = {.memory = memory,
                                    .arena = arena,
                                    .controller = controller,
                                    .how = how,
                                    .problems = problems,
                                    .started_ns = clock_now_ns()};
    *result = (struct judged_controller){.verdict = VERDICT_UNDECIDED, .reason = EXPLORE_MEMORY};
    struct environment *environment = environment_create(memory, controller, options, problems);
    if (!environment)
        return false;
    const struct model *model = environment_model(environment);
    struct explore_options exploring;
    set_options(&judging, &exploring);
    exploring.all = true;
    exploring.model_failed = environment_failure(environment);
    exploring.progress = how->progress;
    exploring.progress_context = how->progress_context;
    struct exploration *exploration = explore_run(model, &exploring, memory);
    const bool good = !environment_failed(environment);
    const struct env_world **ends =
        ARENA_ARRAY(arena, const struct env_world *, model->property_count + 1);
    if (exploration && good) {
        result->verdict = exploration->verdict;
        result->reason = exploration->reason;
        result->complete = exploration->complete;
        result->statistics = exploration->statistics;
        result->count = exploration->property_count;
        result->intents = ARENA_ARRAY(arena, struct judged_intent, result->count + 1);
        for (uint32_t i = 0; i < result->count; i++)
            result->intents[i] =
                judged(&judging, environment, options, &exploration->properties[i], i, &ends[i]);
        result->asked = environment_statistics(environment);
    }
    explore_free(exploration);
    environment_free(environment);
    for (uint32_t i = 0; good && how->slices && i < result->count; i++)
        if (ends[i])
            find_slice(&judging, options, ends[i], &result->intents[i]);
    return good;
}
