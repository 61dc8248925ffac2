/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests: a concrete cluster with its equal nodes and pods folded into classes, as the
 * cluster model has them.
 *
 * Nodes become one anonymous template if they differ only in their names and their
 * kubernetes.io/hostname labels, no other node has these labels, and no object mentions
 * the nodes by either. Pods that are equal in shape, phase, start time and whether they
 * are terminating become one class, unless a disruption budget mentions them by name.
 * Nodes of one template that carry the same pods are one entry of the view.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_FOLDING_H
#define FATHOM_DECIDE_SCHEDULER_FOLDING_H

#include "decide/node_mentions.h"
#include "decide/view.h"

struct folding {
    struct view view;
    uint32_t *entry_of_node; /* by the order of the Node objects */
    uint32_t node_count;
    struct map *classes; /* what distinguishes pods -> class + 1 */
};

/* `incoming`: see scheduler_mentions. */
struct folding fold_objects(struct arena *arena, struct catalog *catalog,
                            const struct objects *objects, const struct pod *incoming);

/* The class that has only this pod; it is added if there is none yet. */
uint32_t class_of_pod(struct catalog *catalog, const struct pod *pod);

/* The class of a pod in a folding: of an assigned or a pending one. */
uint32_t fold_pod(const struct folding *folding, const struct pod *pod);

#endif
