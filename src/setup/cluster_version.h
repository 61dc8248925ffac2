/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which Kubernetes version a dumped cluster runs, by its objects.
 *
 * The rules are the control plane's: the version of its API server's image, or of the
 * newest kubelet if there is no such pod, or an older one: the control plane is never
 * older than a kubelet.
 */
#ifndef FATHOM_SETUP_CLUSTER_VERSION_H
#define FATHOM_SETUP_CLUSTER_VERSION_H

#include "decide/features.h"
#include "object/object.h"

struct cluster_version {
    struct features features; /* of the nearest version that is known */
    bool known;               /* it is that of the cluster */
    const char *release;      /* of the cluster, "v1.31.4" */
    const char *sentence;     /* "Kubernetes 1.31 (v1.31.4 by the cluster's API server)" */
};

/* False if the objects do not say. */
bool cluster_version_find(struct arena *arena, const struct objects *objects,
                          struct cluster_version *found);

#endif
