/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of a dump, by workload and by the revision that they have. */
#ifndef FATHOM_CLUSTER_BUILD_OBSERVED_FIND_H
#define FATHOM_CLUSTER_BUILD_OBSERVED_FIND_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* The number behind the last hyphen of the pod's name; -1: there is none. */
int32_t observed_ordinal(const struct object *pod);
/* Was the pod made from a template that its StatefulSet or DaemonSet no longer has? */
bool observed_is_outdated(const struct observed_pod *pod, const struct object *set);
/* Such a pod of the workload; NULL: there is none. */
const struct observed_pod *observed_outdated_pod(const struct scope *scope, uint32_t workload);
/* The newest pod of a set: what the set makes next will look like it, with all
 * that admission has put in. NULL: there is none. */
const struct observed_pod *observed_newest_pod(const struct scope *scope, uint32_t workload,
                                               const struct object *set);

#endif
