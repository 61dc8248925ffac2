/* SPDX-License-Identifier: Apache-2.0 */
/* What a node under pressure reports, and which pressure an event brings. */
#ifndef FATHOM_CLUSTER_ASK_PRESSURE_H
#define FATHOM_CLUSTER_ASK_PRESSURE_H

#include "base/arena.h"
#include "object/check.h"
#include "object/node.h"

struct arena;
struct check_event;
struct node;

/* What a node that is under these pressures reports and is tainted with. */
void node_press(struct arena *arena, struct node *node, uint32_t pressures);

/* The event's pressure, as a bit of enum kubelet_pressure. */
uint32_t event_pressure(const struct check_event *event);

#endif
