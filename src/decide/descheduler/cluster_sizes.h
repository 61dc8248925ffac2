/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of nodes in a descheduling cycle, and for which other numbers of nodes the cycle would do
 * the same (decide/node_reads.h).
 *
 * Of pristine nodes, which have no pods, only so many are unfolded as can make a difference: the
 * last of them stands for all others (cluster_node.stands_for). A cycle evicts nothing from such a
 * node and moves nothing to it, so what plugins ask is whether there is one, which one copy
 * answers, or how many there are, which is asked here.
 *
 * Without a catalog that notes reads, these are plain numbers and comparisons.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_CLUSTER_SIZES_H
#define FATHOM_DECIDE_DESCHEDULER_CLUSTER_SIZES_H

#include "decide/descheduler/descheduler_cluster.h"
#include "decide/node_reads.h"

/* How many copies of these nodes are unfolded, in a view of so many pods. */
uint32_t cluster_copies(const struct view *view, struct view_node nodes, uint32_t pod_count);

/* Adds all nodes that this one stands for. */
void cluster_count_node(const struct cluster *cluster, struct node_sum *sum, uint32_t node);

/* Is the sum greater? */
bool cluster_sum_exceeds(const struct cluster *cluster, const struct node_sum *sum, int64_t than);
/* Nothing changes as long as the sum is one of these. */
void cluster_sum_keep(const struct cluster *cluster, const struct node_sum *sum, int64_t least,
                      int64_t most);
/* Only this value counts. */
int64_t cluster_sum_exact(const struct cluster *cluster, const struct node_sum *sum);

#endif
