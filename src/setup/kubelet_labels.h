/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_SETUP_KUBELET_LABELS_H
#define FATHOM_SETUP_KUBELET_LABELS_H

#include "setup/setup.h"

/* Adds the labels that every kubelet sets for its machine, where the manifest does not
 * have them. A node without a name, the template of a group, gets no hostname here: each
 * node of a group has its own (build_nodes.c). */
void node_add_kubelet_labels(struct arena *arena, struct node *node);

/* What was assumed about machines and is read by a selector: a sentence each. */
struct string_list kubelet_labels_assumed(struct arena *arena, const struct scope *scope);

/* Does the node come from an API server, so that its kubelet has set its labels already? */
bool node_was_registered(const struct node *node);

#endif
