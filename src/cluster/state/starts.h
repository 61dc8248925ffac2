/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods that have not started, counted instead of placed (population.counts_starts).
 *
 * Where nobody asks which of the pods of a revision have started, states that differ in nothing
 * else are taken as one: the pods that have not started stand on the first nodes of those that are
 * alike (in the order of a packed state). Nodes are alike here if they have the same template.
 */
#ifndef FATHOM_CLUSTER_STATE_STARTS_H
#define FATHOM_CLUSTER_STATE_STARTS_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Moves the pods that have not started to the first nodes. False: there was no choice. */
bool state_gather_starts(struct worker *worker, struct state *state);

/* Calls `visit` with every state that is taken as one with this one as far as pods of the revision
 * are concerned; at most so many. False: there are more. */
bool state_each_gathered(struct worker *worker, const struct state *state, uint32_t revision,
                         uint32_t most, void (*visit)(void *context, const struct state *placed),
                         void *context);

#endif
