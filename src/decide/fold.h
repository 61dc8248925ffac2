/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folding: from a concrete cluster to a population.
 *
 * Nodes that nothing tells apart become one anonymous template: they are equal
 * but for their names and their kubernetes.io/hostname labels, these labels are
 * theirs alone, and no object mentions them by either. Pods become classes by
 * catalog_intern_pod, unless a disruption budget mentions them by name. Nodes
 * of one template that carry the same pods are one entry of the view.
 */
#ifndef FATHOM_DECIDE_FOLD_H
#define FATHOM_DECIDE_FOLD_H

#include "decide/node_mentions.h"
#include "decide/view.h"

struct folding {
    struct view view;
    uint32_t *entry_of_node; /* by the order of the Node objects */
    uint32_t node_count;
};

/* `incoming`: see scheduler_mentions. */
struct folding fold_objects(struct arena *arena, struct catalog *catalog,
                            const struct objects *objects, const struct pod *incoming);

/* The class of a pod in a folding: of an assigned or a pending one. */
uint32_t fold_pod(struct catalog *catalog, const struct pod *pod);

#endif
