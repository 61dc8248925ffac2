/* SPDX-License-Identifier: Apache-2.0 */
/* The volumes of pods. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_VOLUMES_H
#define FATHOM_CLUSTER_BUILD_BUILD_VOLUMES_H

struct object;
struct pod;
struct population;

/* ---- build_volumes.c ---- */
void claims_bind(struct population *population);
void pod_drop_loose_claims(struct population *population, struct pod *pod);
/* The claims that a StatefulSet makes for its pod. */
void pod_add_claims(struct population *population, const struct object *object, struct pod *pod);

#endif
