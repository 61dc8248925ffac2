/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents as properties over atoms and marks. Intent i owns atom i, mark i and as
 * many monitor words as its class needs. Further marks are on outside events, on those that
 * are not counted, and, where loops are looked for, on steps by whether they can be part of one.
 */
#include "cluster/intent/intents.h"
#include "cluster/ask/tightness.h"
#include "cluster/intent/victims.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

void intents_add(struct population *population, const struct intent_class *class,
                 const struct check_intent *source, uint32_t workload)
{
    struct intent intent = {
        .class = class,
        .source = arena_copy(&population->arena, source, sizeof(*source)),
        .workload = workload,
        .monitor = population->monitor_count,
        .expressions = class->compile ? class->compile(population, source) : NULL,
    };
    if (class->also_ignores)
        intent.ignores = class->also_ignores(intent.expressions);
    VEC_PUSH(&population->arena, &population->intents, intent);
    population->endpoints |= class->needs_endpoints;
    if (class->monitor_words)
        population->monitor_count += class->monitor_words(population, &intent);
}

static uint64_t outside_mark(const struct population *population)
{
    return UINT64_C(1) << population->intents.count;
}

uint64_t intents_finite_mark(const struct population *population)
{
    return outside_mark(population) << 1;
}

/* Steps of which loops consist that may count as rest (rest.h), and all others. */
static uint64_t looping_mark(const struct population *population)
{
    return outside_mark(population) << 2;
}

static uint64_t leading_on_mark(const struct population *population)
{
    return outside_mark(population) << 3;
}

uint64_t intents_loop_mark(const struct population *population, bool loops)
{
    return loops ? looping_mark(population) : leading_on_mark(population);
}

/* There is no loop of steps that may count as rest, fair or not. */
static struct property loop_property(const struct population *population)
{
    return (struct property){
        .name = "loops",
        .kind = PROPERTY_NO_CYCLE,
        .marks = looping_mark(population),
        .avoids = leading_on_mark(population),
        .without_fairness = true,
    };
}

static struct property property_of(const struct population *population, uint32_t number)
{
    static const enum property_kind kinds[] = {
        [VIOLATED_BY_STEP] = PROPERTY_STEP_INVARIANT,
        [VIOLATED_BY_STATE] = PROPERTY_INVARIANT,
        [VIOLATED_BY_LOOP] = PROPERTY_NO_CYCLE,
        [VIOLATED_BY_STAYING] = PROPERTY_ALWAYS_EVENTUALLY,
        [VIOLATED_BY_LEAVING] = PROPERTY_EVENTUALLY_ALWAYS,
        [VIOLATED_BY_NO_WAY] = PROPERTY_ALWAYS_POSSIBLE,
    };
    const struct intent *intent = &population->intents.items[number];
    const enum intent_violation violated_by = intent->class->violated_by;
    const uint64_t bit = UINT64_C(1) << number;
    struct property property = {
        .name = intent_kind_name(intent->source->kind),
        .kind = kinds[violated_by],
        .avoids = violated_by == VIOLATED_BY_LOOP ? outside_mark(population) : 0,
    };
    if (violated_by == VIOLATED_BY_STEP || violated_by == VIOLATED_BY_LOOP)
        property.marks = bit;
    else if (violated_by == VIOLATED_BY_LEAVING || violated_by == VIOLATED_BY_NO_WAY)
        property.p.all = bit;
    else
        property.p.none = bit;
    return property;
}

void intents_compile(struct population *population)
{
    victims_number(population);
    population->judges_rest = false;
    population->may_apply = population->may_mark = population->may_mind_rest = 0;
    for (uint32_t i = 0; i < population->intents.count; i++) {
        VEC_PUSH(&population->arena, &population->properties, property_of(population, i));
        const struct intent_class *class = population->intents.items[i].class;
        const uint64_t bit = UINT64_C(1) << i;
        population->judges_rest |= class->minds_rest != NULL;
        population->may_apply |= class->applies ? bit : 0;
        population->may_mark |= class->mark ? bit : 0;
        population->may_mind_rest |= class->minds_rest ? bit : 0;
    }
    population->looks_for_loops = population->options.others != NULL &&
                                  population->options.reductions == REDUCTIONS_NEVER_LOOPS_REST;
    if (population->looks_for_loops)
        VEC_PUSH(&population->arena, &population->properties, loop_property(population));
}

bool intents_ignore(const struct population *population, enum intent_ignores what)
{
    for (uint32_t i = 0; i < population->intents.count; i++) {
        const struct intent *intent = &population->intents.items[i];
        if (!((intent->class->ignores | intent->ignores) & what))
            return false;
    }
    return true;
}

/* What the first intent is asked about; `next` and `happening` are NULL if it is a state. */
static struct judged judge(struct worker *worker, const struct state *state, struct state *next,
                           const struct happening *happening)
{
    return (struct judged){.worker = worker,
                           .population = worker->population,
                           .intent = worker->population->intents.items,
                           .state = state,
                           .next = next,
                           .happening = happening};
}

void intents_begin(struct worker *worker, struct state *state)
{
    struct judged judged = judge(worker, state, state, NULL);
    for (uint32_t i = 0; i < worker->population->intents.count; i++, judged.intent++)
        if (judged.intent->class->begin)
            judged.intent->class->begin(&judged);
}

bool intent_displeased_by(const struct judged *judged, uint32_t workload)
{
    const struct intent_class *class = judged->intent->class;
    const uint32_t focus = judged->state->focus;
    return class->displeases && intent_concerns(judged->intent, workload) &&
           (class->ignores_focus || focus == 0 || focus == workload + 1) &&
           class->displeases(judged, workload);
}

bool intent_has_atom(const struct judged *judged)
{
    const struct intent_class *class = judged->intent->class;
    const struct population *population = judged->population;
    bool displeased = false;
    if (class->atom || !class->displeases)
        return class->atom && class->atom(judged);
    for (uint32_t w = 0; w < population->managed_count && !displeased; w++)
        displeased = !(class->refuses_jobs && population->workloads.items[w].kind == OBJECT_JOB) &&
                     intent_displeased_by(judged, w);
    return displeased == (class->violated_by != VIOLATED_BY_LEAVING);
}

/* Is the step marked? */
static bool has_mark(const struct judged *judged)
{
    const struct intent_class *class = judged->intent->class;
    if (class->mark)
        return class->mark(judged);
    return class->minds_rest && judged->happening->action == ACT_SETTLED &&
           class->minds_rest(judged);
}

/* What must never happen is judged from where runs begin. What must happen in the
 * end, or not go on for ever, is the same wherever they begin. */
static bool is_judged(const struct state *state, const struct intent_class *class)
{
    return state->begun ||
           (class->violated_by != VIOLATED_BY_STEP && class->violated_by != VIOLATED_BY_STATE);
}

/* Intents of which it is not known yet whether they apply. */
static uint64_t open_intents(const struct worker *worker)
{
    return worker->population->may_apply & ~worker->findings.applied;
}

/* The lowest of the bits, which is then taken from them; there is one. */
static uint32_t take_lowest(uint64_t *bits)
{
    const uint32_t lowest = (uint32_t)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return lowest;
}

/* Notes which intents apply here; of each that did so once nothing more is asked. */
static void note_applied(struct judged *judged)
{
    for (uint64_t open = open_intents(judged->worker); open != 0;) {
        const uint32_t i = take_lowest(&open);
        judged->intent = &judged->population->intents.items[i];
        if (is_judged(judged->state, judged->intent->class) &&
            judged->intent->class->applies(judged))
            judged->worker->findings.applied |= UINT64_C(1) << i;
    }
}

void intents_apply(struct worker *worker, const struct state *state)
{
    struct judged judged = judge(worker, state, NULL, NULL);
    note_applied(&judged);
}

uint64_t intents_atoms(struct worker *worker, const struct state *state, uint64_t wanted)
{
    struct judged judged = judge(worker, state, NULL, NULL);
    uint64_t atoms = 0;
    for (uint32_t i = 0; i < worker->population->intents.count; i++, judged.intent++)
        if (wanted >> i & 1 && is_judged(state, judged.intent->class) && intent_has_atom(&judged))
            atoms |= UINT64_C(1) << i;
    return atoms;
}

int64_t intent_nearness(struct worker *worker, const struct state *state, uint32_t number)
{
    struct judged judged = judge(worker, state, NULL, NULL);
    judged.intent += number;
    return judged.intent->class->nearness ? judged.intent->class->nearness(&judged)
                                          : state_tightness(worker, state);
}

uint64_t intents_marks(struct worker *worker, const struct state *state, struct state *next,
                       const struct happening *happening)
{
    const struct population *population = worker->population;
    const uint64_t asked =
        population->may_mark |
        (happening->action == ACT_SETTLED ? population->may_mind_rest : UINT64_C(0));
    uint64_t marks = action_has(happening->action, IS_EVENT) ? outside_mark(population) : 0;
    if ((asked | open_intents(worker)) == 0)
        return marks;
    struct judged judged = judge(worker, state, next, happening);
    note_applied(&judged);
    for (uint64_t left = asked; left != 0;) {
        const uint32_t i = take_lowest(&left);
        judged.intent = &population->intents.items[i];
        if (is_judged(state, judged.intent->class) && has_mark(&judged))
            marks |= UINT64_C(1) << i;
    }
    return marks;
}

uint32_t intents_until_due(struct worker *worker, const struct state *state)
{
    struct judged judged = judge(worker, state, NULL, NULL);
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; state->begun && i < worker->population->intents.count;
         i++, judged.intent++) {
        const uint32_t due =
            judged.intent->class->until_due ? judged.intent->class->until_due(&judged) : UINT32_MAX;
        least = due < least ? due : least;
    }
    return least;
}

bool intents_mind_rest(struct worker *worker, const struct state *state,
                       const struct happening *settled)
{
    struct judged judged = judge(worker, state, NULL, settled);
    note_applied(&judged);
    judged.intent = worker->population->intents.items;
    for (uint32_t i = 0; i < worker->population->intents.count; i++, judged.intent++)
        if (judged.intent->class->minds_rest && judged.intent->class->minds_rest(&judged))
            return true;
    return false;
}

bool intents_content_with(struct worker *worker, const struct state *state, uint32_t workload)
{
    struct judged judged = judge(worker, state, NULL, NULL);
    if (state->present[workload] == WORKLOAD_ABSENT)
        return true;
    for (uint32_t i = 0; i < worker->population->intents.count; i++, judged.intent++)
        if (!judged.intent->class->ignores_focus && intent_displeased_by(&judged, workload))
            return false;
    return true;
}

uint32_t intent_whose(struct worker *worker, const struct state *state, uint32_t number)
{
    struct judged judged = judge(worker, state, NULL, NULL);
    judged.intent += number;
    for (uint32_t w = 0; w < judged.population->managed_count; w++)
        if (state->present[w] != WORKLOAD_ABSENT && intent_displeased_by(&judged, w))
            return w;
    return UINT32_MAX;
}

uint32_t intent_parts(struct worker *worker, const struct state *state, uint32_t number,
                      struct arena *arena, struct expression_part *parts, uint32_t most)
{
    struct judged judged = judge(worker, state, NULL, NULL);
    judged.intent += number;
    return judged.intent->class->parts ? judged.intent->class->parts(&judged, arena, parts, most)
                                       : 0;
}
