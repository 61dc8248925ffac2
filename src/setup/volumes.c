/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A claim that names its volume restricts its pods to the nodes that reach the volume. One whose
 * volume is made in the zone of the first node (zonal_claims.h) restricts them to this zone. Every
 * other volume is assumed to be reachable from all nodes. The report says so.
 */
#include "manifest/document.h"
#include "object/storage.h"
#include "setup/setup.h"
#include "setup/zonal_claims.h"

static const char *follows(struct arena *arena, const struct setup_workload *workload,
                           const char *claim, bool given)
{
    return arena_printf(arena,
                        "the volumes of %s follow its pods to any node: PersistentVolumeClaim %s "
                        "%s",
                        workload->name, claim,
                        given ? "names no volume" : "is not among the manifests");
}

static const char *stays(struct arena *arena, const struct setup_workload *workload)
{
    return arena_printf(arena,
                        "the volumes of %s stay in the zones in which its pods are first placed",
                        workload->name);
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
                                     const struct setup_workload *workload, const char *name,
                                     bool observed)
{
    const struct object *object = workload->object;
    const int32_t first = object->as.stateful_set->start_ordinal;
    for (int32_t ordinal = first; ordinal < first + workload->most; ordinal++) {
        const char *claim_name = arena_printf(arena, "%s-%s-%d", name, object->meta->name, ordinal);
        const struct persistent_volume_claim *claim = find_claim(objects, object, claim_name);
        if (claim && names_volume(claim))
            continue;
        if (!observed &&
            stateful_pod_is_zonal(arena, objects, object,
                                  arena_printf(arena, "%s-%d", object->meta->name, ordinal)))
            return stays(arena, workload);
        return follows(arena, workload, claim_name, claim != NULL);
    }
    return NULL;
}

/* Do pods stay in the zone of the claim that their template names? Those that are for one node, or
 * name it, are not kept from it. */
static bool has_home(const struct objects *objects, const struct object *workload)
{
    const struct pod_spec *spec = &workload_template(workload)->spec;
    return workload->kind != OBJECT_DAEMON_SET && !spec->node_name &&
           pod_zonal_claim(objects, workload->meta->namespace, spec);
}

const char *assumption_of_volumes(struct arena *arena, const struct objects *objects,
                                  const struct setup_workload *workload, bool observed)
{
    const struct object *object = workload->object;
    const struct pod_spec *spec = &workload_template(object)->spec;
    for (uint32_t v = 0; v < spec->volume_count; v++) {
        const char *name = spec->volumes[v].claim_name;
        const struct persistent_volume_claim *claim =
            name ? find_claim(objects, object, name) : NULL;
        if (claim && !names_volume(claim))
            return !observed && has_home(objects, object) ? stays(arena, workload)
                                                          : follows(arena, workload, name, true);
        if (spec->volumes[v].source == VOLUME_EPHEMERAL_CLAIM)
            return arena_printf(
                arena,
                "the volumes of %s follow its pods to any node: the claim of volume "
                "%s is made with each pod",
                workload->name, spec->volumes[v].name);
    }
    const struct value *templates =
        object->kind == OBJECT_STATEFUL_SET && object->source
            ? value_find(value_find(&object->source->root, "spec"), "volumeClaimTemplates")
            : NULL;
    const char *found = NULL;
    for (uint32_t i = 0; templates && !found && i < templates->count; i++) {
        const char *name = value_find_string(value_find(&templates->items[i], "metadata"), "name");
        if (name)
            found = of_claim_template(arena, objects, workload, name, observed);
    }
    return found;
}
