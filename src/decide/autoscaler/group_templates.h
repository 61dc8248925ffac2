/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_GROUP_TEMPLATES_H
#define FATHOM_DECIDE_AUTOSCALER_GROUP_TEMPLATES_H

#include "decide/autoscaler/autoscaler.h"

/* Finds out for each group what its next node will look like. */
void find_templates(struct cluster_autoscaler *autoscaler);

/* Adds a node like the group's template to the simulation; gives its position. `name` is its own.
 */
uint32_t add_template_node(struct cluster_autoscaler *autoscaler,
                           const struct autoscaler_group *group, uint32_t template_number,
                           const char *name, const char *shown);

#endif
