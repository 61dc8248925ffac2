/* SPDX-License-Identifier: Apache-2.0 */
/* What the steps of all events have in common. */
#ifndef FATHOM_CLUSTER_EVENT_EVENT_H
#define FATHOM_CLUSTER_EVENT_EVENT_H

#include "cluster/forward.h"

#include <stdint.h>

/* A state to go on from in which the event has come once more. */
struct state *state_after_event(struct expansion *expansion, const struct population_event *event);
/* Hands over the step by which the event comes to nodes, the first of them of the entry. Nodes
 * may lose their taints by it. */
void event_emit(struct expansion *expansion, const struct population_event *event,
                struct state *next, uint32_t entry);
/* The same if the event gives one node of the entry another config. */
void event_emit_node(struct expansion *expansion, const struct population_event *event,
                     uint32_t entry, uint32_t config);

#endif
