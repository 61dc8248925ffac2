/* SPDX-License-Identifier: Apache-2.0 */
/* One of the many ways in which an empty cluster comes to rest: workload after workload, each pod
 * to the first of its best nodes, and then whatever is first. */
#ifndef FATHOM_CLUSTER_BUILD_CANONICAL_H
#define FATHOM_CLUSTER_BUILD_CANONICAL_H

#include "cluster/forward.h"

/* A state of rest that an empty cluster can come to; the empty one if it comes to none in this
 * way. The model is complete but for its initial state. NULL: a limit was reached on the way. */
struct state *canonical_start(const struct population *population);

#endif
