/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/claim_places.h"
#include "decide/quota/resource_math.h"
#include "decide/scheduler/volume_lookup.h"
#include "decide/scheduler/volume_match.h"
#include "manifest/document.h"
#include "object/pod.h"
#include "object/schemas.h"
#include "object/storage_zones.h"
#include "setup/class_of_claim.h"
#include "setup/setup.h"

#include <string.h>

static const char class_annotation[] = "volume.beta.kubernetes.io/storage-class";

/* ---- volumes ---- */

static bool has_text(const char *text)
{
    return text && *text;
}

/* Does some claim name the volume, so that it is bound to that one? */
static bool is_named(const struct objects *objects, const struct persistent_volume *volume)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct persistent_volume_claim *claim = objects->items[i].as.persistent_volume_claim;
        if (objects->items[i].kind == OBJECT_PERSISTENT_VOLUME_CLAIM && claim->volume_name &&
            strcmp(claim->volume_name, volume->meta.name) == 0)
            return true;
    }
    return false;
}

/* The volume as it will be when nobody has claimed it; NULL: somebody has. */
static const struct persistent_volume *offered(struct arena *arena, const struct objects *objects,
                                               const struct persistent_volume *volume)
{
    if (is_named(objects, volume))
        return NULL;
    if (volume->phase && strcmp(volume->phase, "Pending") != 0)
        return volume;
    struct persistent_volume *copy = arena_copy(arena, volume, sizeof(*copy));
    copy->phase = "Available";
    return copy;
}

/* A volume that is reserved for the claim is the only one that it gets, and at once, whether its
 * class waits or not. */
static void find_volumes(struct arena *arena, const struct objects *objects,
                         struct claim_place *place)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_PERSISTENT_VOLUME)
            continue;
        const struct persistent_volume *volume =
            offered(arena, objects, objects->items[i].as.persistent_volume);
        if (!volume || !volume_is_possible(volume, place->claim))
            continue;
        if (volume_is_for_claim(volume, place->claim)) {
            place->is_reserved = place->at_once = true;
            place->is_made = false;
            place->volumes.count = 0;
            VEC_PUSH(arena, &place->volumes, volume);
            return;
        }
        if (volume_is_free(volume, place->claim))
            VEC_PUSH(arena, &place->volumes, volume);
    }
}

/* May some node be out of its reach? */
static bool is_somewhere(const struct persistent_volume *volume)
{
    for (uint32_t i = 0; i < VOLUME_ZONE_LABELS; i++)
        if (labels_find(&volume->meta.labels, volume_zone_labels[i]))
            return true;
    return volume->node_affinity != NULL;
}

/* Volumes that all nodes reach keep no pod anywhere. They matter where the claim's class has
 * others, too: who takes one leaves the other. */
static bool volumes_matter(const struct objects *objects, const char *class)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct persistent_volume *volume = objects->items[i].as.persistent_volume;
        if (objects->items[i].kind == OBJECT_PERSISTENT_VOLUME && is_somewhere(volume) &&
            strcmp(volume_class_of(volume), class) == 0)
            return true;
    }
    return false;
}

/* Does nobody make volumes for the claim, so that its pods wait for ever if there is none? So it is
 * of the class "", too, if the claim says so itself. */
static bool is_only_given(const struct claim_place *place)
{
    const struct persistent_volume_claim *claim = place->claim;
    if (!place->class)
        return (claim->storage_class_name ||
                labels_find(&claim->meta.annotations, class_annotation)) &&
               !*volume_class_of_claim(claim);
    return place->class->provisioner &&
           strcmp(place->class->provisioner, "kubernetes.io/no-provisioner") == 0;
}

/* ---- claims ---- */

/* Pods that may be alone with their claim are told apart by it (VolumeRestrictions). */
static bool is_of_one_pod(const struct string_list *modes)
{
    for (uint32_t i = 0; i < modes->count; i++)
        if (strcmp(modes->items[i], "ReadWriteOncePod") == 0)
            return true;
    return false;
}

static const struct storage_class *class_of(const struct objects *objects,
                                            const struct persistent_volume_claim *claim)
{
    const char *annotated = labels_find(&claim->meta.annotations, class_annotation);
    return class_of_claim(objects, annotated ? annotated : claim->storage_class_name);
}

static bool binds_at_once(const struct storage_class *class)
{
    return !class || class->volume_binding_mode != VOLUME_BINDING_WAIT_FOR_FIRST_CONSUMER;
}

bool claim_is_at_once(const struct objects *objects, const struct persistent_volume_claim *claim)
{
    return binds_at_once(class_of(objects, claim));
}

void claim_place_find(struct arena *arena, const struct objects *objects,
                      const struct persistent_volume_claim *claim, struct claim_place *place)
{
    struct persistent_volume_claim *wanted = arena_copy(arena, claim, sizeof(*wanted));
    *place = (struct claim_place){.name = claim->meta.name, .claim = wanted, .is_given = true};
    place->class = class_of(objects, claim);
    if (place->class)
        wanted->storage_class_name = place->class->meta.name;
    place->at_once = binds_at_once(place->class);
    place->is_made = place->class && storage_class_is_zonal(place->class);
    find_volumes(arena, objects, place);
}

bool claim_has_place(struct arena *arena, const struct objects *objects,
                     const struct persistent_volume_claim *claim, struct claim_place *place)
{
    *place = (struct claim_place){.name = claim->meta.name, .claim = claim, .is_given = true};
    if (has_text(claim->volume_name) ||
        labels_find(&claim->meta.annotations, "volume.kubernetes.io/selected-node"))
        return false;
    claim_place_find(arena, objects, claim, place);
    if (place->volumes.count > 0 || is_only_given(place))
        return place->is_made || volumes_matter(objects, volume_class_of_claim(place->claim));
    place->volumes.count = 0;
    return place->is_made && (place->at_once || !is_of_one_pod(&claim->access_modes));
}

/* The template of the claim of the workload's ephemeral volume; NULL: it is not where such objects
 * have their pods. */
static const struct value *ephemeral_template(const struct object *workload, const char *volume)
{
    static const char *const ways[][5] = {
        {"spec", "template", "spec"},
        {"spec", "jobTemplate", "spec", "template", "spec"},
        {"spec", "jobTargetRef", "template", "spec"},
    };
    for (size_t w = 0; w < sizeof(ways) / sizeof(*ways); w++) {
        const struct value *at = workload->source ? &workload->source->root : NULL;
        for (uint32_t k = 0; k < 5 && ways[w][k]; k++)
            at = value_find(at, ways[w][k]);
        const struct value *volumes = value_find(at, "volumes");
        for (uint32_t v = 0; volumes && v < volumes->count; v++) {
            const char *name = value_find_string(&volumes->items[v], "name");
            if (name && strcmp(name, volume) == 0)
                return value_find(value_find(&volumes->items[v], "ephemeral"),
                                  "volumeClaimTemplate");
        }
    }
    return NULL;
}

bool ephemeral_has_place(const struct objects *objects, const struct object *workload,
                         const char *volume, bool zones_differ)
{
    const struct value *template = ephemeral_template(workload, volume);
    const char *annotated = value_find_string(
        value_find(value_find(template, "metadata"), "annotations"), class_annotation);
    const char *name =
        annotated ? annotated : value_find_string(value_find(template, "spec"), "storageClassName");
    const struct storage_class *class = class_of_claim(objects, name);
    if (class && (class->volume_binding_mode == VOLUME_BINDING_WAIT_FOR_FIRST_CONSUMER
                      ? class->allowed_topology_count > 0
                      : storage_class_is_zonal(class) &&
                            (zones_differ || class->allowed_topology_count > 0)))
        return true;
    const char *written = class ? class->meta.name : name;
    return volumes_matter(objects, written ? written : "");
}

static const struct persistent_volume_claim *find_claim(const struct objects *objects,
                                                        const char *namespace, const char *name)
{
    const struct object *claim =
        objects_find(objects, OBJECT_PERSISTENT_VOLUME_CLAIM, namespace, name);
    return claim ? claim->as.persistent_volume_claim : NULL;
}

static void add_place(struct arena *arena, const struct objects *objects,
                      const struct persistent_volume_claim *claim, bool given,
                      struct claim_places *places)
{
    struct claim_place place;
    for (uint32_t i = 0; i < places->count; i++)
        if (strcmp(places->items[i].name, claim->meta.name) == 0)
            return;
    if (!claim_has_place(arena, objects, claim, &place))
        return;
    place.is_given = given;
    VEC_PUSH(arena, places, place);
}

/* ---- StatefulSets ---- */

bool stateful_set_deletes_claims(const struct object *stateful_set)
{
    const struct value *root = stateful_set->source ? &stateful_set->source->root : NULL;
    const char *policy = value_find_string(
        value_find(value_find(root, "spec"), "persistentVolumeClaimRetentionPolicy"), "whenScaled");
    return policy && strcmp(policy, "Delete") == 0;
}

static const struct value *claim_templates(const struct object *stateful_set)
{
    const struct value *root = stateful_set->source ? &stateful_set->source->root : NULL;
    return value_find(value_find(root, "spec"), "volumeClaimTemplates");
}

static struct string_list read_modes(struct arena *arena, const struct value *modes)
{
    const uint32_t count = modes && modes->kind == VALUE_SEQUENCE ? modes->count : 0;
    const char **items = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        items[i] = modes->items[i].text ? modes->items[i].text : "";
    return (struct string_list){items, count};
}

/* The claim of this name that the template makes. */
static struct persistent_volume_claim *make_claim(struct arena *arena, const struct value *template,
                                                  const char *namespace, const char *name)
{
    const struct value *spec = value_find(template, "spec");
    const struct value *requests = value_find(value_find(spec, "resources"), "requests");
    const struct value *storage = value_find(requests, "storage");
    struct persistent_volume_claim *claim = ARENA_NEW(arena, struct persistent_volume_claim);
    claim->meta.name = name;
    claim->meta.namespace = namespace;
    claim->meta.deletion_time = TIME_NONE;
    claim->storage_class_name = value_find_string(spec, "storageClassName");
    const char *annotated = value_find_string(
        value_find(value_find(template, "metadata"), "annotations"), class_annotation);
    if (annotated)
        labels_set(arena, &claim->meta.annotations, class_annotation, annotated);
    claim->volume_mode = value_find_string(spec, "volumeMode");
    claim->access_modes = read_modes(arena, value_find(spec, "accessModes"));
    struct quantity quantity;
    const char *why;
    if (storage && storage->text && quantity_parse(storage->text, &quantity, &why))
        resources_put(arena, &claim->requests, "storage", quantity);
    return claim;
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
                            struct claim_places *places)
{
    const struct value *templates = claim_templates(stateful_set);
    const char *namespace = stateful_set->meta->namespace;
    for (uint32_t i = 0; templates && i < templates->count; i++) {
        const struct value *of = &templates->items[i];
        const char *template = value_find_string(value_find(of, "metadata"), "name");
        if (!template)
            continue;
        const char *name = arena_printf(arena, "%s-%s", template, pod);
        const struct persistent_volume_claim *given = find_claim(objects, namespace, name);
        const uint32_t before = places->count;
        add_place(arena, objects, given ? given : make_claim(arena, of, namespace, name),
                  given != NULL, places);
        if (places->count > before && stateful_set_deletes_claims(stateful_set) &&
            claim_place_is_plain(&places->items[before]))
            places->count = before;
    }
}

/* What keeps the pods of this claim in place, though it is none of `places`; NULL: nothing. */
static const char *not_modelled(const struct value *template, const struct claim_place *place,
                                const struct claim_places *places)
{
    const struct value *spec = value_find(template, "spec");
    if (value_find(spec, "selector"))
        return "a selector";
    if (has_text(value_find_string(spec, "volumeName")))
        return "a volumeName";
    if (place->at_once || place->class->allowed_topology_count == 0)
        return NULL;
    for (uint32_t i = 0; i < places->count; i++)
        if (strcmp(places->items[i].name, place->name) == 0)
            return NULL;
    return "allowedTopologies of its StorageClass";
}

const char *claim_template_not_modelled(struct arena *arena, const struct objects *objects,
                                        const struct object *stateful_set, const char *first)
{
    const struct value *templates = claim_templates(stateful_set);
    const char *namespace = stateful_set->meta->namespace;
    const struct claim_places places = claim_places_of_ordinal(arena, objects, stateful_set, first);
    for (uint32_t i = 0; templates && i < templates->count; i++) {
        const struct value *of = &templates->items[i];
        const char *template = value_find_string(value_find(of, "metadata"), "name");
        const char *name = arena_printf(arena, "%s-%s", template ? template : "", first);
        struct claim_place place;
        if (!template || find_claim(objects, namespace, name))
            continue;
        claim_place_find(arena, objects, make_claim(arena, of, namespace, name), &place);
        const char *what = not_modelled(of, &place, &places);
        if (what)
            return what;
    }
    return NULL;
}

struct claim_places claim_places_of_ordinal(struct arena *arena, const struct objects *objects,
                                            const struct object *stateful_set, const char *pod)
{
    const struct pod_spec *spec = &workload_template(stateful_set)->spec;
    struct claim_places places = {0};
    add_made_claims(arena, objects, stateful_set, pod, &places);
    for (uint32_t v = 0; v < spec->volume_count; v++) {
        const char *name = spec->volumes[v].claim_name;
        const struct persistent_volume_claim *claim =
            spec->volumes[v].source == VOLUME_PERSISTENT_CLAIM && name
                ? find_claim(objects, stateful_set->meta->namespace, name)
                : NULL;
        if (claim && !is_replaced(stateful_set, spec->volumes[v].name))
            add_place(arena, objects, claim, true, &places);
    }
    return places;
}

struct claim_places claim_places_of_spec(struct arena *arena, const struct objects *objects,
                                         const char *namespace, const struct pod_spec *spec)
{
    struct claim_places places = {0};
    for (uint32_t v = 0; v < spec->volume_count; v++) {
        const char *name = spec->volumes[v].claim_name;
        const struct persistent_volume_claim *claim =
            spec->volumes[v].source == VOLUME_PERSISTENT_CLAIM && name
                ? find_claim(objects, namespace, name)
                : NULL;
        if (claim)
            add_place(arena, objects, claim, true, &places);
    }
    return places;
}

struct claim_places claim_places_modelled(struct arena *arena, const struct objects *objects,
                                          const struct object *workload,
                                          const struct pod_spec *spec, const char *pod)
{
    struct claim_places places = {0};
    if (workload->kind == OBJECT_DAEMON_SET || spec->node_name)
        return places;
    if (workload->kind == OBJECT_STATEFUL_SET)
        return claim_places_of_ordinal(arena, objects, workload, pod);
    places = claim_places_of_spec(arena, objects, workload->meta->namespace, spec);
    if (places.count > 1)
        places.count = 0;
    return places;
}
