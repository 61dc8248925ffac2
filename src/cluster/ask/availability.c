/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods are available: ready for the minReadySeconds of their workload. */
#include "cluster/ask/availability.h"
#include "cluster/state/clock.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/kubelet.h"

bool clock_starts_pod(const struct population *population, const struct class_info *info)
{
    return population->clock && info->slot != SLOT_NONE &&
           population->clock->pods[info->revision].ready_latest > 0;
}

bool clock_pod_is_available(const struct population *population, const struct state *state,
                            const struct class_info *info)
{
    if (!population->clock || info->slot == SLOT_NONE)
        return true;
    const struct pod_times *times = &population->clock->pods[info->revision];
    return times->min_ready == 0 ||
           (info->slot >= SLOT_FIRST &&
            state->clocks.cohorts[info->slot - SLOT_FIRST].since > 2 * times->min_ready);
}

uint32_t clock_available_pods(struct worker *worker, const struct state *state, uint32_t revision)
{
    uint32_t total = 0;
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);)
        if (pods.info->revision == revision &&
            pod_is_ready_on(worker, pods.info, pods.config->id) &&
            clock_pod_is_available(worker->population, state, pods.info))
            total += pods.count * pods.nodes;
    return total;
}

void pod_ready_window(const struct pod_spec *spec, int64_t *earliest, int64_t *latest)
{
    *earliest = 0;
    *latest = 0;
    for (uint32_t c = 0; c < spec->container_count; c++) {
        int64_t first;
        int64_t last;
        kubelet_ready_window(spec->containers[c].startup_probe, spec->containers[c].readiness_probe,
                             &first, &last);
        *earliest = first > *earliest ? first : *earliest;
        *latest = last > *latest ? last : *latest;
    }
}

bool clock_delays_readiness(const struct population *population)
{
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        int64_t earliest;
        int64_t latest;
        pod_ready_window(&population->revisions.items[r].pod->spec, &earliest, &latest);
        if (latest > 0 && !population->revisions.items[r].never_ready)
            return true;
    }
    return false;
}
