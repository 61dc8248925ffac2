/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of clocked time. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_CLOCK_H
#define FATHOM_CLUSTER_ACTOR_STEP_CLOCK_H

#include "cluster/forward.h"

#include <stdbool.h>

/* When no fast step is left: what is due, and if nothing is (`due`: a periodic controller
 * already had something to do), time. True if the cluster rests: nothing but periodic
 * controllers will act. */
bool step_clock(struct expansion *expansion, bool due);

#endif
