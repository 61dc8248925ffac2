/* SPDX-License-Identifier: Apache-2.0 */
/* One node apart from those that are like it (NODES_ONE_APART). */
#ifndef FATHOM_CLUSTER_REDUCE_FOLD_H
#define FATHOM_CLUSTER_REDUCE_FOLD_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* As model.fold: the number of the state without which nodes are apart. */
uint32_t population_fold(const struct model *model, void *own, const uint32_t *words,
                         uint32_t length);
/* Gives every kind that is one node apart its node, in every way that differs, and hands these
 * states over as long as more of them are wanted (false: no more). */
bool choose_nodes_apart(struct worker *worker, const struct state *state, struct step_sink *sink);
/* The same node as one of those that are like it, if it is apart from them. */
uint32_t config_folded(struct worker *worker, uint32_t config);

#endif
