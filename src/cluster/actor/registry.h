/* SPDX-License-Identifier: Apache-2.0 */
/* The actors in order, and which of them a model needs. */
#ifndef FATHOM_CLUSTER_ACTOR_REGISTRY_H
#define FATHOM_CLUSTER_ACTOR_REGISTRY_H

#include "cluster/forward.h"

/* Lists the actors that can act in the model: by pace, and those of one pace in the order of
 * the registry. expand.c relies on that order. */
void actors_choose(struct population *population);

#endif
