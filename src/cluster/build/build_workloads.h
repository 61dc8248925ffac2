/* SPDX-License-Identifier: Apache-2.0 */
/* The workloads of the scope, at the size that the setup gives them. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_WORKLOADS_H
#define FATHOM_CLUSTER_BUILD_BUILD_WORKLOADS_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* The workload of the scope with its usage and its first revision. False: its pods are so many
 * kinds that there is no memory for them, and nothing was added. */
bool add_workload(struct population *population, uint32_t number);
/* May some number of replicas pass half a word? */
bool replicas_are_wide(const struct population *population);

#endif
