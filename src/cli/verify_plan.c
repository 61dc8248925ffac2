/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify_plan.h"

#include "cluster/intent/intent.h"

static bool has_kind(const struct objects *objects, enum object_kind kind)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == kind)
            return true;
    return false;
}

/* The intents that everybody has. */
static void add_usual_intents(struct session *session, struct verify_plan *plan)
{
    struct verify_unit *unit = plan->unit;
    const struct intent_class *class = NULL;
    for (uint32_t place = 1; (class = intent_class_usual(place)) != NULL; place++) {
        struct check_intent intent = {0};
        if ((class->usual_with == OBJECT_OTHER || has_kind(&unit->objects, class->usual_with)) &&
            intent_parse_option(&session->arena, intent_kind_name(class->kind), &intent,
                                &unit->problems))
            VEC_PUSH(&session->arena, &plan->intents, intent);
    }
    VEC_PUSH(&session->arena, &plan->assumptions, "no intents are given: the usual ones apply");
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
    if (!class || !class->idle_note || has_event(plan->unit->check, class->idle_without))
        return NULL;
    for (uint32_t i = 0; i < number; i++)
        if (plan->intents.items[i].kind == class->kind)
            return NULL;
    return class->idle_note;
}

bool verify_plan_make(struct session *session, const struct verify_settings *settings,
                      struct verify_plan *plan)
{
    struct verify_unit *unit = plan->unit;
    const struct check *check = unit->check;
    if (!scope_build(&session->arena, &unit->objects, check, &settings->scope, &plan->scope,
                     &unit->problems) ||
        !scope_check_sizes(&session->arena, &plan->scope, unit->file, &unit->problems))
        return false;
    for (uint32_t i = 0; i < plan->scope.assumptions.count; i++)
        VEC_PUSH(&session->arena, &plan->assumptions, plan->scope.assumptions.items[i]);
    for (uint32_t i = 0; i < settings->intents.count; i++)
        VEC_PUSH(&session->arena, &plan->intents, settings->intents.items[i]);
    for (uint32_t i = 0; check && !settings->intents.count && i < check->intent_count; i++)
        VEC_PUSH(&session->arena, &plan->intents, check->intents[i]);
    if (!plan->intents.count)
        add_usual_intents(session, plan);
    for (uint32_t i = 0; i < plan->intents.count; i++) {
        const char *note = idle_note(plan, i);
        if (note)
            VEC_PUSH(&session->arena, &plan->assumptions, note);
    }
    return population_supports(&plan->scope, plan->intents.items, plan->intents.count,
                               &unit->problems);
}
