/* SPDX-License-Identifier: Apache-2.0 */
/* What the steps of all events have in common. */
#ifndef FATHOM_CLUSTER_EVENT_EVENT_H
#define FATHOM_CLUSTER_EVENT_EVENT_H

#include "cluster/forward.h"
#include "cluster/state/happening.h"

#include <stdint.h>

/* A state to go on from in which the event has come once more. */
struct state *state_after_event(struct expansion *expansion, uint32_t number);
/* What the step is about; `workload` and `node` are UINT32_MAX if it is about none. */
struct happening event_happening(const struct expansion *expansion, uint32_t number,
                                 uint32_t workload, uint32_t node, uint32_t amount);
/* Hands over the step by which the event gives one node of the entry another config. */
void event_emit_node(struct expansion *expansion, uint32_t number, uint32_t entry, uint32_t config);
/* The same for a config in another condition: nodes may lose their taints by it. */
void event_emit_condition(struct expansion *expansion, uint32_t number, uint32_t entry,
                          uint32_t config);

#endif
