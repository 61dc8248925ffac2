/* SPDX-License-Identifier: Apache-2.0 */
/* After NodeFit in pkg/descheduler/node/node.go @ v0.27.1: fewer conditions
 * than the scheduler's. Affinity between pods, spreading, ports and volumes do
 * not count. */
#include "decide/descheduler/descheduler_cycle.h"

bool fit_labels(const struct pod *pod, const struct node *node)
{
    const struct labels *labels = &node->meta.labels;
    if (!labels_include(labels, &pod->spec.node_selector))
        return false;
    const struct affinity *affinity = pod->spec.affinity;
    if (!affinity || !affinity->node_affinity || !affinity->node_affinity->required)
        return true;
    return node_selector_matches(affinity->node_affinity->required, labels, node->meta.name);
}

bool fit_taints(const struct pod *pod, const struct node *node)
{
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        const struct taint *taint = &node->spec.taints[i];
        if (taint->effect != TAINT_PREFER_NO_SCHEDULE &&
            !tolerations_find(pod->spec.tolerations, pod->spec.toleration_count, taint))
            return false;
    }
    return true;
}

bool fit_node_but_for_room(const struct cycle *cycle, uint32_t pod, uint32_t number)
{
    const struct cluster *cluster = cycle->cluster;
    const struct cluster_node *node = &cluster->nodes[number];
    const uint32_t kind = cluster->pods[pod].kind;
    uint8_t *known = &cluster->fits[(size_t)kind * cluster->template_count + node->template];
    if (*known == 0) {
        const struct pod *object = cluster->kinds.items[kind].pod;
        *known = fit_labels(object, node->node) && fit_taints(object, node->node) &&
                         !node->node->spec.unschedulable
                     ? 2
                     : 1;
    }
    return *known == 2;
}

/* Requests of nothing fit everywhere; of what the node does not offer, nowhere. */
static bool has_room(const struct pod_kind *kind, const struct cluster_node *node)
{
    if (node->allocatable_pods - (int64_t)node->active_pods <= 0)
        return false;
    for (uint32_t i = 0; i < kind->request_count; i++) {
        const struct kind_request *request = &kind->requests[i];
        const bool basic = request->resource < RESOURCE_FIRST_OTHER;
        const int64_t room =
            basic || node->has_allocatable[request->resource]
                ? node->allocatable[request->resource] - node->usage[request->resource]
                : 0;
        if (request->amount > room)
            return false;
    }
    return true;
}

bool fit_node(const struct cycle *cycle, uint32_t pod, uint32_t node)
{
    return fit_node_but_for_room(cycle, pod, node) &&
           (cycle->cluster->pods[pod].node == node ||
            has_room(cluster_kind(cycle->cluster, pod), &cycle->cluster->nodes[node]));
}
