/* SPDX-License-Identifier: Apache-2.0 */
/* noReplicaOscillation: no run changes the desired replicas for ever. */
#include "cluster/intent_class.h"
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

const struct intent_class intent_no_replica_oscillation = {
    .violated_by = VIOLATED_BY_LOOP,
    .mark = mark,
    .ignores = IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER |
               IGNORES_OTHER_WORKLOADS | IGNORES_PLACES,
    .usual = 3,
};
