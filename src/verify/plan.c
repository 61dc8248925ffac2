/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/plan.h"
#include "cluster/intent/registry.h"

#include "cluster/intent_class.h"

static bool has_kind(const struct objects *objects, enum object_kind kind)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == kind)
            return true;
    return false;
}

/* The intents that everybody has. */
static void add_usual_intents(struct arena *arena, struct verify_plan *plan)
{
    struct input_unit *unit = plan->unit;
    enum intent_kind kind;
    for (uint32_t place = 1; (kind = intent_kind_usual(place)) != INTENT_KIND_COUNT; place++) {
        struct check_intent intent = {.kind = kind};
        const enum object_kind with = intent_class_of(&intent)->usual_with;
        if ((with == OBJECT_OTHER || has_kind(&unit->objects, with)) &&
            intent_parse_option(arena, intent_kind_name(kind), &intent, &unit->problems))
            VEC_PUSH(arena, &plan->intents, intent);
    }
    VEC_PUSH(arena, &plan->assumptions, "no intents are given: the usual ones apply");
}

static bool has_event(const struct check *check, enum event_fact fact)
{
    for (uint32_t e = 0; check && e < check->event_count; e++)
        if (event_kind_has(check->events[e].kind, fact))
            return true;
    return false;
}

/* What is to be said because no event can come that the intent is about; NULL: nothing, or
 * an intent before it said so. */
static const char *idle_note(const struct verify_plan *plan, uint32_t number)
{
    const struct intent_class *class = intent_class_of(&plan->intents.items[number]);
    if (!class->idle_note || has_event(plan->check, class->idle_without))
        return NULL;
    for (uint32_t i = 0; i < number; i++)
        if (plan->intents.items[i].kind == plan->intents.items[number].kind)
            return NULL;
    return class->idle_note;
}

static void choose_intents(struct arena *arena, const struct scope_options *options,
                           struct verify_plan *plan)
{
    const struct check *check = plan->check;
    for (uint32_t i = 0; i < options->intent_count; i++)
        VEC_PUSH(arena, &plan->intents, options->intents[i]);
    for (uint32_t i = 0; check && !options->intent_count && i < check->intent_count; i++)
        VEC_PUSH(arena, &plan->intents, check->intents[i]);
    if (!plan->intents.count)
        add_usual_intents(arena, plan);
}

bool verify_plan_make(struct arena *arena, struct input_unit *unit,
                      const struct scope_options *options, struct verify_plan *plan)
{
    *plan =
        (struct verify_plan){.unit = unit, .check = unit->object ? unit->object->as.check : NULL};
    if (!scope_build(arena, &unit->objects, plan->check, options, &plan->scope, &unit->problems) ||
        !scope_check_sizes(arena, &plan->scope, unit->file, &unit->problems))
        return false;
    for (uint32_t i = 0; i < plan->scope.assumptions.count; i++)
        VEC_PUSH(arena, &plan->assumptions, plan->scope.assumptions.items[i]);
    choose_intents(arena, options, plan);
    for (uint32_t i = 0; i < plan->intents.count; i++) {
        const char *note = idle_note(plan, i);
        if (note)
            VEC_PUSH(arena, &plan->assumptions, note);
    }
    return population_supports(&plan->scope, plan->intents.items, plan->intents.count,
                               &unit->problems);
}

bool verify_plans_make(struct arena *arena, struct input *input,
                       const struct scope_options *options, struct verify_plan *plans)
{
    bool good = true;
    for (uint32_t i = 0; i < input->units.count; i++)
        if (input->units.items[i].problems.errors > 0)
            good = false;
        else
            good = verify_plan_make(arena, &input->units.items[i], options, &plans[i]) && good;
    return good;
}
