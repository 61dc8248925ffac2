/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods are available: ready for the minReadySeconds of their workload. */
#ifndef FATHOM_CLUSTER_ASK_AVAILABILITY_H
#define FATHOM_CLUSTER_ASK_AVAILABILITY_H

#include "cluster/state/clock.h"

/* Has a ready pod been ready for the minReadySeconds of its workload? Always
 * without clocks. */
bool clock_pod_is_available(const struct population *population,
                            const struct population_state *state, const struct class_info *info);

uint32_t clock_available_pods(const struct population *population,
                              const struct population_state *state, uint32_t revision);

/* Is its start up to its cohort? */
bool clock_starts_pod(const struct population *population, const struct class_info *info);

#endif
