/* SPDX-License-Identifier: Apache-2.0 */
/* The disks of pods, and which disks several pods may ask for at once. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_DISKS_H
#define FATHOM_CLUSTER_BUILD_BUILD_DISKS_H

#include "cluster/forward.h"

struct revision;

/* Notes the disks of the pods of a revision; `spec`: with all claims of its template. */
void add_disks(struct population *population, struct revision *revision,
               const struct pod_spec *spec);
/* Leaves out the disks that two pods can never ask for at once. */
void choose_disks(struct population *population);

#endif
