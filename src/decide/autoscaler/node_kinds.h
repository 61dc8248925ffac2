/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes that are alike but for their names are of one kind, so that the scheduler's filters are
 * asked for kinds of nodes. A node that is mentioned by its name or hostname is a kind of its own,
 * as is one without a hostname or with that of another node.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_NODE_KINDS_H
#define FATHOM_DECIDE_AUTOSCALER_NODE_KINDS_H

#include "decide/autoscaler/autoscaler.h"
#include "decide/node_mentions.h"

struct node_kinds {
    struct cluster_autoscaler *autoscaler;
    struct node_mentions mentions;
    const struct map *hostnames; /* -> how many nodes have it */
    struct map own_hostnames;
    bool unmentioned; /* no node is mentioned, and all hostnames differ */
    struct map kinds; /* fingerprint -> number of the template + 1 */
};

void node_kinds_init(struct node_kinds *kinds, struct cluster_autoscaler *autoscaler);

/* Is the node of the same kind as others that are alike? */
bool node_kinds_folds(const struct node_kinds *kinds, const struct node *node);

/* The node's template in the catalog of the simulation. */
uint32_t node_kinds_template(struct node_kinds *kinds, const struct node *node);

#endif
