/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many nodes of different sizes can be filled with pods?
 *
 * As in cover_bound.h a node is full if the pods on it request at least its threshold of one
 * resource; here each node has thresholds of its own. Each resource gets a price. A node costs at
 * least the price of its cheapest threshold, and a pod pays for the resource that makes it worth
 * the most, because on one node it helps to fill it by any of them, and it is on one node only. The
 * pods that fill a node by a resource request the threshold of it together, so they pay at least
 * what the node costs. So no more nodes are full than all pods can pay for, the cheapest first. No
 * pod pays more than the dearest node costs.
 *
 * That holds for any prices. They are chosen such that all thresholds of one of the nodes cost the
 * same, of each node in turn, and the least number counts.
 */
#ifndef FATHOM_CLUSTER_ASK_PRICE_BOUND_H
#define FATHOM_CLUSTER_ASK_PRICE_BOUND_H

#include "cluster/ask/cover_bound.h"

/* Nodes with the same thresholds. */
struct priced_nodes {
    const int64_t *thresholds; /* by resource, more than 0; INT64_MAX: it does not matter */
    uint64_t count;
};

/* So many of the nodes at most are full at once. */
uint64_t price_bound(struct arena *scratch, const struct cover_pods *pods, uint32_t pod_count,
                     const struct priced_nodes *nodes, uint32_t node_count,
                     uint32_t resource_count);

#endif
