/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods PodDisruptionBudgets are about: selectors are matched once, and not in each state. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_BUDGETS_H
#define FATHOM_CLUSTER_BUILD_BUILD_BUDGETS_H

#include "cluster/forward.h"

/* All workloads and pods that are observed are there. */
void find_budgets(struct population *population);

#endif
