/* SPDX-License-Identifier: Apache-2.0 */
/* One exploration of a component beside others, within its share of the limits, and what is told of
 * it. */
#include "verify/modular_internal.h"

void modular_tell(const struct modular *modular, enum part_news_kind kind, uint32_t number)
{
    const struct setup_query *query = modular->query;
    struct part_news news = {.kind = kind,
                             .scope = query->scope,
                             .parts = modular->parts,
                             .part = number,
                             .seconds = (double)(clock_now_ns() - modular->started) / 1e9};
    for (uint32_t c = 0; c < modular->component_count; c++) {
        news.total += modular->parts->items[c].asked != 0;
        news.decided += modular->components[c].told;
    }
    if (query->tell_part)
        query->tell_part(query->telling, &news);
}

void modular_tell_if_decided(struct modular *modular, struct component *component)
{
    const struct decided_part *part = &modular->parts->items[number_of(modular, component)];
    if (component->told || !part->asked || component->open & ~modular->outcome->violated)
        return;
    component->told = true;
    modular_tell(modular, PART_DECIDED, number_of(modular, component));
}

void modular_add_to_outcome(struct modular *modular, const struct setup_outcome *added)
{
    struct setup_outcome *outcome = modular->outcome;
    outcome->states += added->states;
    outcome->transitions += added->transitions;
    if (added->depth > outcome->depth)
        outcome->depth = added->depth;
    atomic_store_explicit(modular->query->states, outcome->states, memory_order_relaxed);
}

struct setup_query modular_query_of(const struct modular *modular, uint64_t asked)
{
    struct setup_query query = *modular->query;
    query.asked = asked;
    limit_spend(&query.states_most, modular->outcome->states);
    limit_spend_ns(&query.time_most_ms, clock_now_ns() - modular->started);
    /* Something is left for the others, and for the whole. */
    const unsigned share = modular->component_count == 1 ? 2 : SHARE;
    query.states_most /= share;
    query.time_most_ms /= share;
    query.shelf = NULL;
    query.checkpoint = NULL;
    query.resume = NULL;
    query.states_before = modular->outcome->states;
    return query;
}

uint64_t modular_explore_once(struct modular *modular, struct component *component,
                              const struct others *others, uint64_t asked)
{
    struct setup_query query = modular_query_of(modular, asked);
    struct population_options population = *query.population;
    /* To say where pods are may take many states, for each of the components. */
    if (!others->pools) {
        query.states_most = query.states_most * SHARE / (SHARE + modular->component_count);
        query.time_most_ms = query.time_most_ms * SHARE / (SHARE + (int)modular->component_count);
    }
    if (modular->states_most > 0 && query.states_most > modular->states_most)
        query.states_most = modular->states_most;
    struct setup_outcome outcome;
    population.others = others;
    query.scope = &component->part.scope;
    query.setup = component->setup;
    query.intents = modular->intents;
    query.intent_count += OWN_INTENTS;
    query.told = 0;
    query.population = &population;
    if (component->by_node)
        explore_nodes(&query, &component->part, modular->memory, modular->stories, &outcome);
    else
        setup_explore(&query, modular->memory, modular->stories, &outcome);
    const uint64_t holds = asked & ~outcome.violated & ~outcome.undecided;
    const bool done = outcome.ended_by == EXPLORE_DECIDED;
    if (done)
        modular_note_sizes(modular, component, others, &outcome);
    modular->outcome->images_could_decide |=
        holds && (outcome.images_could_decide || others->gathered_by_images);
    component->loops |= outcome.may_loop;
    modular->uncounted |= outcome.findings.uncounted;
    /* What must happen in the end is decided when all states are known: not before is anything
     * measured. */
    const bool whole = done && asked & (settles_bit(modular) | leaves_bit(modular));
    if (whole && others->unknown && !component->bounded) {
        component->bounded = true;
        component->held = outcome.findings.held;
    }
    if (!others->unknown && (!whole || outcome.findings.preempts_from > component->preempts_from))
        component->preempts_from = whole ? outcome.findings.preempts_from : UINT64_MAX;
    for (uint32_t e = 0; done && e < component->part.check.event_count; e++)
        if (outcome.came >> e & 1)
            modular->outcome->came |= UINT64_C(1) << component->part.events[e];
    /* More than can happen is allowed here: what never applied never does. */
    component->seen_applied = outcome.applied;
    component->seen_hindered = outcome.findings.hindered;
    component->seen_differ = !done || outcome.findings.siblings_differ;
    if (done)
        component->applied &= outcome.applied | ~holds;
    parts_note(modular->parts, number_of(modular, component), others, asked, done ? holds : 0,
               outcome.states, outcome.findings.hindered, outcome.ended_by);
    modular_add_to_outcome(modular, &outcome);
    setup_outcome_release(&outcome);
    return done ? holds : 0;
}

uint64_t modular_placeless(const struct modular *modular, uint64_t asked)
{
    return asked & (modular->placeless | settles_bit(modular) | leaves_bit(modular));
}
