/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of the descheduler's plugins: one row each in the order of
 * `enum descheduler_plugin`. Schemas have no required fields, since the old
 * form of policies spreads the same fields over several mappings; validation
 * reports what is missing.
 */
#ifndef FATHOM_OBJECT_DESCHEDULER_ARGUMENTS_H
#define FATHOM_OBJECT_DESCHEDULER_ARGUMENTS_H

#include "object/descheduler_policy.h"
#include "object/schema.h"

enum descheduler_point { DESCHEDULER_FILTER, DESCHEDULER_DESCHEDULE, DESCHEDULER_BALANCE };

struct descheduler_arguments {
    const char *plugin;
    enum descheduler_point point;
    const struct schema *schema;
    size_t offset; /* in struct descheduler_profile */
    void (*validate)(struct reading *reading, const struct path *path, const void *arguments);
};

extern const struct descheduler_arguments descheduler_arguments[DESCHEDULER_PLUGIN_COUNT];

/* DESCHEDULER_PLUGIN_COUNT for a name that is no plugin's; reports it. */
enum descheduler_plugin descheduler_plugin_find(struct reading *reading, const struct path *path,
                                                const char *name);

/* All arguments as they are when nothing is given. */
void descheduler_arguments_init(struct descheduler_profile *profile);

#endif
