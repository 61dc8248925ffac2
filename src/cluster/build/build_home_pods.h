/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that wait, as the scheduler sees them with their volumes (state/homes.h). */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_HOME_PODS_H
#define FATHOM_CLUSTER_BUILD_BUILD_HOME_PODS_H

#include "cluster/forward.h"

#include <stdint.h>

struct pod;
struct revision;

/* A pod of the revision whose volume is in this place. */
struct pod *pod_at_home(struct population *population, const struct revision *revision,
                        uint32_t place);

/* So many pods of the revision without a volume differ by what is left for them: 0 if they look as
 * any pod of it. */
uint32_t open_pod_count(const struct population *population, const struct revision *revision);
/* One of these (homes.c numbers them). */
struct pod *pod_without_home(struct population *population, const struct revision *revision,
                             uint32_t number);

#endif
