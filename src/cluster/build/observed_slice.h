/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of a live cluster with what controllers read of them, so that equal ones are found. */
#ifndef FATHOM_CLUSTER_BUILD_OBSERVED_SLICE_H
#define FATHOM_CLUSTER_BUILD_OBSERVED_SLICE_H

#include "cluster/forward.h"

#include <stdbool.h>

/* A copy of the pod with what controllers read of it. Of a pod that waits for a node they read
 * more. Where nodes get the images that pods pull (`pulls`), those count that another pod may be
 * placed by. A pod that is resized in place requests what it counts with, where that matters
 * (`resizes`). */
struct pod *observed_slice(struct arena *arena, const struct reads *reads, const struct pod *pod,
                           bool pulls, bool resizes);

#endif
