/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/zonal_claims.h"
#include "base/vec.h"
#include "manifest/document.h"
#include "object/pod.h"
#include "object/storage_zones.h"
#include "setup/class_of_claim.h"
#include "setup/setup.h"

#include <string.h>

static const char class_annotation[] = "volume.beta.kubernetes.io/storage-class";

/* A volume that is there may be the one that the claim is bound to. */
static bool has_volumes(const struct objects *objects, const struct storage_class *class)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct persistent_volume *volume = objects->items[i].as.persistent_volume;
        if (objects->items[i].kind == OBJECT_PERSISTENT_VOLUME && !volume->claim &&
            volume->storage_class_name && strcmp(volume->storage_class_name, class->meta.name) == 0)
            return true;
    }
    return false;
}

static bool class_is_zonal(const struct objects *objects, const char *name)
{
    const struct storage_class *class = class_of_claim(objects, name);
    return class && storage_class_is_zonal(class) && !has_volumes(objects, class);
}

/* Pods that may be alone with their claim are told apart by it (VolumeRestrictions). */
static bool is_of_one_pod(const struct string_list *modes)
{
    for (uint32_t i = 0; i < modes->count; i++)
        if (strcmp(modes->items[i], "ReadWriteOncePod") == 0)
            return true;
    return false;
}

bool claim_is_zonal(const struct objects *objects, const struct persistent_volume_claim *claim)
{
    const char *annotated = labels_find(&claim->meta.annotations, class_annotation);
    return !(claim->volume_name && *claim->volume_name) &&
           !labels_find(&claim->meta.annotations, "volume.kubernetes.io/selected-node") &&
           !is_of_one_pod(&claim->access_modes) &&
           class_is_zonal(objects, annotated ? annotated : claim->storage_class_name);
}

static const struct persistent_volume_claim *find_claim(const struct objects *objects,
                                                        const char *namespace, const char *name)
{
    const struct object *claim =
        objects_find(objects, OBJECT_PERSISTENT_VOLUME_CLAIM, namespace, name);
    return claim ? claim->as.persistent_volume_claim : NULL;
}

/* Are claims deleted when the set gets smaller? */
static bool deletes_claims(const struct value *spec)
{
    const char *policy =
        value_find_string(value_find(spec, "persistentVolumeClaimRetentionPolicy"), "whenScaled");
    return policy && strcmp(policy, "Delete") == 0;
}

static const struct value *claim_templates(const struct object *stateful_set)
{
    const struct value *root = stateful_set->source ? &stateful_set->source->root : NULL;
    return value_find(value_find(root, "spec"), "volumeClaimTemplates");
}

/* Does the pod get a claim of its own in place of the volume of its template? */
static bool is_replaced(const struct object *stateful_set, const char *volume)
{
    const struct value *templates = claim_templates(stateful_set);
    for (uint32_t i = 0; templates && volume && i < templates->count; i++) {
        const char *name = value_find_string(value_find(&templates->items[i], "metadata"), "name");
        if (name && strcmp(name, volume) == 0)
            return true;
    }
    return false;
}

/* Adds the claims that the StatefulSet makes for its pod. */
static void add_made_claims(struct arena *arena, const struct objects *objects,
                            const struct object *stateful_set, const char *pod,
                            struct claim_names *names)
{
    const struct value *root = stateful_set->source ? &stateful_set->source->root : NULL;
    const struct value *spec = value_find(root, "spec");
    const struct value *templates = claim_templates(stateful_set);
    for (uint32_t i = 0; templates && i < templates->count && !deletes_claims(spec); i++) {
        const struct value *of = &templates->items[i];
        const char *template = value_find_string(value_find(of, "metadata"), "name");
        if (!template)
            continue;
        const char *name = arena_printf(arena, "%s-%s", template, pod);
        const struct persistent_volume_claim *claim =
            find_claim(objects, stateful_set->meta->namespace, name);
        if (claim ? claim_is_zonal(objects, claim)
                  : class_is_zonal(objects,
                                   value_find_string(value_find(of, "spec"), "storageClassName")))
            VEC_PUSH(arena, names, name);
    }
}

struct claim_names stateful_pod_zonal_claims(struct arena *arena, const struct objects *objects,
                                             const struct object *stateful_set, const char *pod)
{
    const struct pod_spec *spec = &workload_template(stateful_set)->spec;
    struct claim_names names = {0};
    add_made_claims(arena, objects, stateful_set, pod, &names);
    for (uint32_t v = 0; v < spec->volume_count; v++) {
        const char *name = spec->volumes[v].claim_name;
        const struct persistent_volume_claim *claim =
            spec->volumes[v].source == VOLUME_PERSISTENT_CLAIM && name
                ? find_claim(objects, stateful_set->meta->namespace, name)
                : NULL;
        if (claim && claim_is_zonal(objects, claim) &&
            !is_replaced(stateful_set, spec->volumes[v].name))
            VEC_PUSH(arena, &names, name);
    }
    return names;
}

bool stateful_pod_is_zonal(struct arena *arena, const struct objects *objects,
                           const struct object *stateful_set, const char *pod)
{
    return stateful_pod_zonal_claims(arena, objects, stateful_set, pod).count > 0;
}

const char *pod_zonal_claim(const struct objects *objects, const char *namespace,
                            const struct pod_spec *spec)
{
    const char *found = NULL;
    for (uint32_t v = 0; v < spec->volume_count; v++) {
        const char *name = spec->volumes[v].claim_name;
        const struct persistent_volume_claim *claim =
            spec->volumes[v].source == VOLUME_PERSISTENT_CLAIM && name
                ? find_claim(objects, namespace, name)
                : NULL;
        if (!claim || !claim_is_zonal(objects, claim))
            continue;
        if (found && strcmp(found, name) != 0)
            return NULL;
        found = name;
    }
    return found;
}
