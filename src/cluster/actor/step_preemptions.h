/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of others that are not modelled preempt pods of the model (others.h). */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_PREEMPTIONS_H
#define FATHOM_CLUSTER_ACTOR_STEP_PREEMPTIONS_H

#include "cluster/forward.h"

/* Hands over every such step. */
void step_preemptions(struct expansion *expansion);

#endif
