/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many of the modelled pods can be on one node.
 *
 * In the pool (state/pool.h) it is not known which node has which pods. But no node has more of
 * them than fit there at once: a pod is bound only where it fits beside those that are there.
 */
#ifndef FATHOM_CLUSTER_ASK_PODS_ON_NODE_H
#define FATHOM_CLUSTER_ASK_PODS_ON_NODE_H

#include "cluster/forward.h"

#include <stdint.h>

/* At most so many pods of workloads can be on a node of the config; UINT32_MAX: nobody knows, or
 * there is room for as many as the workloads want. */
uint32_t pods_on_node(const struct worker *worker, uint32_t config);

#endif
