/* SPDX-License-Identifier: Apache-2.0 */
/* What a node under pressure reports. */
#ifndef FATHOM_CLUSTER_ASK_PRESSURE_H
#define FATHOM_CLUSTER_ASK_PRESSURE_H

#include "base/arena.h"
#include "cluster/forward.h"
#include "object/node.h"

/* What a node that is under these pressures reports and is tainted with. */
void node_press(struct arena *arena, struct node *node, uint32_t pressures);

#endif
