/* SPDX-License-Identifier: Apache-2.0 */
/* One way to show that workloads can be explored one at a time (focus.c): it makes no difference
 * where a pod is put. */
#ifndef FATHOM_CLUSTER_REDUCE_FOCUS_ANYWHERE_H
#define FATHOM_CLUSTER_REDUCE_FOCUS_ANYWHERE_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Is it irrelevant to controllers and intents, from this state on, which nodes pods
 * are placed on? */
bool places_are_alike(struct worker *worker, const struct state *state);
/* Is there a node for every pod, wherever all others have been put? `new_pods` are the most that
 * each workload, followed alone from `start`, has more than there. */
bool room_suffices(struct worker *worker, const struct state *start, const uint32_t *new_pods);

#endif
