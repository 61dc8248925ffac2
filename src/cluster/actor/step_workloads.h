/* SPDX-License-Identifier: Apache-2.0 */
/* The Deployment and ReplicaSet controllers. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_WORKLOADS_H
#define FATHOM_CLUSTER_ACTOR_STEP_WORKLOADS_H

#include "cluster/forward.h"

#include <stdint.h>

/* Hands over the steps of the ReplicaSet of the revision; it exists. */
void step_replica_set(struct expansion *expansion, uint32_t revision);

#endif
