/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host ports of a node that stand in the way of an incoming pod, as a set
 * of bits. Upstream keeps a set too, not a count (HostPortInfo in
 * pkg/scheduler/framework/types.go @ v1.26.15), which shows when preemption
 * takes away one of two pods with the same port.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_PORT_SET_H
#define FATHOM_DECIDE_SCHEDULER_PORT_SET_H

#include "decide/scheduler/plan.h"

/* The ports of pods of this shape that conflict with ports of the plan's pod. */
uint64_t port_set_of(struct plan *plan, const struct pod_shape *shape);

#endif
