/* SPDX-License-Identifier: Apache-2.0 */
/* What the setup says about time: periods, delays, and the tick they share. */
#ifndef FATHOM_CLUSTER_BUILD_CLOCK_H
#define FATHOM_CLUSTER_BUILD_CLOCK_H

#include "cluster/forward.h"

/* After the revisions and before the nodes: how many words it takes, not more. */
void clock_create(struct population *population);
/* After the nodes: periods, thresholds and the tick. */
void clock_finish(struct population *population);
/* Hands over the state with every way in which the periodic controllers may begin. */
void clock_each_start(struct worker *worker, struct state *state, struct step_sink *sink);

#endif
