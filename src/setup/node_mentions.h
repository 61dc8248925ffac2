/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which nodes objects mention, by name or by their kubernetes.io/hostname.
 * A node that is mentioned is not like any other.
 */
#ifndef FATHOM_SETUP_NODE_MENTIONS_H
#define FATHOM_SETUP_NODE_MENTIONS_H

#include "base/map.h"
#include "object/node.h"
#include "object/object.h"
#include "object/pod.h"

struct node_mentions {
    struct map names;
    struct map hostnames;
    bool all_hostnames; /* they are compared as numbers: every one is mentioned */
};

void node_mentions_init(struct node_mentions *mentions, struct arena *arena);

/* What one object mentions. That a pod is on a node is no mention of it. */
void node_mentions_add(struct node_mentions *mentions, const struct object *object);
void node_mentions_add_affinity(struct node_mentions *mentions,
                                const struct node_affinity *affinity);
/* NULL: nothing. */
void node_mentions_add_name(struct node_mentions *mentions, const char *name);
/* A selector of nodes by their labels. */
void node_mentions_add_labels(struct node_mentions *mentions, const struct labels *selector);
void node_mentions_add_selector(struct node_mentions *mentions,
                                const struct label_selector *selector);

/* What all objects mention. `incoming` is a pod that is to be scheduled and not
 * among them; what it mentions, by spec.nodeName too, counts as well. NULL: none. */
void node_mentions_collect(struct node_mentions *mentions, struct arena *arena,
                           const struct objects *objects, const struct pod *incoming);
bool node_mentions_has(const struct node_mentions *mentions, const struct node *node);

#endif
