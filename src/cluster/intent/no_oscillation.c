/* SPDX-License-Identifier: Apache-2.0 */
/* noOscillation: once the outside events are over, every run comes to rest. */
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"

/* Does the step do anything? With clocks, time and load go on for ever. */
static bool mark(const struct judged *judged)
{
    const enum population_action action = judged->happening->action;
    return !action_has(action, IS_IDLE) &&
           !(judged->population->clock && action_has(action, IS_QUIET | IS_PATTERN));
}

const struct intent_class intent_no_oscillation = {
    .violated_by = VIOLATED_BY_LOOP,
    .mark = mark,
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS | IGNORES_PLACES,
};
