/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of pods, one for each template of a workload (and each ordinal), and their classes: a pod
 * in every stage, with every usage. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_REVISIONS_H
#define FATHOM_CLUSTER_BUILD_BUILD_REVISIONS_H

#include "cluster/forward.h"

#include <stdint.h>

/* One more template of the workload; gives its first revision. */
uint32_t population_add_revision(struct population *population, uint32_t workload,
                                 const struct pod_template *template, const char *signature);
/* The classes of the revision's pods. */
void add_classes(struct population *population, uint32_t number);

#endif
