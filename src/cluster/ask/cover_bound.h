/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many nodes can be filled with pods?
 *
 * A node is full for a pod if the others on it request at least a certain amount, its threshold, of
 * one resource. How many nodes a set of pods can fill at most is a problem of covering bins, with
 * several resources, and hard. Here is a bound from above.
 *
 * Each pod gets a weight for each resource, such that the pods that fill a node have a total weight
 * of at least 1. Then no more nodes are full than the weights of all pods together. Two kinds of
 * weights have this property, for a threshold t and a size s below it:
 *
 *   by amount  s / t.
 *   by number  Choose a size L < t. A pod that is larger than L has weight 1. Of those that are
 * not, k = ceil(t / L) are needed at least. Let d = t - (k - 1) L, which is at most L. A pod of at
 * least d has the weight 1 / k, and a smaller one s / (k d). Proof: if a < k pods of at least d are
 * on the node, the smaller ones have at least t - a L >= d + (k - 1 - a) d = (k - a) d together,
 * that is a weight of (k - a) / k.
 *
 * A pod that counts for several resources counts with its greatest weight.
 */
#ifndef FATHOM_CLUSTER_ASK_COVER_BOUND_H
#define FATHOM_CLUSTER_ASK_COVER_BOUND_H

#include "base/arena.h"

#include <stdint.h>

/* Pods that request the same. */
struct cover_pods {
    const int64_t *sizes; /* by resource */
    uint64_t count;
};

/* So many nodes at most are full at once if each needs at least the threshold of one resource
 * (by resource; INT64_MAX: it does not matter). */
uint64_t cover_bound(struct arena *scratch, const struct cover_pods *pods, uint32_t pod_count,
                     const int64_t *thresholds, uint32_t resource_count);

#endif
