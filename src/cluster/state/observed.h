/* SPDX-License-Identifier: Apache-2.0 */
/* A start from the present state: the nodes and pods that are there. */
#ifndef FATHOM_CLUSTER_STATE_OBSERVED_H
#define FATHOM_CLUSTER_STATE_OBSERVED_H

#include "base/vec.h"
#include "cluster/forward.h"
#include "setup/setup.h"

/* A node of the start, by name, with the pods on it: names and classes. */
struct observed_name {
    const char *name;
    uint32_t number; /* class of a pod on a node, revision of one that waits */
};

struct observed_node {
    const char *name;
    uint32_t group;
    uint32_t config;
    VEC(struct observed_name) pods;
};

#endif
