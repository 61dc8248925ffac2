/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of nodes. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_CLOCK_NODES_H
#define FATHOM_CLUSTER_ACTOR_STEP_CLOCK_NODES_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* What is due of nodes; true if something is. */
bool step_clock_nodes(struct expansion *expansion);
/* Ticks until something is; UINT32_MAX: nothing ever is. */
uint32_t clock_nodes_until_due(const struct expansion *expansion);
/* So many ticks after the state of the expansion. */
void clock_nodes_age(const struct expansion *expansion, struct state *next, uint32_t ticks);

#endif
