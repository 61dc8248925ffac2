/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/plan.h"

static bool has_kind(const struct objects *objects, enum object_kind kind)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == kind)
            return true;
    return false;
}

/* The intents that everybody has, as far as the model can judge them. */
static void add_usual_intents(struct arena *arena, struct verify_plan *plan)
{
    static const enum intent_kind usual[] = {
        INTENT_PODS_SCHEDULABLE, INTENT_NO_EVICTION_LOOP,  INTENT_NO_REPLICA_OSCILLATION,
        INTENT_CONVERGES,        INTENT_ROLLOUT_COMPLETES, INTENT_DRAIN_COMPLETES,
    };
    struct input_unit *unit = plan->unit;
    const char *left_out = NULL;
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
        const char *name = intent_kind_name(usual[i]);
        struct check_intent intent = {0};
        if (usual[i] == INTENT_DRAIN_COMPLETES &&
            !has_kind(&unit->objects, OBJECT_POD_DISRUPTION_BUDGET))
            continue;
        if (!population_knows_intent(usual[i]))
            left_out = left_out ? arena_printf(arena, "%s, %s", left_out, name) : name;
        else if (intent_parse_option(arena, name, &intent, &unit->problems))
            VEC_PUSH(arena, &plan->intents, intent);
    }
    if (left_out)
        problem_warning(&unit->problems, (struct place){.file = unit->file}, NULL,
                        "verify does not model the usual intent %s yet; it is left out", left_out);
    VEC_PUSH(arena, &plan->assumptions, "no intents are given: the usual ones apply");
}

/* Where nothing is ever drained, every drain completes; that should be said. */
static void note_missing_drains(struct arena *arena, struct verify_plan *plan)
{
    const struct check *check = plan->check;
    for (uint32_t e = 0; check && e < check->event_count; e++)
        if (check->events[e].kind == EVENT_MAINTENANCE)
            return;
    for (uint32_t i = 0; i < plan->intents.count; i++)
        if (plan->intents.items[i].kind == INTENT_DRAIN_COMPLETES) {
            VEC_PUSH(arena, &plan->assumptions,
                     "there is no maintenance event: nothing is drained, and drainCompletes holds "
                     "for that reason alone");
            return;
        }
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
    note_missing_drains(arena, plan);
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
