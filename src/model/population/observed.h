/* SPDX-License-Identifier: Apache-2.0 */
/* What the files about the present state share; the rest of the model sees what
 * population_internal.h has. */
#ifndef FATHOM_MODEL_POPULATION_OBSERVED_H
#define FATHOM_MODEL_POPULATION_OBSERVED_H

#include "model/population/population_internal.h"
#include "setup/reads.h"

/* A copy of the pod with what is read of it. Of a pod that waits that is more:
 * a node is looked for. */
struct pod *observed_slice(struct arena *arena, const struct reads *reads, const struct pod *pod);

/* If nobody asked for claims, volumes are taken to be wherever their pods go. */
void observed_drop_claims(struct population *population, struct pod_spec *spec);

/* The revision of a pod that its workload looks after. */
uint32_t observed_revision_of(const struct population *population, const struct observed_pod *pod);

#endif
