/* SPDX-License-Identifier: Apache-2.0 */
/* The node lifecycle controller: NoExecute taints for nodes that do not answer. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_LIFECYCLE_H
#define FATHOM_CLUSTER_ACTOR_STEP_LIFECYCLE_H

#include "cluster/forward.h"

#include <stdbool.h>

/* Can a zone be partly disrupted while a node stays down for ever, or does it matter in which order
 * nodes are noticed because all of them may stop? */
bool taints_may_be_late(const struct population *population);

#endif
