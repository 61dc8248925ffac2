/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a controller, event or intent can see if a pod that is bound is ready. */
#ifndef FATHOM_CLUSTER_REDUCE_READINESS_H
#define FATHOM_CLUSTER_REDUCE_READINESS_H

#include "cluster/forward.h"

#include <stdbool.h>

/* Does some result depend on whether a pod that is bound is ready? Autoscalers that act while
 * pods start are not considered. */
bool readiness_is_read(const struct population *population);
/* The same of the state that the cluster was observed in. */
bool observed_needs_readiness(const struct population *population);
/* Is some node down, under pressure or tainted NoExecute from the beginning? */
bool nodes_are_unwell(const struct population *population);

#endif
