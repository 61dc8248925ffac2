/* SPDX-License-Identifier: Apache-2.0 */
/* Which workloads lose pods by a step, as bits of happening.victims: each workload that an
 * intent names has a bit of its own, all others share one. */
#ifndef FATHOM_CLUSTER_INTENT_VICTIMS_H
#define FATHOM_CLUSTER_INTENT_VICTIMS_H

#include "cluster/forward.h"

#include <stdint.h>

/* Gives the workloads their bits; the intents are known. */
void victims_number(struct population *population);
/* The bit of the revision's workload. */
uint64_t victims_of(const struct population *population, uint32_t revision);

#endif
