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
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

static void step_endpoints(struct expansion *expansion)
{
    const struct population *population = expansion->population;
    for (struct pod_walk pods = pods_on_nodes(expansion->worker, expansion->state);
         pods_next(&pods);) {
        const uint32_t number = pods.info->revision;
        const struct revision *revision = &population->revisions.items[number];
        if (pods.info->stage == STAGE_TERMINATING && pods.info->level == ENDING_ENDPOINT &&
            revision->served && !revision->published)
            expansion_emit_pod(
                expansion, pods.class,
                class_like(expansion->worker, pods.info, STAGE_TERMINATING, ENDING_REMOVED),
                happening_with(population, ACT_ENDPOINT_REMOVED, number, pods.entry, 1));
    }
}

const struct actor actor_kube_proxy = {
    .name = "kube-proxy",
    .step = step_endpoints,
    .reads = PART_PODS,
    .writes = PART_PODS,
};
