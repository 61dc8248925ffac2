/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/class_facts.h"
#include "decide/autoscaler/node_removal.h"

/* False if the node does not say how much it has. */
static bool share_of(const struct cluster_autoscaler *autoscaler, const struct listed_node *node,
                     const char *resource, double *share)
{
    const struct autoscaler_options *options = &autoscaler->options;
    const struct simulated_node *simulated = autoscaler->simulation->nodes[node->position];
    const struct quantity *allocatable =
        resource_list_find(&node->node->status.allocatable, resource);
    int64_t left = allocatable ? quantity_milli_value(*allocatable) : 0;
    int64_t used = 0;
    if (left == 0)
        return false;
    for (uint32_t i = 0; i < simulated->pod_count; i++) {
        const struct autoscaler_pod *pod = simulated->pods[i];
        if ((pod->daemon && options->ignore_daemon_utilization) ||
            (pod->mirror && options->ignore_mirror_utilization))
            left -= autoscaler_pod_milli(pod, resource);
        else if (!autoscaler_pod_is_overdue(pod, autoscaler->now))
            used += autoscaler_pod_milli(pod, resource);
    }
    *share = (double)used / (double)left;
    return true;
}

/* Where something is not known, the node counts as idle. Of a node with GPUs only they count. */
static double utilization_of_one(const struct cluster_autoscaler *autoscaler,
                                 const struct listed_node *node)
{
    double cpu;
    double memory;
    double gpu;
    if (node->has_gpu)
        return share_of(autoscaler, node, "nvidia.com/gpu", &gpu) ? gpu : 0;
    if (!share_of(autoscaler, node, "cpu", &cpu) || !share_of(autoscaler, node, "memory", &memory))
        return 0;
    return cpu > memory ? cpu : memory;
}

double utilization_of(const struct cluster_autoscaler *autoscaler, const struct listed_node *node)
{
    struct class_facts *facts =
        class_facts_now(autoscaler, autoscaler->simulation->nodes[node->position]);
    if (!facts)
        return utilization_of_one(autoscaler, node);
    if (!facts->has_utilization)
        facts->utilization = utilization_of_one(autoscaler, node);
    facts->has_utilization = true;
    return facts->utilization;
}
