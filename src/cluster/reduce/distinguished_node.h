/* SPDX-License-Identifier: Apache-2.0 */
/* One distinguished node in each group of nodes that are alike (NODES_ONE_DISTINGUISHED). */
#ifndef FATHOM_CLUSTER_REDUCE_DISTINGUISHED_NODE_H
#define FATHOM_CLUSTER_REDUCE_DISTINGUISHED_NODE_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* As model.orbit: the number of the state without the distinction. */
uint32_t population_orbit(const struct model *model, void *own, const uint32_t *words,
                          uint32_t length);
/* Emits the state with every choice of the distinguished nodes that makes a difference, as
 * long as more states are wanted (false: no more). */
bool choose_distinguished_nodes(struct worker *worker, const struct state *state,
                                struct step_sink *sink);
/* The config without the distinction: that of a node of the same group that is not
 * distinguished. */
uint32_t config_undistinguished(struct worker *worker, uint32_t config);

#endif
