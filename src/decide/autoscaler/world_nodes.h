/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of the world with the pods on them. Nodes that differ in nothing but their names, with
 * pods that differ in nothing but theirs, are of one class.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_WORLD_NODES_H
#define FATHOM_DECIDE_AUTOSCALER_WORLD_NODES_H

#include "decide/autoscaler/autoscaler_world.h"

void world_nodes_init(struct autoscaler_world *world);

/* The node comes, or replaces the one of its name; `node` goes. */
struct known_node *world_nodes_put(struct autoscaler_world *world, const struct node *node);
void world_nodes_drop(struct autoscaler_world *world, const struct node *node);

/* The same for a pod that is on a node; of others nothing is noted. */
void world_nodes_put_pod(struct autoscaler_world *world, struct autoscaler_pod *pod);
void world_nodes_drop_pod(struct autoscaler_world *world, const struct autoscaler_pod *pod);

/* The number of its class. */
uint32_t world_node_class(struct autoscaler_world *world, struct known_node *node);

#endif
