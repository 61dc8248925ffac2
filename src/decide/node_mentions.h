/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which nodes are mentioned, by name or by their kubernetes.io/hostname. A node
 * that is mentioned is never treated as equal to another. What objects mention
 * is found by scheduler_mentions (scheduler/plugin_reads.h), since it is the
 * plugins that read it.
 */
#ifndef FATHOM_DECIDE_NODE_MENTIONS_H
#define FATHOM_DECIDE_NODE_MENTIONS_H

#include "base/map.h"
#include "object/node.h"
#include "object/pod.h"

struct node_mentions {
    struct map names;
    struct map hostnames;
    bool all_hostnames; /* a selector compares hostnames as numbers, so every node counts as
                           mentioned */
    bool all;           /* any node may be mentioned */
};

void node_mentions_init(struct node_mentions *mentions, struct arena *arena);

/* In all of these NULL is nothing. */
void node_mentions_add_name(struct node_mentions *mentions, const char *name);
void node_mentions_add_term(struct node_mentions *mentions, const struct node_selector_term *term);
/* A selector of nodes by their labels. */
void node_mentions_add_labels(struct node_mentions *mentions, const struct labels *selector);
void node_mentions_add_selector(struct node_mentions *mentions,
                                const struct label_selector *selector);

bool node_mentions_has(const struct node_mentions *mentions, const struct node *node);

#endif
