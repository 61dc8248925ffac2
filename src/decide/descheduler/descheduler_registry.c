/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins by name. To add one: a row in object/descheduler_plugins.def, its
 * file in plugin/, and its line here. */
#include "decide/descheduler/descheduler_plugins.h"

static const struct descheduler_plugin_type *const types[DESCHEDULER_PLUGIN_COUNT] = {
    [DESCHEDULER_DUPLICATES] = &plugin_remove_duplicates,
    [DESCHEDULER_TOPOLOGY_SPREAD] = &plugin_violating_topology_spread,
    [DESCHEDULER_LOW_UTILIZATION] = &plugin_low_node_utilization,
    [DESCHEDULER_HIGH_UTILIZATION] = &plugin_high_node_utilization,
    [DESCHEDULER_NODE_AFFINITY] = &plugin_violating_node_affinity,
    [DESCHEDULER_NODE_TAINTS] = &plugin_violating_node_taints,
    [DESCHEDULER_ANTI_AFFINITY] = &plugin_violating_anti_affinity,
    [DESCHEDULER_RESTARTS] = &plugin_too_many_restarts,
    [DESCHEDULER_FAILED_PODS] = &plugin_failed_pods,
    [DESCHEDULER_POD_LIFE_TIME] = &plugin_pod_life_time,
};

const struct descheduler_plugin_type *descheduler_plugin_type(enum descheduler_plugin plugin)
{
    return types[plugin];
}
