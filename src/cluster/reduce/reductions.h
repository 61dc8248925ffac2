/* SPDX-License-Identifier: Apache-2.0 */
/* What is left out of states and steps because it makes no difference to any intent. */
#ifndef FATHOM_CLUSTER_REDUCE_REDUCTIONS_H
#define FATHOM_CLUSTER_REDUCE_REDUCTIONS_H

#include "cluster/emit.h"
#include "cluster/forward.h"

#include <stdbool.h>

/* Decides which reductions the model makes, and whether readiness is left after them. */
void reductions_choose(struct population *population);
/* Hands over the step by which some set creates pods, and no other; false: no set has to. */
bool create_first(struct expansion *expansion);

extern const struct failure_reduction failure_reduction;

#endif
