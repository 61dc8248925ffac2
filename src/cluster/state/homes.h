/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Volumes that stay in the zone in which they were made (setup/zonal_claims.h). Each has a word of
 * the state's notes: the zone, plus one; 0: the volume is not made yet, and the first node that a
 * pod with it comes to decides.
 */
#ifndef FATHOM_CLUSTER_STATE_HOMES_H
#define FATHOM_CLUSTER_STATE_HOMES_H

#include "cluster/state/state.h"

/* The zone of the volume of pods of the revision, plus one; 0: they have none that stays, or it is
 * not made yet. */
uint32_t home_zone(const struct population *population, const struct state *state,
                   uint32_t revision);

/* The class of a pod of the revision that waits for a node, with its volume where it is. */
uint32_t home_class(const struct population *population, const struct state *state,
                    uint32_t revision);

/* A pod of the revision comes to a node of this config. */
void home_begin(const struct worker *worker, struct state *next, uint32_t revision,
                uint32_t config);

#endif
