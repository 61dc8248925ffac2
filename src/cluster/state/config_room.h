/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLUSTER_STATE_CONFIG_ROOM_H
#define FATHOM_CLUSTER_STATE_CONFIG_ROOM_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Room is told in parts of a node. */
enum { ROOM_OF_NODE = 1000 };

/* What is left on a node of the config, of the resource that it has least left of. `later`: when
 * all pods that terminate are gone. */
int64_t config_room(const struct worker *worker, const struct node_config *config, bool later);

#endif
