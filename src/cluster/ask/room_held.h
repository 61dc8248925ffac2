/* SPDX-License-Identifier: Apache-2.0 */
/* The room on nodes that the modelled workloads hold beside others that are not modelled
 * (others.h), measured in all states. */
#ifndef FATHOM_CLUSTER_ASK_ROOM_HELD_H
#define FATHOM_CLUSTER_ASK_ROOM_HELD_H

#include "cluster/forward.h"
#include "cluster/others.h"

/* What a pod of the class requests of a resource (enum room_resource). */
int64_t room_request(const struct worker *worker, uint32_t class, uint32_t resource);
/* How much of a resource a node of the config has. */
int64_t room_of_node(const struct worker *worker, uint32_t config, uint32_t resource);

/* Notes in the worker's findings what the modelled workloads hold in the state; `lasts`: they may
 * stay in it for ever. */
void note_room_held(struct worker *worker, const struct state *state, bool lasts);

#endif
