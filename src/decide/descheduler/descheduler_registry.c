/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/descheduler_plugins.h"

#define TYPE(plugin, name) extern const struct descheduler_plugin_type plugin_##name;
#include "decide/descheduler/descheduler_types.def"
#undef TYPE

static const struct descheduler_plugin_type *const types[DESCHEDULER_PLUGIN_COUNT] = {
#define TYPE(plugin, name) [plugin] = &plugin_##name,
#include "decide/descheduler/descheduler_types.def"
#undef TYPE
};

const struct descheduler_plugin_type *descheduler_plugin_type(enum descheduler_plugin plugin)
{
    return types[plugin];
}
