/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_NODE_READINESS_H
#define FATHOM_DECIDE_AUTOSCALER_NODE_READINESS_H

#include "decide/autoscaler/autoscaler.h"

/* The nodes of the world, with what the autoscaler makes of their conditions and taints. */
void list_nodes(struct cluster_autoscaler *autoscaler);

bool node_has_taint(const struct node *node, const char *key);

/* A taint that new nodes have until they are ready for use: named by --ignore-taint, or by prefix.
 */
bool taint_is_ignored(const struct autoscaler_options *options, const char *key);

#endif
