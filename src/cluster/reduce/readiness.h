/* SPDX-License-Identifier: Apache-2.0 */
/* Is there anybody who can tell a pod that is bound from one that is ready?. */
#ifndef FATHOM_CLUSTER_REDUCE_READINESS_H
#define FATHOM_CLUSTER_REDUCE_READINESS_H

#include <stdbool.h>

struct population;

/* Can anybody see whether a pod that is bound is ready? */
bool readiness_matters(const struct population *population);
bool observed_needs_readiness(const struct population *population);

#endif
