/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes for manifests that come without any: machines of a usual size with the labels that
 * kubelets and clouds set, and with whatever else the manifests ask of a node.
 *
 * What the manifests ask for is a requirement of theirs and no mistake, so it is listed instead
 * of being violated: labels that selectors name, extended resources, a size that holds the
 * largest pod. Workloads whose labels contradict each other get pools of their own.
 */
#ifndef FATHOM_SETUP_DEFAULT_NODES_H
#define FATHOM_SETUP_DEFAULT_NODES_H

#include "object/object.h"
#include "object/quantity.h"

struct node_size {
    struct quantity cpu;
    struct quantity memory;
};

struct node_needs;

/* Reads what the objects need of nodes. `size` is what a node has at least. */
struct node_needs *node_needs_of(struct arena *arena, const struct objects *objects,
                                 const struct node_size *size);

/* No fewer nodes can hold all pods: by their requests, and by what keeps them apart. */
int32_t node_needs_least(const struct node_needs *needs);
/* As many as are enough while rollouts add pods, and perhaps a node goes, if each has room. */
int32_t node_needs_roomy(const struct node_needs *needs, bool one_goes);
uint32_t node_needs_zones(const struct node_needs *needs);

enum node_room {
    NODE_ROOM_OF_SIZE, /* what a node of the size has */
    NODE_ROOM_FOR_ALL, /* each has room for all pods */
};

/* Adds so many nodes, of each pool, evenly over the zones. */
void node_needs_add(struct arena *arena, const struct node_needs *needs, int32_t count,
                    enum node_room room, struct objects *objects);

/* "3 nodes in 3 zones of 4 CPU, 16Gi; label disktype=ssd on one", if there are `count` of them. */
const char *node_needs_text(const struct node_needs *needs, int32_t count);

#endif
