/* SPDX-License-Identifier: Apache-2.0 */
/* Every plugin of the descheduler, and what several of them share. */
#ifndef FATHOM_DECIDE_DESCHEDULER_PLUGINS_H
#define FATHOM_DECIDE_DESCHEDULER_PLUGINS_H

#include "decide/descheduler/eviction_order.h"

extern const struct descheduler_plugin_type plugin_remove_duplicates;
extern const struct descheduler_plugin_type plugin_violating_topology_spread;
extern const struct descheduler_plugin_type plugin_low_node_utilization;
extern const struct descheduler_plugin_type plugin_high_node_utilization;
extern const struct descheduler_plugin_type plugin_violating_node_affinity;
extern const struct descheduler_plugin_type plugin_violating_node_taints;
extern const struct descheduler_plugin_type plugin_violating_anti_affinity;
extern const struct descheduler_plugin_type plugin_too_many_restarts;
extern const struct descheduler_plugin_type plugin_failed_pods;
extern const struct descheduler_plugin_type plugin_pod_life_time;

/* NULL for plugins that do not run by themselves. */
const struct descheduler_plugin_type *descheduler_plugin_type(enum descheduler_plugin plugin);

/*
 * The plugins that go from node to node, list the pods that are to leave, and
 * evict them until the node's limit is reached.
 */
struct node_sweep {
    /* Can this pod be meant? Answers from the pod and its node alone. */
    bool (*concerns)(struct cycle *cycle, uint32_t pod);
    /* It is to be evicted as things are. */
    bool (*ready)(struct cycle *cycle, uint32_t pod);
    const char *(*why)(struct cycle *cycle, uint32_t pod);
};

void sweep_nodes(struct cycle *cycle, const struct node_sweep *sweep);

#endif
