/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modular verification.
 *
 * The states of a cluster are the product of what its workloads do. Most workloads share nothing
 * but the nodes, and then the product says no more than its factors:
 *
 *   holds     Each component of coupled workloads (couplings.h) is explored by itself, in a model
 *             that allows whatever the others could do to it (others.h). Each run of the cluster
 *             is a run of this model, too, if one looks at the component alone. So an intent that
 *             holds for every component holds in the cluster. This takes up to three rounds:
 *               1. Nothing is known of the others. Which pods the component can have on nodes, at
 *                  any moment and at rest, is counted, and what holds even so is decided.
 *               2. The others have at most the pods that were counted of them. A pod that has more
 *                  nodes to go to than they can fill is bound in the end.
 *               3. If every component leaves each node that is drained, drains end.
 *   violated  For a component for which this fails, the cluster is explored with all other
 *             workloads taking one step after the other in one order, and the component in every
 *             order. That is less than can happen, so what is violated is violated.
 *
 * At first the models of components do not count how often an event comes that may come often
 * (build_events.c), which takes far fewer states. What is open then is asked again of models that
 * count.
 *
 * Runs of the whole cluster that look for violations (search.h) find those that need steps of many
 * workloads. A few of them are made when models that do not say where pods are have been asked, and
 * before those that do. For what is still open the whole cluster is explored.
 */
#include "verify/modular.h"

#include "verify/modular_internal.h"

/* A product of so many states, divided by the number of workloads, is explored at once. */
enum { PRODUCT_STATES_SMALL = 20000 };

/* For what is open after everything else but the product. */
static const struct search_limits search_at_last = {
    .seed = 1, .rounds = 3, .by_chance = true, .effort = 1000000};

/* For what is left: all workloads together. */
static void explore_rest(struct modular *modular, uint64_t open)
{
    struct setup_query query = *modular->query;
    struct setup_outcome rest;
    query.asked = open;
    query.states_before = modular->outcome->states;
    for (uint32_t c = 0; c < modular->component_count; c++)
        if (!modular->components[c].told && modular->parts->items[c].asked)
            modular_tell(modular, PART_OPEN, c);
    limit_spend(&query.states_most, modular->outcome->states);
    limit_spend_ns(&query.time_most_ms, clock_now_ns() - modular->started);
    setup_explore(&query, modular->memory, modular->stories, &rest);
    modular_note_sizes_of_rest(modular, &rest);
    parts_note_whole(modular->parts, open, rest.undecided | rest.violated);
    modular->outcome->undecided |= rest.undecided;
    modular->outcome->ended_by = rest.ended_by;
    modular_take_over(modular, &rest);
}

/* A small product is explored at once: its counterexamples are the shortest of all. True if that
 * decides everything. */
static bool explore_small(struct modular *modular)
{
    const uint64_t workloads = modular->query->scope->workload_count;
    struct setup_query query = modular_query_of(modular, modular->query->asked);
    struct setup_outcome small;
    query.states_most = PRODUCT_STATES_SMALL / workloads;
    query.time_most_ms = modular->query->time_most_ms;
    query.shelf = modular->query->shelf;
    setup_explore(&query, modular->memory, modular->stories, &small);
    const bool decided = small.ended_by == EXPLORE_DECIDED;
    modular->outcome->findings = small.findings;
    modular->outcome->reductions = small.reductions;
    if (decided)
        modular->outcome->sizes = small.sizes;
    modular_take_over(modular, &small);
    return decided;
}

static void explore_components(struct modular *modular)
{
    modular_find_what_holds(modular);
    modular_find_what_is_violated(modular);
    modular_find_by_counting(modular);
    modular->outcome->components = modular->component_count;
}

/* Notes of what was decided by components whether it applied somewhere. */
static void note_applied(struct modular *modular, uint64_t decided)
{
    for (uint32_t c = 0; c < modular->component_count; c++)
        modular->outcome->applied |= modular->components[c].applied & decided;
}

/* What is open because a quota may keep pods out for ever is asked of components in which those
 * that are charged to it are together. */
static void explore_charged_together(struct modular *modular)
{
    while (modular->unknown.scarce_quotas && modular_open(modular) & modular->eligible) {
        modular->shown |= modular->query->asked & modular->eligible & ~modular_open(modular);
        note_applied(modular, modular->shown & ~modular->outcome->violated);
        modular->tied_quotas |= modular->unknown.scarce_quotas;
        modular->unknown.scarce_quotas = 0;
        if (modular_find_components(modular))
            explore_components(modular);
    }
}

/* Can the setup be explored one component after the other, and is it worth it? */
static enum together_because why_together(const struct setup_query *query)
{
    const uint64_t workloads = query->scope->workload_count;
    if (workloads < 2 && !(workloads == 1 && query->coupled_alone))
        return TOGETHER_IS_SMALL;
    if (!query->modular)
        return TOGETHER_IS_ASKED;
    /* With clocks, what others do decides at which moments something can happen. */
    if (query->scope->time == TIME_CLOCKED)
        return TOGETHER_BY_CLOCKS;
    if (query->checkpoint || query->resume)
        return TOGETHER_IS_SAVED;
    if (query->intent_count + OWN_INTENTS > POPULATION_INTENTS_MOST)
        return TOGETHER_BY_INTENTS;
    return query->components_first || query->states_most > PRODUCT_STATES_SMALL / workloads
               ? TOGETHER_NOT
               : TOGETHER_IS_SMALL;
}

/* All workloads together, and nothing else. */
static void explore_together(const struct setup_query *query, enum together_because why,
                             struct memory *memory, struct memory *stories,
                             struct setup_outcome *outcome)
{
    setup_explore(query, memory, stories, outcome);
    if (query->scope->workload_count < 2)
        return;
    outcome->parts = ARENA_NEW(&outcome->arena, struct parts);
    outcome->parts->together = why;
}

void modular_explore(const struct setup_query *query, struct memory *memory, struct memory *stories,
                     struct setup_outcome *outcome)
{
    struct modular modular = {
        .query = query, .memory = memory, .stories = stories, .outcome = outcome};
    modular.started = clock_now_ns();
    const enum together_because why = why_together(query);
    if (why != TOGETHER_NOT) {
        explore_together(query, why, memory, stories, outcome);
        modular_widen_sizes(query, memory, stories, outcome);
        return;
    }
    arena_init(&modular.arena, memory);
    *outcome = (struct setup_outcome){
        .asked = query->asked, .states_most = query->states_most, .ended_by = EXPLORE_DECIDED};
    arena_init(&outcome->arena, stories);
    outcome->results = ARENA_ARRAY(&outcome->arena, struct verify_result, query->intent_count + 1);
    outcome->parts = ARENA_NEW(&outcome->arena, struct parts);
    modular.parts = outcome->parts;
    const bool together = !query->components_first && explore_small(&modular);
    if (!together) {
        modular_add_intents(&modular);
        modular.parts->several = query->asked & ~modular.eligible;
        modular.parts->together =
            modular.eligible & query->asked ? TOGETHER_UNKNOWN : TOGETHER_BY_INTENTS;
        if (modular.eligible & query->asked && modular_find_components(&modular))
            explore_components(&modular);
        explore_charged_together(&modular);
        modular_look_for_violations_first(&modular);
        uint64_t open = modular_open(&modular);
        modular_look_for_violations(&modular, open, &search_at_last);
        open &= ~outcome->violated;
        outcome->by_components = outcome->asked & ~outcome->violated & ~open;
        note_applied(&modular, outcome->by_components);
        if (open)
            explore_rest(&modular, open);
        outcome->sizes = modular_known_sizes(&modular);
    }
    arena_release(&modular.arena);
    if (together)
        modular_widen_sizes(query, memory, stories, outcome);
}
