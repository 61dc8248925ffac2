/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/plugin.h"

#include <string.h>

const struct plugin *const plugin_registry[] = {
#define PLUGIN(name) &plugin_##name,
#include "decide/scheduler/plugins.def"
#undef PLUGIN
    NULL,
};

_Static_assert(sizeof(plugin_registry) / sizeof(plugin_registry[0]) <= PLUGINS_MOST,
               "plans have room for all plugins");

const struct plugin *plugin_find(const char *name)
{
    /* Most names come from the default profile, which consists of these same strings,
     * so equal pointers are tried first. */
    for (uint32_t i = 0; plugin_registry[i]; i++)
        if (plugin_registry[i]->name == name)
            return plugin_registry[i];
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
