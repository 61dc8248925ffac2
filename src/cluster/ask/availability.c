/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods are available: ready for the minReadySeconds of their workload. */
#include "cluster/ask/availability.h"
#include "cluster/state/clock.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

bool clock_starts_pod(const struct population *population, const struct class_info *info)
{
    return population->clock && info->slot != SLOT_NONE &&
           population->clock->pods[info->revision].ready_latest > 0;
}

bool clock_pod_is_available(const struct population *population,
                            const struct population_state *state, const struct class_info *info)
{
    if (!population->clock || info->slot == SLOT_NONE)
        return true;
    const struct pod_times *times = &population->clock->pods[info->revision];
    return times->min_ready == 0 ||
           (info->slot >= SLOT_FIRST &&
            state->clocks.cohorts[info->slot - SLOT_FIRST].since > 2 * times->min_ready);
}

uint32_t clock_available_pods(const struct population *population,
                              const struct population_state *state, uint32_t revision)
{
    uint32_t total = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info *info = &population->classes.items[config->pods[p].pod];
            if (info->revision == revision &&
                pod_is_ready_on(population, info, state->nodes[n].config) &&
                clock_pod_is_available(population, state, info))
                total += config->pods[p].count * state->nodes[n].count;
        }
    }
    return total;
}
