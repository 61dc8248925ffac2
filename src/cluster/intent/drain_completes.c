/* SPDX-License-Identifier: Apache-2.0 */
/* drainCompletes: no node is being drained for ever. */
#include "cluster/intent_class.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/state.h"

/* Is a node being drained? It is the premise, too. */
static bool atom(const struct judged *judged)
{
    const struct state *state = judged->state;
    for (uint32_t n = 0; n < state->node_count; n++)
        if (config_condition(judged->worker, state->nodes[n].config) == NODE_CORDONED)
            return true;
    return false;
}

const struct intent_class intent_drain_completes = {
    .violated_by = VIOLATED_BY_STAYING,
    .atom = atom,
    .applies = atom,
    .never_applied = "no node was ever drained",
    .ignores = IGNORES_CREATION_ORDER,
    .blames = BLAMES_BUDGETS,
    .usual = 6,
    .usual_with = OBJECT_POD_DISRUPTION_BUDGET,
};
