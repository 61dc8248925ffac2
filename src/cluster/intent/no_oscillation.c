/* SPDX-License-Identifier: Apache-2.0 */
/* noOscillation: once the outside events are over, every run comes to rest; if it is limited to a
 * workload, nothing happens to that any more. */
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/workloads.h"

/* Does the step happen to the workload: is it about it, does it take away its pods, or does it
 * change what it is to be? */
static bool happens_to(const struct judged *judged, uint32_t workload)
{
    const uint32_t victim = judged->population->workloads.items[workload].victim_bit;
    return judged->happening->workload == workload || (judged->happening->victims >> victim & 1) ||
           judged->state->replicas[workload] != judged->next->replicas[workload] ||
           judged->state->present[workload] != judged->next->present[workload];
}

/* Does the step do anything? With clocks, time and load go on for ever. */
static bool mark(const struct judged *judged)
{
    const enum population_action action = judged->happening->action;
    return !action_has(action, IS_IDLE) &&
           !(judged->population->clock && action_has(action, IS_QUIET | IS_PATTERN)) &&
           (judged->intent->workload == UINT32_MAX || happens_to(judged, judged->intent->workload));
}

/* Does anything happen, or is there a pod to which something could? */
static bool applies(const struct judged *judged)
{
    for (uint32_t w = 0; !judged->happening && w < judged->population->workloads.count; w++)
        if (intent_concerns(judged->intent, w) &&
            state_workload_active(judged->worker, judged->state, w) > 0)
            return true;
    return judged->happening && judged->next && mark(judged);
}

const struct intent_class intent_no_oscillation = {
    .violated_by = VIOLATED_BY_LOOP,
    .mark = mark,
    .applies = applies,
    .never_applied = "there never was a pod, and nothing ever happened",
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS |
               IGNORES_PLACES | IGNORES_ENDS | IGNORES_OTHER_NODES | IGNORES_WAITING |
               IGNORES_LOSSES,
};
