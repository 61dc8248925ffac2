/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of a template that look like those that are there. */
#ifndef FATHOM_CLUSTER_BUILD_OBSERVED_DRESS_H
#define FATHOM_CLUSTER_BUILD_OBSERVED_DRESS_H

#include "cluster/forward.h"

#include <stdint.h>

/* Makes the pod of a template look like those that there are of it. */
void observed_dress(struct population *population, uint32_t workload, uint32_t number,
                    int32_t ordinal, struct pod *pod);

#endif
