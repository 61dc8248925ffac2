/* SPDX-License-Identifier: Apache-2.0 */
/* noReplicaOscillation: no run changes the desired replicas for ever. */
#include "cluster/ask/autoscaler_input.h"
#include "cluster/intent/intents.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"

/* Does the step change the desired replicas? No loop has outside events, so controllers do. */
static bool mark(const struct judged *judged)
{
    for (uint32_t w = 0; w < judged->population->managed_count; w++)
        if (intent_concerns(judged->intent, w) &&
            judged->state->replicas[w] != judged->next->replicas[w])
            return true;
    return false;
}

bool intent_replicas_may_change(const struct judged *judged)
{
    const struct population *population = judged->population;
    for (uint32_t a = 0; !judged->happening && a < population->autoscalers.count; a++)
        if (intent_concerns(judged->intent, population->autoscalers.items[a].workload))
            return true;
    return judged->next && judged->happening && !action_has(judged->happening->action, IS_EVENT) &&
           mark(judged);
}

const struct intent_class intent_no_replica_oscillation = {
    .violated_by = VIOLATED_BY_LOOP,
    .mark = mark,
    .applies = intent_replicas_may_change,
    .never_applied = "no controller changes the desired replicas",
    .ignores = IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER |
               IGNORES_OTHER_WORKLOADS | IGNORES_PLACES | IGNORES_ENDS,
    .usual = 3,
};
