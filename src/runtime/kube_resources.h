/* SPDX-License-Identifier: Apache-2.0 */
/* Where kinds are found at an API server: discovery, and the paths of objects. */
#ifndef FATHOM_RUNTIME_KUBE_RESOURCES_H
#define FATHOM_RUNTIME_KUBE_RESOURCES_H

#include "runtime/kube_client.h"

struct kube_resource {
    const char *kind;
    const char *api_version; /* "apps/v1" */
    const char *plural;
    bool namespaced;
};

struct kube_resources {
    struct arena *arena;
    /* Built-in groups come before others. A resource stays where it is, even when all
     * are asked for anew. */
    const struct kube_resource **items;
    uint32_t count;
    uint32_t capacity;
};

/* Asks anew for everything. False, with the reply that says why, if that fails. */
bool kube_resources_discover(struct kube_resources *resources, struct kube_client *client,
                             struct kube_reply *failure);
/* NULL: the server has no such kind. Of several the first: the core's, then those of
 * Kubernetes' own groups. `api_version` NULL: any. */
const struct kube_resource *kube_resource_find(const struct kube_resources *resources,
                                               const char *kind, const char *api_version);

/* Percent-encoded. `name_space` "": in none, or in all; `name` "": the collection. */
const char *kube_resource_path(struct arena *arena, const struct kube_resource *resource,
                               const char *name_space, const char *name);

#endif
