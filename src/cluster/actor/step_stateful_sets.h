/* SPDX-License-Identifier: Apache-2.0 */
/* The StatefulSet controller. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_STATEFUL_SETS_H
#define FATHOM_CLUSTER_ACTOR_STEP_STATEFUL_SETS_H

#include "cluster/forward.h"

#include <stdint.h>

/* "it waits for pod db-1 to become ready"; NULL: it waits for nothing. */
const char *stateful_set_note(struct worker *worker, const struct state *state, uint32_t workload,
                              struct arena *arena);

#endif
