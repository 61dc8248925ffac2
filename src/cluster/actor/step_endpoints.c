/* SPDX-License-Identifier: Apache-2.0 */
/* Proxies that stop sending requests to a pod that terminates. */
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

static void step_endpoints(struct expansion *expansion)
{
    struct population_worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    for (uint32_t n = 0; population->endpoints && n < state->node_count; n++) {
        const struct node_config *config = worker->catalog->configs.items[state->nodes[n].config];
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info info = worker->classes.items[config->pods[p].pod];
            const struct revision *revision = &population->revisions.items[info.revision];
            if (info.stage != STAGE_TERMINATING || info.level != ENDING_ENDPOINT ||
                !revision->served || revision->published)
                continue;
            struct population_state *next = state_copy(worker, state);
            state_move_node(worker, next, n,
                            config_replace(worker, state->nodes[n].config, config->pods[p].pod,
                                           class_at(population, info.revision, STAGE_TERMINATING,
                                                    ENDING_REMOVED)));
            expansion_emit(expansion, next,
                           &(struct happening){.action = ACT_ENDPOINT_REMOVED,
                                               .workload = revision->workload,
                                               .revision = info.revision,
                                               .node = n,
                                               .amount = 1});
        }
    }
}

static bool is_present(const struct population *population)
{
    return population->endpoints;
}

const struct actor actor_kube_proxy = {
    .name = "kube-proxy",
    .pace = PACE_FAST,
    .is_present = is_present,
    .step = step_endpoints,
    .reads = PART_PODS,
    .writes = PART_PODS,
};
