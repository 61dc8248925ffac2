/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler: binds one waiting pod, to any of the best nodes. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_SCHEDULER_H
#define FATHOM_CLUSTER_ACTOR_STEP_SCHEDULER_H

#include "cluster/forward.h"

#include <stdint.h>

struct verdict;

/* What a node of the entry says to a pod of a DaemonSet that is for it alone. */
const struct verdict *scheduler_refusal(struct worker *worker, const struct state *state,
                                        uint32_t revision, uint32_t entry);

#endif
