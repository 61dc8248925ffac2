/* SPDX-License-Identifier: Apache-2.0 */
/* Nominations: a pod that preempted others waits for their place, and the scheduler keeps it for
 * the pod. */
#ifndef FATHOM_CLUSTER_STATE_NOMINATIONS_H
#define FATHOM_CLUSTER_STATE_NOMINATIONS_H

#include "cluster/forward.h"
#include "cluster/state/state.h"

#include <stdbool.h>
#include <stdint.h>

/* So many pending pods of the class have a place kept on each node of the config. */
uint32_t config_nominations(struct worker *worker, uint32_t config, uint32_t class);
/* The config with a place more, or less, kept for a pod of the class. */
uint32_t config_nominate(struct worker *worker, uint32_t config, uint32_t class, bool add);
/* The config without any kept place. */
uint32_t config_without_nominations(struct worker *worker, uint32_t config);
/* So many places are kept for pods of the class on all nodes. */
static inline uint32_t state_nominations(struct worker *worker, const struct state *state,
                                         uint32_t class)
{
    uint32_t total = 0;
    for (uint32_t n = 0; n < state->node_count; n++)
        total += config_nominations(worker, state->nodes[n].config, class) * state->nodes[n].count;
    return total;
}
/* So many waiting pods of the revision were deleted, any of them, and places that were kept for
 * them are given back. Visits every resulting state: `state` itself, or copies. */
void state_each_loss(struct worker *worker, struct state *state, uint32_t revision,
                     uint32_t deleted, void (*visit)(void *context, struct state *state),
                     void *context);
/* Gives places back until no more are kept than pods wait. */
void state_trim_nominations(struct worker *worker, struct state *state);

#endif
