/* SPDX-License-Identifier: Apache-2.0 */
/* What the quota controller writes into status.used. */
#include "decide/quota/quota.h"
#include "decide/quota/resource_math.h"

#include <string.h>

/* What one object is counted for; false: nothing. */
static bool usage_of(struct arena *arena, const struct features *features,
                     const struct resource_quota *quota, const struct object *object, int64_t now,
                     struct resource_list *usage)
{
    if (object->kind == OBJECT_POD) {
        const struct pod *pod = object->as.pod;
        *usage = quota_pod_usage(arena, features, &pod->spec, quota_counts_pod(pod, now));
        return quota_matches_pod(features, quota, &pod->spec);
    }
    if (object->kind == OBJECT_PERSISTENT_VOLUME_CLAIM) {
        *usage = quota_claim_usage(arena, object->as.persistent_volume_claim);
        return quota_matches_claim(quota, object->as.persistent_volume_claim);
    }
    if (object->kind == OBJECT_SERVICE)
        *usage = quota_service_usage(arena, object->as.service);
    else
        *usage = quota_object_usage(arena, object->api_version, object->kind_name);
    return !quota_has_scopes(quota);
}

/* Is it a name that the controller can compute? */
static bool is_tracked(const char *name)
{
    return quota_name_of_pods(name) || quota_name_of_services(name) || quota_name_of_claims(name) ||
           quota_name_of_objects(name);
}

static bool is_in_namespace(const struct resource_quota *quota, const struct object *object)
{
    const char *namespace = object->meta->namespace;
    return namespace && quota->meta.namespace && strcmp(namespace, quota->meta.namespace) == 0;
}

struct resource_list quota_recalculate(struct arena *arena, const struct features *features,
                                       const struct resource_quota *quota,
                                       const struct objects *objects, int64_t now)
{
    struct resource_list used = {0};
    for (uint32_t i = 0; i < quota->hard.count; i++)
        if (is_tracked(quota->hard.items[i].name))
            resources_put(arena, &used, quota->hard.items[i].name, quantity_of(0));
    for (uint32_t i = 0; i < objects->count; i++) {
        struct resource_list usage;
        if (!is_in_namespace(quota, &objects->items[i]) ||
            !usage_of(arena, features, quota, &objects->items[i], now, &usage))
            continue;
        const struct resource_list counted = resources_mask(arena, &usage, &used);
        used = resources_add(arena, &used, &counted);
    }
    return used;
}
