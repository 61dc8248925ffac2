/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that can be looked at one node at a time: DaemonSets of which nothing counts pods. */
#ifndef FATHOM_SETUP_PART_BY_NODE_H
#define FATHOM_SETUP_PART_BY_NODE_H

#include "setup/part.h"

/* Is what happens to the pods of the part on a node the same whatever happens on other nodes? */
bool scope_part_is_by_node(const struct scope_part *part, const struct setup *setup);
/* The setup with one node of the group, and no other node. */
const struct setup *setup_with_one_node(struct arena *arena, const struct scope_part *part,
                                        const struct setup *setup, uint32_t group);

#endif
