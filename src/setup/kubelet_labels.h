/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_SETUP_KUBELET_LABELS_H
#define FATHOM_SETUP_KUBELET_LABELS_H

#include "setup/setup.h"

/* Adds what every kubelet says of its machine, where the manifest does not say it. A node
 * without a name, the template of a group, gets no hostname here: each node of a group
 * has its own (build_nodes.c). */
void node_add_kubelet_labels(struct arena *arena, struct node *node);

/* What was taken for granted about machines, and somebody asks for: a sentence each. */
struct string_list kubelet_labels_assumed(struct arena *arena, const struct scope *scope);

/* Is the node as an API server gave it, and not as somebody wrote it? Then its kubelet has
 * put there what it puts there. */
bool node_was_registered(const struct node *node);

#endif
