/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of a live cluster without what nobody reads, so that equal ones are found. */
#ifndef FATHOM_CLUSTER_BUILD_OBSERVED_SLICE_H
#define FATHOM_CLUSTER_BUILD_OBSERVED_SLICE_H

struct arena;
struct pod;
struct pod_spec;
struct population;
struct reads;

/* A copy of the pod with what is read of it. Of a pod that waits that is more:
 * a node is looked for. */
struct pod *observed_slice(struct arena *arena, const struct reads *reads, const struct pod *pod);
/* If nobody asked for claims, volumes are taken to be wherever their pods go. */
void observed_drop_claims(struct population *population, struct pod_spec *spec);

#endif
