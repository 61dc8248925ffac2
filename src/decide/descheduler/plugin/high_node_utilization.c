/* SPDX-License-Identifier: Apache-2.0 */
/* HighNodeUtilization: empties nodes below a threshold into the others, until
 * these have no room left in some resource. */
#include "decide/descheduler/node_utilization.h"

static void classify(struct utilization *utilization)
{
    struct cycle *cycle = utilization->cycle;
    for (uint32_t i = 0; i < utilization->nodes.count; i++) {
        const struct utilized_node *node = &utilization->nodes.items[i];
        if (utilization_is_low(utilization, node))
            VEC_PUSH(cycle->arena, &utilization->sources, i);
        else if (!cycle->cluster->nodes[node->node].node->spec.unschedulable)
            VEC_PUSH(cycle->arena, &utilization->destinations, i);
    }
}

static void run(struct cycle *cycle)
{
    const struct node_utilization_arguments *arguments = &cycle->profile->high_utilization;
    struct utilization utilization;
    utilization_init(&utilization, cycle, &arguments->thresholds, NULL, 100);
    utilization.exclude_namespaces = &arguments->exclude_namespaces;
    utilization_measure(&utilization, false);
    classify(&utilization);
    if (!utilization_calls_for_moves(&utilization, utilization.sources.items,
                                     utilization.sources.count, arguments->number_of_nodes))
        return;
    if (utilization.destinations.count == 0)
        cycle_tell(cycle, "no node is left to take the pods");
    else
        utilization_move(&utilization, false);
}

const struct descheduler_plugin_type plugin_high_node_utilization = {
    .mirrors = "pkg/framework/plugins/nodeutilization/highnodeutilization.go @ v0.27.1",
    .field = "containers[0].resources.requests",
    .reads = kind_readers_none,
    .run = run,
};
