/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLUSTER_ASK_TIGHTNESS_H
#define FATHOM_CLUSTER_ASK_TIGHTNESS_H

#include "cluster/forward.h"

#include <stdint.h>

/* How little room is left for pods: greater if less is left on nodes that pods can go to, and if
 * more pods wait for a node. Only a measure to compare states by. */
int64_t state_tightness(struct worker *worker, const struct state *state);
/* How much room one node that is up has: greater if more is left on the node that has the most when
 * all pods that terminate there are gone. Another such measure. */
int64_t state_gap(struct worker *worker, const struct state *state);

#endif
