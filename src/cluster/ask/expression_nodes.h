/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes, taints and zones of a state, for expressions. The number of a node is its entry; of a
 * taint, the entry of its node and its place there; of a zone, an entry with a node of it. */
#ifndef FATHOM_CLUSTER_ASK_EXPRESSION_NODES_H
#define FATHOM_CLUSTER_ASK_EXPRESSION_NODES_H

#include "cluster/ask/expression_cluster.h"

struct expression_value read_nodes(void *context, struct arena *scratch);
struct expression_value read_zones(void *context, struct arena *scratch);

#define OBJECT_FIELD(name)                                             \
    struct expression_value name(void *context, struct arena *scratch, \
                                 struct expression_object object);
OBJECT_FIELD(node_field_labels)
OBJECT_FIELD(node_field_taints)
OBJECT_FIELD(node_field_ready)
OBJECT_FIELD(node_field_cordoned)
OBJECT_FIELD(node_field_zone)
OBJECT_FIELD(node_field_group)
OBJECT_FIELD(node_field_allocatable)
OBJECT_FIELD(node_field_pods)
OBJECT_FIELD(taint_field_key)
OBJECT_FIELD(taint_field_value)
OBJECT_FIELD(taint_field_effect)
OBJECT_FIELD(zone_field_name)
OBJECT_FIELD(zone_field_nodes)
OBJECT_FIELD(zone_field_pods)
#undef OBJECT_FIELD
const char *node_title(void *context, struct arena *arena, struct expression_object object);
const char *zone_title(void *context, struct arena *arena, struct expression_object object);

#endif
