/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preemption since 1.33: the scheduler nominates a pod and goes on with the next one, while
 * requests on their own delete the victims that it has chosen, one by one. Until its request is
 * answered a victim is a pod like all others: it counts for its owner and for budgets, and anybody
 * else may delete it first. The victims go whatever becomes of the pod that they were chosen for.
 */
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

static void step_preemption(struct expansion *expansion)
{
    const struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = config_at(worker, state->nodes[n].config);
        for (uint32_t p = 0; p < config->pod_entry_count; p++)
            if (class_is_chosen(expansion->population, class_info(worker, config->pods[p].pod)))
                expansion_emit_eviction(expansion, ACT_DELETE_VICTIM, n, config->pods[p].pod);
    }
}

const struct actor actor_preemption = {
    .name = "preemption",
    .prompt = true,
    .step = step_preemption,
    .minds_ends = never_minds,
    .writes = PART_PODS | PART_NOTES,
};
