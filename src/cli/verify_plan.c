/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify_plan.h"

static bool has_kind(const struct objects *objects, enum object_kind kind)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == kind)
            return true;
    return false;
}

/* The intents that everybody has, as far as the model can judge them. */
static void add_usual_intents(struct session *session, struct verify_plan *plan)
{
    static const enum intent_kind usual[] = {
        INTENT_PODS_SCHEDULABLE, INTENT_NO_EVICTION_LOOP,  INTENT_NO_REPLICA_OSCILLATION,
        INTENT_CONVERGES,        INTENT_ROLLOUT_COMPLETES, INTENT_DRAIN_COMPLETES,
    };
    struct verify_unit *unit = plan->unit;
    const char *left_out = NULL;
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
        const char *name = intent_kind_name(usual[i]);
        struct check_intent intent = {0};
        if (usual[i] == INTENT_DRAIN_COMPLETES &&
            !has_kind(&unit->objects, OBJECT_POD_DISRUPTION_BUDGET))
            continue;
        if (!population_knows_intent(usual[i]))
            left_out = left_out ? arena_printf(&session->arena, "%s, %s", left_out, name) : name;
        else if (intent_parse_option(&session->arena, name, &intent, &unit->problems))
            VEC_PUSH(&session->arena, &plan->intents, intent);
    }
    if (left_out)
        problem_warning(&unit->problems, (struct place){.file = unit->file}, NULL,
                        "verify does not model the usual intent %s yet; it is left out", left_out);
    VEC_PUSH(&session->arena, &plan->assumptions, "no intents are given: the usual ones apply");
}

/* Where nothing is ever drained, every drain completes; that should be said. */
static void note_missing_drains(struct session *session, struct verify_plan *plan)
{
    const struct check *check = plan->unit->check;
    for (uint32_t e = 0; check && e < check->event_count; e++)
        if (population_event_drains(check->events[e].kind))
            return;
    for (uint32_t i = 0; i < plan->intents.count; i++)
        if (plan->intents.items[i].kind == INTENT_DRAIN_COMPLETES) {
            VEC_PUSH(&session->arena, &plan->assumptions,
                     "there is no maintenance event: nothing is drained, and drainCompletes holds "
                     "for that reason alone");
            return;
        }
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
    note_missing_drains(session, plan);
    return population_supports(&plan->scope, plan->intents.items, plan->intents.count,
                               &unit->problems);
}
