/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/cluster_sizes.h"

/* A plugin that balances domains gives each of its pods to a node without pods, at the most
 * (spread_balance.c). With one node more than that, further ones change nothing but sums. */
enum { COPIES_MORE = 2 };

static bool notes(const struct cluster *cluster)
{
    return cluster->catalog && cluster->catalog->node_reads;
}

uint32_t cluster_copies(const struct view *view, struct view_node nodes, uint32_t pod_count)
{
    const struct node_reads *reads = view->catalog->node_reads;
    if (!reads || node_reads_group(reads, nodes.config) == 0)
        return nodes.count;
    if (view->catalog->configs.items[nodes.config]->pod_count > 0)
        return node_count_exact(view->catalog, nodes);
    return nodes.count < pod_count + COPIES_MORE ? nodes.count : pod_count + COPIES_MORE;
}

void cluster_count_node(const struct cluster *cluster, struct node_sum *sum, uint32_t number)
{
    const struct cluster_node *node = &cluster->nodes[number];
    sum->value += node->stands_for;
    if (notes(cluster) && node->last_alike)
        node_sum_note(cluster->catalog, sum, node->kind);
}

bool cluster_sum_exceeds(const struct cluster *cluster, const struct node_sum *sum, int64_t than)
{
    return notes(cluster) ? node_sum_exceeds(cluster->catalog, sum, than) : sum->value > than;
}

void cluster_sum_keep(const struct cluster *cluster, const struct node_sum *sum, int64_t least,
                      int64_t most)
{
    if (notes(cluster))
        node_sum_keep(cluster->catalog, sum, least, most);
}

int64_t cluster_sum_exact(const struct cluster *cluster, const struct node_sum *sum)
{
    return notes(cluster) ? node_sum_exact(cluster->catalog, sum) : sum->value;
}
