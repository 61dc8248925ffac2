/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods are available: ready for the minReadySeconds of their workload. */
#ifndef FATHOM_CLUSTER_ASK_AVAILABILITY_H
#define FATHOM_CLUSTER_ASK_AVAILABILITY_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Has a ready pod been ready for the minReadySeconds of its workload? Always
 * without clocks. */
bool clock_pod_is_available(const struct population *population, const struct state *state,
                            const struct class_info *info);

/* So many pods of the revision are available. */
uint32_t clock_available_pods(struct worker *worker, const struct state *state, uint32_t revision);

/* Does the pod become ready with its cohort, and not by a step of its kubelet? */
bool clock_starts_pod(const struct population *population, const struct class_info *info);

/* A pod is ready when its last container is. */
void pod_ready_window(const struct pod_spec *spec, int64_t *earliest, int64_t *latest);
/* Does it take time for some pod to become ready? */
bool clock_delays_readiness(const struct population *population);

#endif
