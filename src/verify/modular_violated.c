/* SPDX-License-Identifier: Apache-2.0 */
/* What is violated in the whole cluster: runs in which one component leads, and runs that look for
 * violations. */
#include "verify/modular_internal.h"

static const struct search_limits search_at_first = {.rounds = 1, .effort = 400000, .filled = true};

/* So many states are explored while a component leads. */
enum { LEADING_STATES_MOST = 20000 };

void modular_take_over(struct modular *modular, struct setup_outcome *found)
{
    struct setup_outcome *outcome = modular->outcome;
    modular_add_to_outcome(modular, found);
    for (uint32_t i = 0; i < modular->query->intent_count; i++)
        if (found->violated >> i & 1)
            outcome->results[i] = found->results[i];
    for (uint32_t i = 0; i < modular->query->intent_count; i++)
        if ((found->violated & modular->query->told) >> i & 1)
            parts_note_violated(modular->parts, i, found->results[i].whose);
    outcome->violated |= found->violated;
    outcome->applied |= found->applied;
    outcome->came |= found->came;
    outcome->images_could_decide |= found->images_could_decide;
    arena_join(&outcome->arena, &found->arena);
}

/* Explores the cluster with a component that leads. What must never happen is looked for first
 * while nobody else does anything, which makes shorter counterexamples. */
static void let_lead(struct modular *modular, const struct component *component, bool alone)
{
    const uint64_t open = component->open & ~modular->outcome->violated;
    struct setup_query query = modular_query_of(modular, alone ? open & modular->safety : open);
    struct setup_outcome found;
    if (!query.asked)
        return;
    query.leads = component->in;
    query.lead_alone = alone;
    query.threads = 1;
    if (query.states_most > LEADING_STATES_MOST)
        query.states_most = LEADING_STATES_MOST;
    setup_explore(&query, modular->memory, modular->stories, &found);
    /* The one placement that runs begin with depends on the reductions. */
    if (query.scope->start == START_CANONICAL && found.reductions != REDUCTIONS_OF_LARGE)
        found.violated = 0;
    modular_take_over(modular, &found);
}

void modular_find_what_is_violated(struct modular *modular)
{
    for (uint32_t c = 0; c < modular->component_count; c++)
        let_lead(modular, &modular->components[c], true);
    for (uint32_t c = 0; c < modular->component_count; c++) {
        let_lead(modular, &modular->components[c], false);
        modular_tell_if_decided(modular, &modular->components[c]);
    }
}

void modular_look_for_violations(struct modular *modular, uint64_t open,
                                 const struct search_limits *limits)
{
    const struct setup_query query = modular_query_of(modular, open);
    struct setup_outcome found;
    /* The one placement that runs begin with may be another one without reductions. */
    if (!open || query.scope->start == START_CANONICAL)
        return;
    setup_search(&query, limits, modular->memory, modular->stories, &found);
    modular_take_over(modular, &found);
}

void modular_look_for_violations_first(struct modular *modular)
{
    /* Not where components come first, to compare: what they find wrongly would not be seen. */
    if (modular->searched || modular->query->components_first)
        return;
    modular->searched = true;
    modular_look_for_violations(modular, modular_open(modular), &search_at_first);
    for (uint32_t c = 0; c < modular->component_count; c++) {
        modular->components[c].asked &= ~modular->outcome->violated;
        modular->components[c].open &= ~modular->outcome->violated;
    }
}
