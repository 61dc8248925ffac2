/* SPDX-License-Identifier: Apache-2.0 */
/* The revisions of workloads that have pods already. */
#ifndef FATHOM_CLUSTER_BUILD_OBSERVED_REVISIONS_H
#define FATHOM_CLUSTER_BUILD_OBSERVED_REVISIONS_H

#include "cluster/forward.h"

#include <stdint.h>

/* The revisions of the sets that are there, and that of the workload's own template; gives the
 * present one. */
uint32_t observed_add_revisions(struct population *population, uint32_t workload);
/* How many ordinals the StatefulSet's pods need that are there. */
uint32_t observed_ordinals(const struct scope *scope, uint32_t workload);
/* The revision of a pod that its workload looks after. */
uint32_t observed_revision_of(const struct population *population, const struct observed_pod *pod);
/* Warns of pods that the model takes to be like others. */
void observed_check(const struct scope *scope, struct problems *problems);

#endif
