/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that are fair to kinds of nodes, but not to each node.
 *
 * A state counts nodes that are alike, so fairness is by kinds of nodes: a loop
 * in which one node returns again and again, and another of its kind never does,
 * looks fair, though the other one is sure to return some day. Where something
 * is said to go on for ever, the setup is therefore explored once more with one node
 * of each group apart from the others, in the place of any of them: that is enough to
 * tell which loops are fair to every node (explore/cycle.h). It takes as many states as
 * before for each kind of place that such a node can be in. If these are too many the
 * violation stands, and it is said that it was not confirmed.
 */
#include "verify/confirm_loops.h"

#include "base/vec.h"

enum { STATES_MORE = 20, STATES_LEAST = 2000 };

static bool nodes_are_alike(const struct setup_query *query)
{
    bool alike = false;
    for (uint32_t g = 0; g < query->scope->group_count; g++)
        alike |= query->setup->nodes[g] > 1;
    return alike;
}

static struct exploration *explore(const struct setup_query *query, struct memory *memory,
                                   const struct population *population, uint64_t states_before)
{
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    /* Not the run's own limit: what is found must not depend on what else was. */
    options.states_most = STATES_MORE * states_before + STATES_LEAST;
    options.time_most_ms = query->time_most_ms;
    options.interrupted = query->stop;
    return explore_run(population_model(population), &options, memory);
}

/* Those that are violated by what goes on for ever. */
static uint32_t choose(const struct setup_query *query, const struct setup_outcome *outcome,
                       struct check_intent *intents, uint32_t *numbers)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < query->intent_count; i++)
        if (outcome->goes_on >> i & 1) {
            numbers[count] = i;
            intents[count++] = query->intents[i];
        }
    return count;
}

static void judge(struct setup_outcome *outcome, uint32_t intent, enum verdict verdict,
                  bool stopped, bool whole)
{
    const uint64_t bit = UINT64_C(1) << intent;
    if (verdict == VERDICT_VIOLATED)
        return;
    if (stopped) {
        outcome->violated &= ~bit;
        outcome->undecided |= bit;
    } else if (verdict == VERDICT_HOLDS && whole) {
        outcome->violated &= ~bit;
    } else {
        outcome->results[intent].unconfirmed = true;
    }
}

void confirm_loops(const struct setup_query *query, struct memory *memory,
                   struct setup_outcome *outcome)
{
    if (!outcome->goes_on || !nodes_are_alike(query))
        return;
    struct population_options how = setup_options(query, outcome->reductions);
    struct problems problems;
    uint32_t *numbers = ARENA_ARRAY(&outcome->arena, uint32_t, query->intent_count + 1);
    struct check_intent *intents =
        ARENA_ARRAY(&outcome->arena, struct check_intent, query->intent_count + 1);
    const uint32_t count = choose(query, outcome, intents, numbers);
    how.nodes = NODES_ONE_APART;
    problems_init(&problems, &outcome->arena);
    struct population *population =
        population_create(memory, query->scope, query->setup, intents, count, &how, &problems);
    struct exploration *found =
        population ? explore(query, memory, population, outcome->states) : NULL;
    /* Who is stopped here has not come to a verdict. */
    const bool stopped = !found || found->reason == EXPLORE_TIME ||
                         found->reason == EXPLORE_INTERRUPTED || found->reason == EXPLORE_MEMORY;
    const bool whole =
        population && !population_overflowed(population) && !population_needs_all(population);
    if (stopped)
        outcome->ended_by = found        ? found->reason
                            : population ? EXPLORE_MEMORY
                                         : setup_why_unmade(&how);
    for (uint32_t i = 0; i < count; i++)
        judge(outcome, numbers[i], found ? found->properties[i].verdict : VERDICT_UNDECIDED,
              stopped, whole);
    if (found)
        explore_free(found);
    if (population)
        population_free(population);
}
