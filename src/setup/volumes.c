/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A claim that names its volume restricts its pods to the nodes that reach the volume. One whose
 * volume is made in a zone, or is one of those that are given (claim_places.h), restricts them once
 * that is decided. Every other volume is assumed to be reachable from all nodes. The report says
 * so.
 */
#include "manifest/document.h"
#include "object/storage.h"
#include "setup/claim_places.h"
#include "setup/setup.h"

#include <string.h>

static const char *follows(struct arena *arena, const struct setup_workload *workload,
                           const char *claim, bool given)
{
    return arena_printf(arena,
                        "the volumes of %s follow its pods to any node: PersistentVolumeClaim %s "
                        "%s",
                        workload->name, claim,
                        given ? "names no volume" : "is not among the manifests");
}

/* What is said of a claim whose place the model knows; NULL: nothing, it has one of the volumes. */
static const char *stays(struct arena *arena, const struct setup_workload *workload,
                         const struct claim_place *place)
{
    if (!place->is_made)
        return NULL;
    if (place->at_once)
        return arena_printf(arena,
                            "the volumes of %s are made in any zone, before its pods are placed, "
                            "and stay there",
                            workload->name);
    return arena_printf(arena,
                        "the volumes of %s stay in the zones in which its pods are first placed",
                        workload->name);
}

/* The place of the claim of this name among those that the model knows; NULL: it has none. */
static const struct claim_place *find_place(struct arena *arena, const struct objects *objects,
                                            const struct object *workload, const char *pod,
                                            const char *claim)
{
    const struct claim_places places =
        claim_places_modelled(arena, objects, workload, &workload_template(workload)->spec, pod);
    for (uint32_t i = 0; i < places.count; i++)
        if (strcmp(places.items[i].name, claim) == 0)
            return arena_copy(arena, &places.items[i], sizeof(places.items[i]));
    return NULL;
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

/* What is assumed of a claim of the workload; NULL: nothing. */
static const char *of_claim(struct arena *arena, const struct objects *objects,
                            const struct setup_workload *workload, const char *pod,
                            const char *name, bool observed)
{
    const struct persistent_volume_claim *claim = find_claim(objects, workload->object, name);
    if (claim && names_volume(claim))
        return NULL;
    const struct claim_place *place =
        observed ? NULL : find_place(arena, objects, workload->object, pod, name);
    return place ? stays(arena, workload, place) : follows(arena, workload, name, claim != NULL);
}

static const char *pod_of(struct arena *arena, const struct object *stateful_set, int32_t ordinal)
{
    return arena_printf(arena, "%s-%d", stateful_set->meta->name, ordinal);
}

/* The first claim template of a StatefulSet for which this is assumed. */
static const char *of_claim_template(struct arena *arena, const struct objects *objects,
                                     const struct setup_workload *workload, const char *name,
                                     bool observed)
{
    const struct object *object = workload->object;
    const int32_t first = object->as.stateful_set->start_ordinal;
    const char *assumed = NULL;
    for (int32_t ordinal = first; !assumed && ordinal < first + workload->most; ordinal++) {
        const char *pod = pod_of(arena, object, ordinal);
        assumed = of_claim(arena, objects, workload, pod, arena_printf(arena, "%s-%s", name, pod),
                           observed);
    }
    return assumed;
}

/* The first volume of the template for which this is assumed. */
static const char *of_spec(struct arena *arena, const struct objects *objects,
                           const struct setup_workload *workload, bool observed)
{
    const struct object *object = workload->object;
    const struct pod_spec *spec = &workload_template(object)->spec;
    const char *pod = object->kind == OBJECT_STATEFUL_SET
                          ? pod_of(arena, object, object->as.stateful_set->start_ordinal)
                          : NULL;
    const char *assumed = NULL;
    for (uint32_t v = 0; !assumed && v < spec->volume_count; v++) {
        const char *name = spec->volumes[v].claim_name;
        if (name && find_claim(objects, object, name))
            assumed = of_claim(arena, objects, workload, pod, name, observed);
        else if (spec->volumes[v].source == VOLUME_EPHEMERAL_CLAIM)
            assumed =
                arena_printf(arena,
                             "the volumes of %s follow its pods to any node: the claim of volume "
                             "%s is made with each pod",
                             workload->name, spec->volumes[v].name);
    }
    return assumed;
}

const char *assumption_of_volumes(struct arena *arena, const struct objects *objects,
                                  const struct setup_workload *workload, bool observed)
{
    const struct object *object = workload->object;
    const struct value *templates =
        object->kind == OBJECT_STATEFUL_SET && object->source
            ? value_find(value_find(&object->source->root, "spec"), "volumeClaimTemplates")
            : NULL;
    const char *found = of_spec(arena, objects, workload, observed);
    for (uint32_t i = 0; templates && !found && i < templates->count; i++) {
        const char *name = value_find_string(value_find(&templates->items[i], "metadata"), "name");
        if (name)
            found = of_claim_template(arena, objects, workload, name, observed);
    }
    return found;
}
