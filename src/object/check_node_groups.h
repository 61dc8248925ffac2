/* SPDX-License-Identifier: Apache-2.0 */
/* The node groups of a Check. */
#ifndef FATHOM_OBJECT_CHECK_NODE_GROUPS_H
#define FATHOM_OBJECT_CHECK_NODE_GROUPS_H

#include "object/check.h"
#include "object/schema.h"

extern const struct schema check_node_group_schema;
void check_node_groups_validate(struct reading *reading, const struct path *path,
                                const struct check *check);

/* A node without a name, as a template for others. */
struct node *node_of_group_decode(struct reading *reading, const struct path *path,
                                  const struct value *value);
void node_of_group_encode(struct arena *scratch, struct json_out *json, const char *key,
                          const struct node *node);

/* Complains unless there is a node group of this name, or no node group at all. */
void group_name_validate(struct reading *reading, const struct path *path,
                         const struct check *check, const char *name);

#endif
