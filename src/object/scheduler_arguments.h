/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of the scheduler's plugins: one schema, defaulting and
 * validation each, looked up by the name of the plugin.
 */
#ifndef FATHOM_OBJECT_SCHEDULER_ARGUMENTS_H
#define FATHOM_OBJECT_SCHEDULER_ARGUMENTS_H

#include "object/scheduler_configuration.h"
#include "object/schema.h"

struct plugin_arguments {
    const char *plugin;
    const struct schema *schema;
    size_t offset; /* in struct scheduler_profile */
    void (*set_defaults)(struct arena *arena, void *arguments);
    void (*validate)(struct reading *reading, const struct path *path, const void *arguments);
};

extern const struct plugin_arguments plugin_arguments[];
extern const uint32_t plugin_arguments_count;

/* NULL for a plugin that has none. */
const struct plugin_arguments *plugin_arguments_find(const char *plugin);

#endif
