/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a report points to when a plugin of the scheduler turned a pod down: the
 * fields of the pod's spec that its filter goes by.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_PLUGIN_FIELD_H
#define FATHOM_DECIDE_SCHEDULER_PLUGIN_FIELD_H

struct plugin_field {
    const char *path;   /* "affinity.podAffinity"; NULL ends a list */
    const char *reason; /* only if the verdict's reason has this word; NULL: always */
};

/* The fields of the plugin of this name; NULL: none. Sets `without` to the text
 * for a manifest that has none of these fields; NULL: no text. */
const struct plugin_field *plugin_fields_of(const char *name, const char **without);

#endif
