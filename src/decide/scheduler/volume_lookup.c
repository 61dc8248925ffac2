/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/volume_lookup.h"

#include <string.h>

static const char class_annotation[] = "volume.beta.kubernetes.io/storage-class";

const char *volume_claim_name(struct arena *arena, const struct pod *pod,
                              const struct volume *volume)
{
    if (volume->source == VOLUME_PERSISTENT_CLAIM)
        return volume->claim_name;
    if (volume->source == VOLUME_EPHEMERAL_CLAIM)
        return arena_printf(arena, "%s-%s", pod->meta.name, volume->name);
    return NULL;
}

const struct persistent_volume_claim *volume_find_claim(const struct catalog *catalog,
                                                        const char *namespace, const char *name)
{
    for (uint32_t i = 0; i < catalog->surroundings.claims.count; i++) {
        const struct persistent_volume_claim *claim = catalog->surroundings.claims.items[i];
        if (strcmp(claim->meta.name, name) == 0 && strcmp(claim->meta.namespace, namespace) == 0)
            return claim;
    }
    return NULL;
}

const struct persistent_volume *volume_find(const struct catalog *catalog, const char *name)
{
    for (uint32_t i = 0; i < catalog->surroundings.volumes.count; i++)
        if (strcmp(catalog->surroundings.volumes.items[i]->meta.name, name) == 0)
            return catalog->surroundings.volumes.items[i];
    return NULL;
}

const struct storage_class *volume_find_class(const struct catalog *catalog, const char *name)
{
    for (uint32_t i = 0; i < catalog->surroundings.storage_classes.count; i++)
        if (strcmp(catalog->surroundings.storage_classes.items[i]->meta.name, name) == 0)
            return catalog->surroundings.storage_classes.items[i];
    return NULL;
}

const char *volume_class_of_claim(const struct persistent_volume_claim *claim)
{
    const char *annotated = labels_find(&claim->meta.annotations, class_annotation);
    if (annotated)
        return annotated;
    return claim->storage_class_name ? claim->storage_class_name : "";
}

const char *volume_class_of(const struct persistent_volume *volume)
{
    const char *annotated = labels_find(&volume->meta.annotations, class_annotation);
    if (annotated)
        return annotated;
    return volume->storage_class_name ? volume->storage_class_name : "";
}

/* Has the pod a volume that another pod may have, or want, too? Nobody else has its empty
 * directories, and what comes from ConfigMaps and the like is there for all. */
static bool is_disk(const struct volume *volume)
{
    return volume->source != VOLUME_OTHER && volume->source != VOLUME_EMPTY_DIR &&
           volume->source != VOLUME_HOST_PATH;
}

/* The volume that the claim is bound to; NULL: it is not known to be bound. */
static const char *bound_volume(const struct catalog *catalog, const struct pod *pod,
                                const struct volume *volume)
{
    const struct persistent_volume_claim *claim =
        volume->source == VOLUME_PERSISTENT_CLAIM
            ? volume_find_claim(catalog, pod->meta.namespace, volume->claim_name)
            : NULL;
    return claim && claim->volume_name && claim->volume_name[0] ? claim->volume_name : NULL;
}

bool volume_looks_at(struct catalog *catalog, const struct pod *own, const struct pod *other)
{
    for (uint32_t v = 0; v < own->spec.volume_count; v++)
        for (uint32_t w = 0; w < other->spec.volume_count; w++) {
            const struct volume *one = &own->spec.volumes[v];
            const struct volume *two = &other->spec.volumes[w];
            if (!is_disk(one) || !is_disk(two))
                continue;
            const char *first = bound_volume(catalog, own, one);
            const char *second = bound_volume(catalog, other, two);
            if (!first || !second || strcmp(first, second) == 0)
                return true;
        }
    return false;
}

bool volume_only_room(const struct pod_shape *shape)
{
    return shape->pod->spec.volume_count == 0;
}
