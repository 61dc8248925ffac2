/* SPDX-License-Identifier: Apache-2.0 */
/* Applying manifests when something has changed: GitOps controllers, and the user who
 * undoes an `apply` event. */
#include "cluster/actor_type.h"
#include "cluster/ask/effects.h"
#include "cluster/ask/endings.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

static void reapply(struct expansion *expansion, uint32_t number)
{
    struct state *next = state_copy(expansion->worker, expansion->state);
    struct happening happening = happening_of(ACT_REAPPLY);
    happening.workload =
        effects_apply(expansion->worker, &expansion->population->events.items[number], next,
                      expansion->state->event_used[number] == 0);
    /* How often a controller applies is not counted, only that it has applied once. */
    next->event_used[number] = 1;
    expansion_emit(expansion, next, happening);
}

/* Does the event have to wait for kubelets, because of a workload that it changes? */
static bool effects_lag(const struct expansion *expansion, const struct population_event *event)
{
    for (uint32_t i = 0; i < event->effects.count; i++)
        if (expansion->state->present[event->effects.items[i].workload] != WORKLOAD_ABSENT &&
            endings_lag(expansion->worker, expansion->state, event->effects.items[i].workload))
            return true;
    return false;
}

static void step_reapplies(struct expansion *expansion)
{
    for (uint32_t e = 0; e < expansion->population->events.count; e++) {
        const struct population_event *event = &expansion->population->events.items[e];
        if (event->event->repeats &&
            (!event->event->after_settled || expansion->settled ||
             expansion->state->settled_once) &&
            effects_differ(event, expansion->state, expansion->state->event_used[e] == 0) &&
            !effects_lag(expansion, event))
            reapply(expansion, e);
    }
}

/* The user takes the change back and applies the manifests that were there in the
 * beginning. */
static void roll_back(struct expansion *expansion, uint32_t number)
{
    const struct population *population = expansion->population;
    const struct population_event *event = &population->events.items[number];
    struct state *next = state_copy(expansion->worker, expansion->state);
    struct happening happening = happening_of(ACT_EVENT_ROLLBACK);
    for (uint32_t i = 0; i < event->effects.count; i++) {
        const struct apply_effect *effect = &event->effects.items[i];
        const struct workload *workload = &population->workloads.items[effect->workload];
        if (!effect->differs || !effect_holds(expansion->state, effect))
            continue;
        happening.workload = effect->workload;
        next->present[effect->workload] = workload->present;
        next->statuses[effect->workload].spec = 0;
        if (effect->changes_replicas)
            state_set_replicas(population, next, effect->workload, workload->replicas);
    }
    if (happening.workload != UINT32_MAX)
        expansion_emit(expansion, next, happening);
}

static void step_rollbacks(struct expansion *expansion)
{
    for (uint32_t e = 0; e < expansion->population->events.count; e++) {
        const struct population_event *event = &expansion->population->events.items[e];
        if (event->effects.count > 0 && event->event->recovers &&
            expansion->state->event_used[e] > 0)
            roll_back(expansion, e);
    }
}

const struct actor actor_rollback = {
    .name = "user who takes an apply back",
    .step = step_rollbacks,
    .lazy_with_clocks = true,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_EVENTS,
    .writes = PART_WORKLOADS | PART_STATUSES | PART_SETS,
};

const struct actor actor_gitops = {
    .name = "GitOps controller",
    .pace = PACE_WATCHING,
    .step = step_reapplies,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_EVENTS,
    .writes = PART_WORKLOADS | PART_STATUSES | PART_SETS | PART_EVENTS,
};
