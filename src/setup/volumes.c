/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Volumes are not bound while a cluster is explored: a claim that names its
 * volume restricts its pods to the nodes that reach the volume, and every other
 * volume is assumed to be reachable from all nodes. The report says so.
 */
#include "manifest/document.h"
#include "object/storage.h"
#include "setup/setup.h"

static const char *follows(struct arena *arena, const struct setup_workload *workload,
                           const char *claim, bool given)
{
    return arena_printf(arena,
                        "the volumes of %s follow its pods to any node: PersistentVolumeClaim %s "
                        "%s",
                        workload->name, claim,
                        given ? "names no volume" : "is not among the manifests");
}

static const struct persistent_volume_claim *
find_claim(const struct objects *objects, const struct object *workload, const char *name)
{
    const struct object *claim =
        objects_find(objects, OBJECT_PERSISTENT_VOLUME_CLAIM, workload->meta->namespace, name);
    return claim ? claim->as.persistent_volume_claim : NULL;
}

static bool names_volume(const struct persistent_volume_claim *claim)
{
    return claim->volume_name && *claim->volume_name;
}

/* The first claim template of a StatefulSet for which this is assumed. */
static const char *of_claim_template(struct arena *arena, const struct objects *objects,
                                     const struct setup_workload *workload, const char *name)
{
    const struct object *object = workload->object;
    const int32_t first = object->as.stateful_set->start_ordinal;
    for (int32_t ordinal = first; ordinal < first + workload->most; ordinal++) {
        const char *claim_name = arena_printf(arena, "%s-%s-%d", name, object->meta->name, ordinal);
        const struct persistent_volume_claim *claim = find_claim(objects, object, claim_name);
        if (!claim || !names_volume(claim))
            return follows(arena, workload, claim_name, claim != NULL);
    }
    return NULL;
}

const char *assumption_of_volumes(struct arena *arena, const struct objects *objects,
                                  const struct setup_workload *workload)
{
    const struct object *object = workload->object;
    const struct pod_spec *spec = &workload_template(object)->spec;
    for (uint32_t v = 0; v < spec->volume_count; v++) {
        const char *name = spec->volumes[v].claim_name;
        const struct persistent_volume_claim *claim =
            name ? find_claim(objects, object, name) : NULL;
        if (claim && !names_volume(claim))
            return follows(arena, workload, name, true);
    }
    const struct value *templates =
        object->kind == OBJECT_STATEFUL_SET && object->source
            ? value_find(value_find(&object->source->root, "spec"), "volumeClaimTemplates")
            : NULL;
    const char *found = NULL;
    for (uint32_t i = 0; templates && !found && i < templates->count; i++) {
        const char *name = value_find_string(value_find(&templates->items[i], "metadata"), "name");
        if (name)
            found = of_claim_template(arena, objects, workload, name);
    }
    return found;
}
