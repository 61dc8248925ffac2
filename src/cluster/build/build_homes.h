/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes that stay in the zone in which they are made. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_HOMES_H
#define FATHOM_CLUSTER_BUILD_BUILD_HOMES_H

#include "cluster/forward.h"

#include <stdint.h>

struct pod;
struct revision;

/* Finds the revisions whose pods have such a volume, and the zones that it can be in. */
void find_homes(struct population *population);

/* A pod of the revision whose volume is in this zone. */
struct pod *pod_at_home(struct population *population, const struct revision *revision,
                        uint32_t zone);

#endif
