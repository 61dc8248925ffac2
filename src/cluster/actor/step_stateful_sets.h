/* SPDX-License-Identifier: Apache-2.0 */
/* The StatefulSet controller. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_STATEFUL_SETS_H
#define FATHOM_CLUSTER_ACTOR_STEP_STATEFUL_SETS_H

#include <stdint.h>

struct arena;
struct population_state;
struct population_worker;

/* "it waits for pod db-1 to become ready"; NULL: it waits for nothing. */
const char *stateful_set_note(struct population_worker *worker,
                              const struct population_state *state, uint32_t workload,
                              struct arena *arena);

#endif
