/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_GROUP_READING_H
#define FATHOM_DECIDE_AUTOSCALER_GROUP_READING_H

#include "decide/autoscaler/autoscaler.h"

/* The node groups of a scenario. The options have been read before. */
bool groups_read(struct cluster_autoscaler *autoscaler, const struct value *list,
                 struct problems *problems);

/* A group of nodes with the autoscaler's own settings, added by its id; NULL if there is one. */
struct autoscaler_group *groups_add(struct cluster_autoscaler *autoscaler, const char *id);

/* Changes the flags that a provider can set for one group: a mapping from flags to values; NULL:
 * none. */
bool group_options_read(struct arena *arena, const struct value *mapping, const char *path,
                        struct autoscaler_options *options, struct problems *problems);

/* The instances of a group that are no nodes yet: {name: error code or ""}; NULL: none. */
bool instances_read(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group,
                    const struct value *mapping, const char *path, struct problems *problems);

enum { GROUP_SIZE_MOST = 100000 };

/* A size of a group. */
bool size_read(const struct value *value, const char *path, int64_t *size,
               struct problems *problems);

#endif
