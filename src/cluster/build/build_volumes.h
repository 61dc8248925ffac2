/* SPDX-License-Identifier: Apache-2.0 */
/* The volumes of pods. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_VOLUMES_H
#define FATHOM_CLUSTER_BUILD_BUILD_VOLUMES_H

#include "cluster/forward.h"

/* Binds claims that name their volume to it. */
void claims_bind(struct population *population);
/* Leaves out claims that are bound to no volume and that the scheduler does not bind; all claims
 * of an observed cluster whose claims are not given. */
void pod_drop_claims(struct population *population, struct pod *pod);
/* Adds the claims that a StatefulSet makes for its pod. */
void pod_add_claims(struct population *population, const struct object *object, struct pod *pod);

#endif
