/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that are fair to kinds of nodes, but not to each node.
 *
 * A state counts nodes that are alike, so fairness is by kinds of nodes: a loop in which one
 * node returns again and again, and another of its kind never does, looks fair, although the
 * other one is promised to return some time. A violation by such a loop is therefore checked:
 * the setup is explored once more with one distinguished node in each group, for each choice
 * of this node. That is enough to decide which loops are fair to every node
 * (explore/cycle.h). It takes as many states as before for each kind of place that such a
 * node can be in. If these are too many the violation is reported as unconfirmed.
 *
 * The opposite occurs, too: in some loop a step is always possible on one node or another,
 * and is never taken. That is unfair to the kind of nodes, but fair to each single node if
 * the nodes go down in turns. An intent that holds only because such loops count as unfair is
 * doubted (explore/model.h), and checked in the same way. Here the verdict depends on it, so
 * only the limits of the run apply.
 */
#include "verify/confirm_loops.h"

#include "base/vec.h"
#include "cluster/threads/crew.h"
#include "verify/tell_setup.h"

enum { STATES_MORE = 20, STATES_LEAST = 2000 };

static bool nodes_are_alike(const struct setup_query *query)
{
    bool alike = false;
    for (uint32_t g = 0; g < query->scope->group_count; g++)
        alike |= setup_nodes_most(query->scope, query->setup, g) > 1;
    return alike;
}

/* The model with one distinguished node in each group, and the violations by loops in it. */
struct second_look {
    struct asked_intents asked;
    struct crew *crew;
    struct exploration *found;
    bool stopped; /* true if a limit was reached before there was a verdict */
    bool whole;
};

static void look_again(const struct setup_query *query, struct memory *memory,
                       struct setup_outcome *outcome, const struct explore_options *options,
                       struct second_look *look)
{
    struct population_options how = setup_options(query, outcome->reductions);
    struct problems problems;
    how.nodes = NODES_ONE_DISTINGUISHED;
    problems_init(&problems, &outcome->arena);
    look->crew = crew_create(NULL, memory, query->scope, query->setup, look->asked.items,
                             look->asked.count, &how, &problems);
    look->found = look->crew ? explore_run(crew_model(look->crew), options, memory) : NULL;
    const enum explore_reason reason = look->found  ? look->found->reason
                                       : look->crew ? EXPLORE_MEMORY
                                                    : setup_why_unmade(&how);
    look->stopped = !look->found || reason == EXPLORE_TIME || reason == EXPLORE_INTERRUPTED ||
                    reason == EXPLORE_MEMORY;
    /* The one placement that a canonical start has may be another one here. */
    look->whole = look->crew && crew_placement(look->crew) == outcome->placement &&
                  !crew_findings(look->crew)->overflowed && !crew_findings(look->crew)->needs_all;
    if (look->crew)
        size_region_join(&outcome->sizes, &crew_findings(look->crew)->sizes);
    if (look->stopped)
        outcome->ended_by = reason;
}

static void release(struct second_look *look)
{
    if (look->found)
        explore_free(look->found);
    if (look->crew)
        crew_free(look->crew);
}

static enum verdict verdict_of(const struct second_look *look, uint32_t number)
{
    return look->found ? look->found->properties[number].verdict : VERDICT_UNDECIDED;
}

static struct explore_options options_of(const struct setup_query *query)
{
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    options.time_most_ms = query->time_most_ms;
    options.interrupted = query->stop;
    options.phases = query->phases;
    return options;
}

/* ---- what is violated, and maybe is not ---- */

static void judge_violation(struct setup_outcome *outcome, uint32_t intent, enum verdict verdict,
                            const struct second_look *look)
{
    const uint64_t bit = UINT64_C(1) << intent;
    if (verdict == VERDICT_VIOLATED)
        return;
    if (look->stopped) {
        outcome->violated &= ~bit;
        outcome->undecided |= bit;
    } else if (verdict == VERDICT_HOLDS && look->whole) {
        outcome->violated &= ~bit;
    } else {
        outcome->results[intent].unconfirmed = true;
    }
}

static void confirm_violations(const struct setup_query *query, struct memory *memory,
                               struct setup_outcome *outcome)
{
    struct explore_options options = options_of(query);
    struct second_look look = {.asked = asked_intents(&outcome->arena, query, outcome->goes_on)};
    /* A limit of its own, because the result must not depend on what else was explored. */
    options.states_most = STATES_MORE * outcome->states + STATES_LEAST;
    look_again(query, memory, outcome, &options, &look);
    for (uint32_t i = 0; i < look.asked.count; i++)
        judge_violation(outcome, look.asked.numbers[i], verdict_of(&look, i), &look);
    release(&look);
}

/* ---- what holds, and maybe does not ---- */

static void judge_doubt(const struct setup_query *query, struct setup_outcome *outcome,
                        const struct second_look *look, uint32_t number)
{
    const uint32_t intent = look->asked.numbers[number];
    const uint64_t bit = UINT64_C(1) << intent;
    const enum verdict verdict = verdict_of(look, number);
    struct verify_result *result = &outcome->results[intent];
    if (verdict == VERDICT_HOLDS && look->whole)
        return;
    if (verdict != VERDICT_VIOLATED) {
        outcome->undecided |= bit;
        return;
    }
    outcome->violated |= bit;
    if (!(query->told & bit))
        return;
    const struct property_result *found = &look->found->properties[number];
    result->asked = query->asked;
    result->reductions = outcome->reductions;
    result->nodes = NODES_ONE_DISTINGUISHED;
    setup_tell(&outcome->arena, crew_worker(look->crew), number, found->property, &found->path,
               query->pictures, result);
}

/* All intents are asked again, so that the run can be told again (setup_retell). */
static void settle_doubts(const struct setup_query *query, struct memory *memory,
                          struct setup_outcome *outcome)
{
    struct explore_options options = options_of(query);
    struct second_look look = {.asked = asked_intents(&outcome->arena, query, query->asked)};
    options.states_most = query->states_most;
    options.orbit_paths = true;
    look_again(query, memory, outcome, &options, &look);
    for (uint32_t i = 0; i < look.asked.count; i++)
        if (outcome->doubted >> look.asked.numbers[i] & 1)
            judge_doubt(query, outcome, &look, i);
    if (outcome->undecided && outcome->ended_by == EXPLORE_DECIDED)
        outcome->ended_by = look.whole ? look.found->reason : EXPLORE_MEMORY;
    release(&look);
}

void confirm_loops(const struct setup_query *query, struct memory *memory,
                   struct setup_outcome *outcome)
{
    if (!nodes_are_alike(query))
        return;
    if (outcome->goes_on)
        confirm_violations(query, memory, outcome);
    if (outcome->doubted)
        settle_doubts(query, memory, outcome);
}
