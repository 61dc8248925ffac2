/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pod garbage collector: pods that name a node which is not there are
 * deleted, and their owner makes others, for the same node. (It takes 40 s each
 * time. What else the collector does concerns finished pods, which are not in a
 * state.)
 */
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

static void step_orphans(struct expansion *expansion)
{
    const struct population *population = expansion->population;
    expansion->lazy = true;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        /* A pod that names a node waits only if that node is missing. */
        if (!revision->node_name || expansion->state->pending[r] == 0 ||
            revision->workload >= population->managed_count)
            continue;
        struct state *next = state_copy(expansion->worker, expansion->state);
        const uint32_t deleted = population->counts_waiting ? 1 : next->pending[r];
        next->pending[r] -= deleted;
        expansion_emit(expansion, next,
                       happening_with(population, ACT_POD_GARBAGE, r, UINT32_MAX, deleted));
    }
    expansion->lazy = false;
}

const struct actor actor_pod_garbage_collector = {
    .name = "pod garbage collector",
    .step = step_orphans,
    .reads = PART_WAITING,
    .writes = PART_WAITING,
};
