/* SPDX-License-Identifier: Apache-2.0 */
/* Kubelets: which pods they admit, when pods become ready, when they are gone. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_KUBELETS_H
#define FATHOM_CLUSTER_ACTOR_STEP_KUBELETS_H

#include "cluster/forward.h"

#include <stdbool.h>

/* May pods reach nodes whose kubelets do not admit them? */
bool admission_matters(const struct population *population);
/* Does anything tell a pod that is rejected by a kubelet that runs low from one that it evicts:
 * a policy of a Job by its conditions, an expression by its phase? */
bool rejections_are_told(const struct population *population);

#endif
