/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/descheduler_plugins.h"

/* All pods that may be evicted, node by node. */
struct candidates {
    uint32_t *pods;
    uint32_t count;
    uint32_t *first; /* of every node, and the end */
};

static void list_candidates(struct cycle *cycle, const struct node_sweep *sweep,
                            struct candidates *candidates)
{
    const struct cluster *cluster = cycle->cluster;
    candidates->pods = ARENA_ARRAY(cycle->arena, uint32_t, cluster->pod_count + 1);
    candidates->first = ARENA_ARRAY(cycle->arena, uint32_t, cluster->node_count + 1);
    for (uint32_t n = 0; n < cluster->node_count; n++) {
        const struct cluster_node *node = &cluster->nodes[n];
        candidates->first[n] = candidates->count;
        for (uint32_t i = 0; node->in_cycle && i < node->pod_count; i++) {
            const uint32_t pod = node->first_pod + i;
            if (cycle_pod_listed(cycle, pod) && sweep->concerns(cycle, pod) &&
                evictor_passes(cycle, pod))
                candidates->pods[candidates->count++] = pod;
        }
    }
    candidates->first[cluster->node_count] = candidates->count;
}

static void sweep_node(struct cycle *cycle, const struct node_sweep *sweep,
                       const struct candidates *candidates, uint32_t node, bool fixed)
{
    const uint32_t first = candidates->first[node];
    const uint32_t end = candidates->first[node + 1];
    struct eviction_order order;
    order_init(cycle, &order, end - first);
    order.fixed = fixed;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t pod = candidates->pods[i];
        if (sweep->ready(cycle, pod))
            order_add(&order, pod, 0);
        else
            cycle_tell(cycle, "%s stays: it fits no other node", cycle_pod_name(cycle, pod));
    }
    for (;;) {
        const uint32_t pod = order_take(cycle, &order, place_of(cycle, 1, 0));
        if (pod == VIEW_NONE)
            return;
        evictor_evict(cycle, pod, cycle->story ? sweep->why(cycle, pod) : NULL);
        if (evictor_node_limit_reached(cycle, node))
            return;
    }
}

void sweep_nodes(struct cycle *cycle, const struct node_sweep *sweep)
{
    struct candidates candidates = {0};
    list_candidates(cycle, sweep, &candidates);
    const struct stakes stakes = stakes_of(cycle, candidates.pods, candidates.count, sweep->ready);
    struct eviction_order nodes;
    order_init(cycle, &nodes, cycle->cluster->node_count);
    nodes.of_nodes = true;
    nodes.fixed = !stakes.across;
    for (uint32_t n = 0; n < cycle->cluster->node_count; n++)
        if (candidates.first[n + 1] > candidates.first[n])
            order_add(&nodes, n, 0);
    if (nodes.count == 0)
        cycle_tell(cycle, "no pod is concerned");
    for (;;) {
        const uint32_t node = order_take(cycle, &nodes, place_of(cycle, 2, 0));
        if (node == VIEW_NONE)
            break;
        cycle->cluster->nodes[node].mark = 1;
        sweep_node(cycle, sweep, &candidates, node, !stakes.within);
    }
    cycle_clear_marks(cycle);
}
