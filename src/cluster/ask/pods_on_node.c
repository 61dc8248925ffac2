/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each pod requests at least as much as the one that requests the least of a resource, so that so
 * many of those are the most. That depends on few numbers only, and models of pods that request
 * different amounts can be the same (reduce/requests.h).
 *
 * Extended resources are left out: a scheduler may be told to ignore them.
 */
#include "cluster/ask/pods_on_node.h"
#include "cluster/ask/room_held.h"
#include "cluster/state/population_model.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/plugin.h"

/* So many pods the workloads want. Where a node has room for all of them, there is little to
 * know. */
static uint64_t wanted(const struct population *population)
{
    uint64_t most = 0;
    for (uint32_t w = 0; w < population->scope->workload_count; w++)
        most += (uint64_t)population_replicas_most(population, w);
    return most;
}

/* Does the scheduler of the pods ask whether they fit? */
static bool fit_is_asked(const struct population *population, const struct revision *revision)
{
    const struct profile *profile =
        profiles_find(&population->profiles, revision->pod->spec.scheduler_name);
    if (!profile)
        return true; /* such a pod is never bound */
    for (uint32_t f = 0; f < profile->filter_count; f++)
        if (profile->filters[f] == &plugin_node_resources_fit)
            return true;
    return false;
}

/* The least that a pod of a workload requests. */
static int64_t least_request(const struct worker *worker, uint32_t resource)
{
    const struct population *population = worker->population;
    int64_t least = INT64_MAX;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (revision->workload >= population->managed_count)
            continue;
        const int64_t request = fit_is_asked(population, revision)
                                    ? room_request(worker, revision->pending_class, resource)
                                    : 0;
        least = request < least ? request : least;
    }
    return least;
}

uint32_t pods_on_node(const struct worker *worker, uint32_t config)
{
    static const enum room_resource resources[] = {ROOM_CPU, ROOM_MEMORY, ROOM_EPHEMERAL_STORAGE,
                                                   ROOM_PODS};
    int64_t most = INT64_MAX;
    /* Nodes of a dump may have more pods than fit. */
    if (worker->population->scope->start == START_OBSERVED)
        return UINT32_MAX;
    for (uint32_t i = 0; i < sizeof(resources) / sizeof(*resources); i++) {
        const int64_t least = least_request(worker, resources[i]);
        const int64_t count =
            least > 0 ? room_of_node(worker, config, resources[i]) / least : INT64_MAX;
        most = count < most ? count : most;
    }
    return (uint64_t)most >= wanted(worker->population) ? UINT32_MAX : (uint32_t)most;
}
