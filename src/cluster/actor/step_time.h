/* SPDX-License-Identifier: Apache-2.0 */
/* Time passes at rest: pods move on in their pattern of usage. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_TIME_H
#define FATHOM_CLUSTER_ACTOR_STEP_TIME_H

#include "cluster/forward.h"

/* An autoscaler decides: the pods that the workload has now move on in their pattern no later
 * than the pods that come of the decision. */
void make_elders(struct worker *worker, struct state *state, const struct workload *workload);

#endif
