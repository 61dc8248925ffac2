/* SPDX-License-Identifier: Apache-2.0 */
/* podsSchedulable: the scheduler finds a node for every pod that it tries; with the mode
 * `eventually`, no pod waits for ever. */
#include "cluster/ask/waits.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/workloads.h"

/* Does a pod wait for a node? It is the premise, too. */
static bool atom(const struct judged *judged)
{
    const struct state *state = judged->state;
    for (uint32_t r = 0; r < judged->population->revisions.count; r++) {
        const struct revision *revision = &judged->population->revisions.items[r];
        if (intent_concerns(judged->intent, revision->workload) &&
            !revision->node_name && /* no scheduler is asked */
            (state->pending[r] > 0 || state_waits_for_nodes(judged->worker, state, r)))
            return true;
    }
    return false;
}

static bool mark(const struct judged *judged)
{
    const struct happening *happening = judged->happening;
    return (happening->action == ACT_UNSCHEDULABLE || happening->action == ACT_GATED) &&
           intent_concerns(judged->intent, happening->workload);
}

#define NEVER_APPLIED "no pod ever waited for a node"

static bool none_waits(const struct judged *judged)
{
    return !atom(judged);
}

/* Only if no workload has a pod that waits, from some moment on, is there such a moment for all. */
static const struct intent_class eventually_beside_others = {
    .violated_by = VIOLATED_BY_LEAVING,
    .atom = none_waits,
    .applies = atom,
    .never_applied = NEVER_APPLIED,
    .ignores = IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_PLACES |
               IGNORES_ENDS | IGNORES_OTHER_NODES,
};

static const struct intent_class eventually = {
    .violated_by = VIOLATED_BY_STAYING,
    .beside_others = &eventually_beside_others,
    .atom = atom,
    .applies = atom,
    .never_applied = NEVER_APPLIED,
    .ignores = IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER,
};

/* Where states do not say it (waits.h), a pod in the pool may wait. */
static bool may_wait(const struct judged *judged)
{
    const struct population *population = judged->population;
    for (uint32_t r = 0; population->waits != WAITS_KEPT && r < population->revisions.count; r++)
        if (population->revisions.items[r].workload < population->managed_count &&
            intent_concerns(judged->intent, population->revisions.items[r].workload) &&
            waits_count(judged->worker, judged->state, r) > 0)
            return true;
    return atom(judged);
}

static const struct intent_class *form(const struct check_intent *source)
{
    return source->mode == INTENT_MODE_EVENTUALLY ? &eventually : &intent_pods_schedulable;
}

const struct intent_class intent_pods_schedulable = {
    .form = form,
    .mark = mark,
    .applies = may_wait,
    .never_applied = NEVER_APPLIED,
    .ignores = IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER |
               IGNORES_OTHER_WORKLOADS | IGNORES_PLACES | IGNORES_ENDS | IGNORES_OTHER_NODES |
               IGNORES_WAITING | IGNORES_LOSSES,
    .usual = 1,
};
