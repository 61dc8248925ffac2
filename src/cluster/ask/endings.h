/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether kubelets keep up with those who end pods again and again.
 *
 * Periodic controllers that do not wait for kubelets (INTERLEAVING_CONTROLLERS and further) can
 * have pods deleted, created and deleted again while no kubelet is done with any of them, and every
 * state would be new. Premise: before one of them acts on a workload, no more of its pods still
 * terminate than it has replicas. Pods on nodes whose kubelets do not work do not count: there none
 * of them is waited for.
 */
#ifndef FATHOM_CLUSTER_ASK_ENDINGS_H
#define FATHOM_CLUSTER_ASK_ENDINGS_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Does a periodic controller have to wait for kubelets before it acts on the workload? */
bool endings_lag(struct worker *worker, const struct state *state, uint32_t workload);

#endif
