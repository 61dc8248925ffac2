/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins of the descheduler by name, and what several of them share. */
#ifndef FATHOM_DECIDE_DESCHEDULER_PLUGINS_H
#define FATHOM_DECIDE_DESCHEDULER_PLUGINS_H

#include "decide/descheduler/eviction_order.h"

/* NULL for plugins that do not run by themselves. */
const struct descheduler_plugin_type *descheduler_plugin_type(enum descheduler_plugin plugin);

/*
 * The plugins that go from node to node, list the pods that are to leave, and
 * evict them until the node's limit is reached.
 */
struct node_sweep {
    /* May this pod be evicted? The answer depends on the pod and its node alone. */
    bool (*concerns)(struct cycle *cycle, uint32_t pod);
    /* Is the pod to be evicted in the present state of the cluster? */
    bool (*ready)(struct cycle *cycle, uint32_t pod);
    const char *(*why)(struct cycle *cycle, uint32_t pod);
};

void sweep_nodes(struct cycle *cycle, const struct node_sweep *sweep);

#endif
