/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All plugins, in the order in which upstream's default configuration runs
 * them (pkg/scheduler/apis/config/v1/default_plugins.go @ v1.26.15). To add one:
 * write it, declare it in plugin.h, add a line here and a row in docs/fidelity.md.
 */
#include "decide/scheduler/plugin.h"

#include <string.h>

const struct plugin *const plugin_registry[] = {
    &plugin_node_unschedulable,  &plugin_node_name,
    &plugin_taint_toleration,    &plugin_node_affinity,
    &plugin_node_ports,          &plugin_node_resources_fit,
    &plugin_volume_restrictions, &plugin_volume_binding,
    &plugin_volume_zone,         &plugin_pod_topology_spread,
    &plugin_inter_pod_affinity,  &plugin_node_resources_balanced_allocation,
    &plugin_image_locality,      NULL,
};

_Static_assert(sizeof(plugin_registry) / sizeof(plugin_registry[0]) <= PLUGINS_MOST,
               "plans have room for all plugins");

const struct plugin *plugin_find(const char *name)
{
    for (uint32_t i = 0; plugin_registry[i]; i++)
        if (strcmp(plugin_registry[i]->name, name) == 0)
            return plugin_registry[i];
    return NULL;
}

const struct plugin_field *plugin_fields_of(const char *name, const char **without)
{
    const struct plugin *plugin = plugin_find(name);
    *without = plugin ? plugin->without_fields : NULL;
    return plugin ? plugin->fields : NULL;
}
