/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents as properties over atoms and marks. Intent i owns atom i, mark i and as
 * many monitor words as its class needs; one more mark is on every outside event.
 */
#include "cluster/intent/intents.h"
#include "cluster/intent/registry.h"
#include "cluster/intent/victims.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "decide/scheduler/node_match.h"

void intents_add(struct population *population, const struct check_intent *source,
                 uint32_t workload)
{
    const struct intent_class *class = intent_class_of(source);
    const struct intent intent = {
        .class = class,
        .source = source,
        .workload = workload,
        .monitor = population->monitor_count,
    };
    VEC_PUSH(&population->arena, &population->intents, intent);
    population->endpoints |= class->needs_endpoints;
    if (class->monitor_words)
        population->monitor_count += class->monitor_words(population, &intent);
}

static uint64_t outside_mark(const struct population *population)
{
    return UINT64_C(1) << population->intents.count;
}

static struct property property_of(const struct population *population, uint32_t number)
{
    const struct intent_class *class = population->intents.items[number].class;
    const uint64_t bit = UINT64_C(1) << number;
    struct property property = {.name = intent_kind_name(class->kind)};
    switch (class->violated_by) {
    case VIOLATED_BY_STEP:
        property.kind = PROPERTY_STEP_INVARIANT;
        property.marks = bit;
        break;
    case VIOLATED_BY_STATE:
        property.kind = PROPERTY_INVARIANT;
        property.p.none = bit;
        break;
    case VIOLATED_BY_LOOP:
        property.kind = PROPERTY_NO_CYCLE;
        property.marks = bit;
        property.avoids = outside_mark(population);
        break;
    case VIOLATED_BY_STAYING:
        property.kind = PROPERTY_ALWAYS_EVENTUALLY;
        property.p.none = bit;
        break;
    case VIOLATED_BY_LEAVING:
        property.kind = PROPERTY_EVENTUALLY_ALWAYS;
        property.p.all = bit;
        break;
    }
    return property;
}

void intents_compile(struct population *population)
{
    victims_number(population);
    for (uint32_t i = 0; i < population->intents.count; i++)
        VEC_PUSH(&population->arena, &population->properties, property_of(population, i));
}

bool intents_ignore(const struct population *population, enum intent_ignores what)
{
    for (uint32_t i = 0; i < population->intents.count; i++)
        if (!(population->intents.items[i].class->ignores & what))
            return false;
    return true;
}

void intents_begin(struct population_worker *worker, struct population_state *state)
{
    const struct population *population = worker->population;
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct intent *intent = &population->intents.items[i];
        if (intent->class->begin)
            intent->class->begin(worker, state, intent);
    }
}

/* What must never happen is judged from where runs begin. What must happen in the
 * end, or not go on for ever, is the same wherever they begin. */
static bool is_judged(const struct population_state *state, const struct intent_class *class)
{
    return state->begun ||
           (class->violated_by != VIOLATED_BY_STEP && class->violated_by != VIOLATED_BY_STATE);
}

uint64_t intents_atoms(struct population_worker *worker, const struct population_state *state)
{
    const struct population *population = worker->population;
    uint64_t atoms = 0;
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct intent *intent = &population->intents.items[i];
        if (intent->class->atom && is_judged(state, intent->class) &&
            intent->class->atom(worker, state, intent))
            atoms |= UINT64_C(1) << i;
    }
    return atoms;
}

uint64_t intents_observe(struct population_worker *worker, const struct population_state *state,
                         struct population_state *next, const struct happening *happening)
{
    const struct population *population = worker->population;
    uint64_t marks = action_has(happening->action, IS_EVENT) ? outside_mark(population) : 0;
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct intent *intent = &population->intents.items[i];
        if (intent->class->mark && is_judged(state, intent->class) &&
            intent->class->mark(worker, state, next, intent, happening))
            marks |= UINT64_C(1) << i;
    }
    return marks;
}

bool intents_mind_rest(struct population_worker *worker, const struct population_state *state,
                       bool for_good)
{
    const struct population *population = worker->population;
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct intent *intent = &population->intents.items[i];
        if (intent->class->minds_rest && intent->class->minds_rest(worker, state, intent, for_good))
            return true;
    }
    return false;
}

bool intents_content_with(struct population_worker *worker, const struct population_state *state,
                          uint32_t workload)
{
    const struct population *population = worker->population;
    if (state->present[workload] == WORKLOAD_ABSENT)
        return true;
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct intent *intent = &population->intents.items[i];
        if (intent_concerns(intent, workload) && intent->class->displeases &&
            !intent->class->ignores_focus &&
            intent->class->displeases(worker, state, intent, workload))
            return false;
    }
    return true;
}

uint32_t intent_whose(struct population_worker *worker, const struct population_state *state,
                      uint32_t number)
{
    const struct population *population = worker->population;
    const struct intent *intent = &population->intents.items[number];
    for (uint32_t w = 0; intent->class->displeases && w < population->managed_count; w++)
        if (intent_concerns(intent, w) && state->present[w] != WORKLOAD_ABSENT &&
            intent->class->displeases(worker, state, intent, w))
            return w;
    return UINT32_MAX;
}
