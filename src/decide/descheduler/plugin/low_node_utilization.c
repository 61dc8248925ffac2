/* SPDX-License-Identifier: Apache-2.0 */
/* LowNodeUtilization: from nodes above a target to nodes below a threshold. */
#include "decide/descheduler/node_utilization.h"

static void classify(struct utilization *utilization)
{
    struct cycle *cycle = utilization->cycle;
    for (uint32_t i = 0; i < utilization->nodes.count; i++) {
        const struct utilized_node *node = &utilization->nodes.items[i];
        const bool cordoned = cycle->cluster->nodes[node->node].node->spec.unschedulable;
        if (!cordoned && utilization_is_low(utilization, node))
            VEC_PUSH(cycle->arena, &utilization->destinations, i);
        else if (utilization_is_above(utilization, node))
            VEC_PUSH(cycle->arena, &utilization->sources, i);
    }
}

static void run(struct cycle *cycle)
{
    const struct node_utilization_arguments *arguments = &cycle->profile->low_utilization;
    const bool deviation = arguments->use_deviation_thresholds;
    struct utilization utilization;
    utilization_init(&utilization, cycle, &arguments->thresholds, &arguments->target_thresholds,
                     deviation ? 0 : 100);
    utilization.exclude_namespaces = &arguments->exclude_namespaces;
    utilization.down_to_target = true;
    utilization_measure(&utilization, deviation);
    classify(&utilization);
    if (!utilization_calls_for_moves(&utilization, utilization.destinations.items,
                                     utilization.destinations.count, arguments->number_of_nodes))
        return;
    if (utilization.sources.count == 0)
        cycle_tell(cycle, "no node is above its target");
    else
        utilization_move(&utilization, true);
}

const struct descheduler_plugin_type plugin_low_node_utilization = {
    .mirrors = "pkg/framework/plugins/nodeutilization/lownodeutilization.go @ v0.27.1",
    .field = "containers[0].resources.requests",
    .reads = kind_readers_none,
    .run = run,
};
