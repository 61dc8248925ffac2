/* SPDX-License-Identifier: Apache-2.0 */
/* With clocks: since when the cluster autoscaler does not need a node. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_SCALE_TIMES_H
#define FATHOM_CLUSTER_ACTOR_STEP_SCALE_TIMES_H

#include "cluster/forward.h"

#include <stdbool.h>

struct scaling_outcomes;

/* The time of nodes begins or ends; true if every loop begins or ends that of one. Loops look at
 * nodes first that the one before did not need, so that such nodes are needed again only where no
 * order would do without all of them: `needed_again`. `outcomes`: NULL if no group may get smaller.
 */
bool scale_down_keep_times(struct expansion *expansion, const struct scaling_outcomes *outcomes,
                           bool *needed_again);

#endif
