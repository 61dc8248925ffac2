/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of a dump, by workload and by the revision that they have. */
#ifndef FATHOM_CLUSTER_BUILD_OBSERVED_FIND_H
#define FATHOM_CLUSTER_BUILD_OBSERVED_FIND_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* The number behind the last hyphen of the pod's name; -1: there is none. */
int32_t observed_ordinal(const struct object *pod);
/* A pod that was made from a template that its StatefulSet or DaemonSet no longer has; NULL: there
 * is none. */
const struct observed_pod *observed_outdated_pod(const struct scope *scope, uint32_t workload);
/* The number of the template that a pod of a StatefulSet or DaemonSet was made from: while an
 * update is under way, 0 is the old one and 1 the new one. */
uint32_t observed_template(const struct scope *scope, const struct observed_pod *pod);
/* The newest pod that a set made: what the set makes next will look like it, with all
 * that admission has put in. NULL: there is none. */
const struct observed_pod *observed_newest_pod(const struct scope *scope, uint32_t workload,
                                               const struct object *set);

#endif
