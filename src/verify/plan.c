/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/plan.h"
#include "cluster/intent/registry.h"

#include "base/budget.h"
#include "cluster/intent_class.h"

static bool has_kind(const struct objects *objects, enum object_kind kind)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == kind)
            return true;
    return false;
}

/* Adds the default intents. */
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
    plan->usual = true;
    VEC_PUSH(arena, &plan->assumptions, "no intents are given: the usual ones apply");
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

bool verify_plan_ask(struct arena *arena, struct input_unit *unit, const struct check *check,
                     const struct scope_options *options, struct verify_plan *plan)
{
    *plan = (struct verify_plan){.unit = unit, .check = check};
    if (!scope_build(arena, &unit->objects, plan->check, options, &plan->scope, &unit->problems) ||
        !scope_check_sizes(arena, &plan->scope, unit->file, &unit->problems))
        return false;
    for (uint32_t i = 0; i < plan->scope.assumptions.count; i++)
        VEC_PUSH(arena, &plan->assumptions, plan->scope.assumptions.items[i]);
    choose_intents(arena, options, plan);
    plan->in_vain = options->budget && budget_is_over(options->budget);
    return population_supports(&plan->scope, plan->intents.items, plan->intents.count,
                               &unit->problems);
}

bool verify_plan_make(struct arena *arena, struct input_unit *unit,
                      const struct scope_options *options, struct verify_plan *plan)
{
    return verify_plan_ask(arena, unit, unit->object ? unit->object->as.check : NULL, options,
                           plan);
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
