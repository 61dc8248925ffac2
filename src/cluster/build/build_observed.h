/* SPDX-License-Identifier: Apache-2.0 */
/* A start from the present state: the ReplicaSets that are there are revisions of their workloads,
 * the pods that are there are on their nodes. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_OBSERVED_H
#define FATHOM_CLUSTER_BUILD_BUILD_OBSERVED_H

#include "cluster/forward.h"

/* Finds the revision of every pod; adds those of bystanders. */
void observed_add_pods(struct population *population);
/* Sets, pods and nodes of the initial state. */
void observed_begin(struct population *population, struct state *state);

#endif
