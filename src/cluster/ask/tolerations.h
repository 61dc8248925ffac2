/* SPDX-License-Identifier: Apache-2.0 */
/* How long pods stay on a node in spite of its NoExecute taints. */
#ifndef FATHOM_CLUSTER_ASK_TOLERATIONS_H
#define FATHOM_CLUSTER_ASK_TOLERATIONS_H

#include "base/arena.h"
#include "cluster/forward.h"
#include "object/node.h"
#include "object/pod.h"

/* Seconds for which a pod may stay on the node in spite of its NoExecute taints
 * (taint_manager.h); those of the node's silence count if it is `silent`. */
int64_t node_tolerated_seconds(struct arena *scratch, const struct node *node,
                               const struct pod_spec *spec, bool silent);

#endif
