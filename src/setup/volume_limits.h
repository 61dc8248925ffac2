/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many volumes of a CSI driver a node can have (CSINode, or allocatable
 * attachable-volumes-csi-DRIVER of a Node), as a resource of nodes that pods of StatefulSets ask
 * for: each of their claims is theirs alone, so that the volumes of a node are the sum of what its
 * pods have. Where no node has a limit, nothing changes.
 */
#ifndef FATHOM_SETUP_VOLUME_LIMITS_H
#define FATHOM_SETUP_VOLUME_LIMITS_H

#include "object/check.h"
#include "object/object.h"
#include "setup/setup.h"

/* The resources that stand for drivers of which some node has a limit. `check` may be NULL. */
struct string_list volume_limits_find(struct arena *arena, const struct objects *objects,
                                      const struct check *check);

/* The objects with Nodes that have these resources, and StatefulSets whose pods ask for them. The
 * classes of their claims are among the objects of the cluster. The objects themselves if there are
 * no limits. */
const struct objects *objects_with_volume_limits(struct arena *arena, const struct objects *objects,
                                                 const struct objects *cluster,
                                                 const struct string_list *limits);

/* Gives the node as many volumes as its CSINode says, and any number where nothing is said. */
void node_limit_volumes(struct arena *arena, const struct objects *objects,
                        const struct string_list *limits, struct node *node);

/* What is said of a workload whose volumes are not counted: pods may share the claims that a
 * template names, and ephemeral ones are not read. NULL: nothing. */
const char *assumption_of_volume_limits(struct arena *arena, const struct string_list *limits,
                                        const struct setup_workload *workload);

#endif
