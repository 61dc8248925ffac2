/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that wait, where nobody sees them (reduce/waits.h): what states say of them. */
#ifndef FATHOM_CLUSTER_STATE_WAITS_H
#define FATHOM_CLUSTER_STATE_WAITS_H

enum waits {
    /* Which pods wait for a node, and which are not made yet. */
    WAITS_KEPT,
    /* Neither: such a pod is one in the pool that has not started. */
    WAITS_FORGOTTEN,
    /* Nor which pods are on nodes that are down for good, and will be evicted there. */
    WAITS_AND_LOSSES_FORGOTTEN,
};

#endif
