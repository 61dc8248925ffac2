/* SPDX-License-Identifier: Apache-2.0 */
/* An autoscaler from the manifests of a cluster: its flags are those of its own container. */
#ifndef FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_MANIFESTS_H
#define FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_MANIFESTS_H

#include "decide/autoscaler/autoscaler.h"

/*
 * Groups are those of --nodes=MIN:MAX:NAME. A node is in the group that one of its labels or
 * annotations names, and a group is as large as it has nodes. Nothing is remembered of earlier
 * loops.
 */
bool autoscaler_of_manifests(struct arena *arena, const struct objects *objects,
                             const struct features *features, struct cluster_autoscaler *autoscaler,
                             struct problems *problems);

#endif
