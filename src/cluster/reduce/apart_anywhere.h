/* SPDX-License-Identifier: Apache-2.0 */
/* One way to show that workloads can be explored one at a time (apart.c): it makes no difference
 * where a pod is put. */
#ifndef FATHOM_CLUSTER_REDUCE_APART_ANYWHERE_H
#define FATHOM_CLUSTER_REDUCE_APART_ANYWHERE_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Does it make no difference to controllers and intents, in this state, where pods are put? */
bool places_are_alike(struct worker *worker, const struct state *state);
/* Is there a node for every pod, wherever all others have been put? `new_pods` are the most that
 * each workload, followed alone from `start`, has more than there. */
bool room_suffices(struct worker *worker, const struct state *start, const uint32_t *new_pods);

#endif
