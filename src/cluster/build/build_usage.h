/* SPDX-License-Identifier: Apache-2.0 */
/* What pods may use, and what load their workloads may bear: all levels that the events can bring.
 */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_USAGE_H
#define FATHOM_CLUSTER_BUILD_BUILD_USAGE_H

#include "cluster/forward.h"

#include <stdint.h>

/* The levels of usage of the workload's pods, and the totals of its load. */
void add_levels(struct population *population, uint32_t number, const struct pod_spec *spec);

#endif
