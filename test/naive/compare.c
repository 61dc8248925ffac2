/* SPDX-License-Identifier: Apache-2.0 */
/* Each difference is one line in the text, so that a run shows all of them. */
#include "naive/compare.h"

#include <inttypes.h>
#include <string.h>

static const char *const kind_names[] = {
    [PROPERTY_INVARIANT] = "invariant",
    [PROPERTY_STEP_INVARIANT] = "step invariant",
    [PROPERTY_DEADLOCK_FREE] = "deadlock free",
    [PROPERTY_REACHABLE] = "reachable",
    [PROPERTY_EVENTUALLY] = "eventually",
    [PROPERTY_EVENTUALLY_ALWAYS] = "eventually always",
    [PROPERTY_ALWAYS_EVENTUALLY] = "always eventually",
    [PROPERTY_LEADS_TO] = "leads to",
    [PROPERTY_NO_CYCLE] = "no cycle",
};

static bool is_safety(const struct property *property)
{
    return property->kind <= PROPERTY_REACHABLE;
}

void comparison_init(struct comparison *comparison, struct arena *arena, const struct model *model,
                     struct text *differences)
{
    *comparison = (struct comparison){.differences = differences};
    naive_explore(&comparison->graph, arena, model);
    comparison->answers = ARENA_ARRAY(arena, struct naive_answer, model->property_count + 1);
    for (uint32_t i = 0; i < model->property_count; i++)
        comparison->answers[i] = naive_judge(&comparison->graph, &model->properties[i]);
}

static void differ_count(const struct comparison *comparison, const char *run, const char *what,
                         uint64_t naive, uint64_t engine)
{
    if (naive != engine)
        text_printf(comparison->differences, "%s: %s: naive %" PRIu64 ", engine %" PRIu64 "\n", run,
                    what, naive, engine);
}

static void differ(const struct comparison *comparison, const char *run, uint32_t property,
                   const char *what)
{
    const struct property *p = &comparison->graph.model->properties[property];
    text_printf(comparison->differences, "%s: property %u (%s): %s\n", run, property,
                kind_names[p->kind], what);
}

static void compare_counts(const struct comparison *comparison, const char *run,
                           const struct exploration *result)
{
    const struct naive_graph *graph = &comparison->graph;
    const struct statistics *statistics = &result->statistics;
    differ_count(comparison, run, "states", graph->states.count, statistics->states);
    differ_count(comparison, run, "initial states", graph->initial_count,
                 statistics->initial_states);
    differ_count(comparison, run, "transitions", graph->edges.count, statistics->transitions);
    differ_count(comparison, run, "depth", graph->depth, statistics->depth);
    uint64_t marks = 0;
    uint64_t fired[64] = {0};
    for (uint32_t i = 0; i < graph->edges.count; i++) {
        marks |= graph->edges.items[i].marks;
        fired[graph->edges.items[i].action]++;
    }
    differ_count(comparison, run, "marks seen", marks, result->marks_seen);
    for (uint32_t i = 0; i < result->action_count; i++)
        differ_count(comparison, run, "action fired", fired[i], result->action_fired[i]);
}

/* The path is not only as short as possible but the first of its length. */
static bool is_first_path(const struct comparison *comparison, const struct naive_answer *answer,
                          const struct run_path *path)
{
    const struct naive_graph *graph = &comparison->graph;
    uint32_t i = answer->length;
    if (path->step_count != answer->length)
        return false;
    if (answer->edge != NAIVE_NOWHERE &&
        path->steps[--i].index != graph->edges.items[answer->edge].index)
        return false;
    const struct naive_state *state = &graph->states.items[answer->state];
    for (; state->parent != NAIVE_NOWHERE; state = &graph->states.items[state->parent])
        if (path->steps[--i].index != state->index)
            return false;
    return path->initial_index == state->index;
}

static void compare_path(const struct comparison *comparison, const char *run, uint32_t i,
                         const struct property_result *result)
{
    const struct property *property = &comparison->graph.model->properties[i];
    const char *wrong = naive_refute_path(&comparison->graph, property, &result->path);
    if (wrong)
        differ(comparison, run, i, wrong);
    else if (is_safety(property) && result->path.step_count != comparison->answers[i].length)
        differ(comparison, run, i, "the path is not a shortest one");
}

static void compare_property(const struct comparison *comparison, const char *run, uint32_t i,
                             const struct property_result *result)
{
    const struct property *property = &comparison->graph.model->properties[i];
    const struct naive_answer *answer = &comparison->answers[i];
    if (result->verdict != (answer->violated ? VERDICT_VIOLATED : VERDICT_HOLDS)) {
        differ(comparison, run, i, answer->violated ? "is violated" : "holds");
        return;
    }
    const bool wants_path = is_safety(property) ? answer->has_path : answer->violated;
    if (wants_path != result->has_path)
        differ(comparison, run, i, wants_path ? "has no path" : "has a path for nothing");
    else if (wants_path)
        compare_path(comparison, run, i, result);
}

static bool same_path(const struct run_path *a, const struct run_path *b)
{
    bool same = a->initial_index == b->initial_index && a->step_count == b->step_count &&
                a->loops == b->loops && a->loop_rests == b->loop_rests &&
                a->loop_from == b->loop_from;
    for (uint32_t i = 0; same && i < a->step_count; i++)
        same = a->steps[i].index == b->steps[i].index;
    return same;
}

static struct exploration *explore(const struct comparison *comparison, const struct model *model,
                                   struct explore_options *options)
{
    return explore_run(model, options, comparison->graph.arena->memory);
}

/* A run ends early when all is decided; up to there it is the same for all
 * numbers of threads. */
static void compare_ends(const struct comparison *comparison, const char *run,
                         const struct exploration *one, const struct exploration *result)
{
    differ_count(comparison, run, "complete as with 1 thread", one->complete, result->complete);
    if (result->complete) {
        compare_counts(comparison, run, result);
    } else {
        differ_count(comparison, run, "states as with 1 thread", one->statistics.states,
                     result->statistics.states);
        differ_count(comparison, run, "transitions as with 1 thread", one->statistics.transitions,
                     result->statistics.transitions);
        differ_count(comparison, run, "depth as with 1 thread", one->statistics.depth,
                     result->statistics.depth);
    }
}

/* Nothing to judge, so nothing ends the run before all is counted. */
static void compare_all_states(const struct comparison *comparison, const char *run,
                               struct explore_options *options)
{
    struct model model = *comparison->graph.model;
    model.property_count = 0;
    struct exploration *result = explore(comparison, &model, options);
    differ_count(comparison, run, "complete", 1, result->complete);
    compare_counts(comparison, run, result);
    explore_free(result);
}

void compare_exact(const struct comparison *comparison)
{
    static const uint32_t threads[] = {1, 2, 4};
    static const char *const names[] = {"1 thread", "2 threads", "4 threads"};
    const struct model *model = comparison->graph.model;
    struct exploration *results[3];
    for (uint32_t t = 0; t < 3; t++) {
        struct explore_options options;
        explore_options_init(&options);
        options.all = true;
        options.threads = threads[t];
        options.parallel_from = 1;
        compare_all_states(comparison, names[t], &options);
        results[t] = explore(comparison, model, &options);
        compare_ends(comparison, names[t], results[0], results[t]);
        for (uint32_t i = 0; i < model->property_count; i++) {
            const struct property_result *result = &results[t]->properties[i];
            compare_property(comparison, names[t], i, result);
            if (!result->has_path || !results[0]->properties[i].has_path)
                continue;
            if (!same_path(&result->path, &results[0]->properties[i].path))
                differ(comparison, names[t], i, "the path differs from that of 1 thread");
            if (is_safety(&model->properties[i]) &&
                !is_first_path(comparison, &comparison->answers[i], &result->path))
                differ(comparison, names[t], i, "the path is not the first of the shortest");
        }
    }
    for (uint32_t t = 0; t < 3; t++)
        explore_free(results[t]);
}

void compare_first_violation(const struct comparison *comparison)
{
    const char *run = "first violation";
    const struct model *model = comparison->graph.model;
    struct explore_options options;
    explore_options_init(&options);
    options.all = false;
    struct exploration *result = explore(comparison, model, &options);
    bool any = false;
    for (uint32_t i = 0; i < model->property_count; i++) {
        any |= comparison->answers[i].violated;
        if (result->properties[i].verdict != VERDICT_UNDECIDED)
            compare_property(comparison, run, i, &result->properties[i]);
        else if (result->properties[i].reason != EXPLORE_STOPPED)
            differ(comparison, run, i, "is undecided for another reason than having stopped");
    }
    differ_count(comparison, run, "verdict", any ? VERDICT_VIOLATED : VERDICT_HOLDS,
                 result->verdict);
    explore_free(result);
}

void compare_lossy(const struct comparison *comparison, enum explore_mode mode)
{
    const char *run = mode == EXPLORE_BITSTATE ? "bitstate" : "hash compact";
    const struct model *model = comparison->graph.model;
    struct explore_options options;
    explore_options_init(&options);
    options.mode = mode;
    options.all = true;
    options.bitstate_bytes = 1 << 16;
    struct exploration *result = explore(comparison, model, &options);
    for (uint32_t i = 0; i < model->property_count; i++) {
        const struct property_result *judged = &result->properties[i];
        const bool witnessed = model->properties[i].kind == PROPERTY_REACHABLE && judged->has_path;
        if (judged->verdict == VERDICT_HOLDS && !witnessed)
            differ(comparison, run, i, "holds without a caveat");
        if (judged->verdict == VERDICT_VIOLATED && !comparison->answers[i].violated)
            differ(comparison, run, i, "is said to be violated");
        if (!is_safety(&model->properties[i]) && judged->verdict != VERDICT_UNDECIDED)
            differ(comparison, run, i, "is judged although the mode cannot");
        if (judged->has_path)
            compare_path(comparison, run, i, judged);
    }
    if (result->verdict == VERDICT_HOLDS && model->property_count > 0 &&
        comparison->answers[0].violated)
        differ_count(comparison, run, "verdict", VERDICT_VIOLATED, result->verdict);
    explore_free(result);
}
