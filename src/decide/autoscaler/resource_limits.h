/* SPDX-License-Identifier: Apache-2.0 */
/* The cores and the memory that the whole cluster may have, or must keep. */
#ifndef FATHOM_DECIDE_AUTOSCALER_RESOURCE_LIMITS_H
#define FATHOM_DECIDE_AUTOSCALER_RESOURCE_LIMITS_H

#include "decide/autoscaler/autoscaler.h"

struct resources_left {
    bool limits_cores, limits_memory; /* without a limit the number means nothing */
    int64_t cores, memory;
};

/* What may be added. False if the size of a group is not known for want of a template; `*group` is
 * that group. */
bool resources_to_add(const struct cluster_autoscaler *autoscaler, struct resources_left *left,
                      const struct autoscaler_group **group);

/* What may be taken away. */
struct resources_left resources_to_remove(const struct cluster_autoscaler *autoscaler);

/* Does one more such node exceed what is left? Which of the two, if it is asked. */
bool resources_exceeded(const struct resources_left *left, const struct node *node, bool *cores,
                        bool *memory);

/* Takes the node from what is left. */
void resources_take(struct resources_left *left, const struct node *node);

/* So many of the nodes that what is left allows. */
int64_t resources_cap(const struct resources_left *left, const struct node *node, int64_t nodes);

#endif
