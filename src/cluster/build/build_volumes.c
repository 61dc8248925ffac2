/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The volumes of pods. The controller that binds claims to volumes is not part
 * of the model: claims that name a volume are bound to it from the start, and
 * those that wait for nothing but that controller are left out (setup/volumes.c
 * says so in the report).
 */
#include "cluster/build/build_volumes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "decide/scheduler/volume_lookup.h"
#include "manifest/document.h"
#include "object/schemas.h"
#include "object/storage.h"

#include <string.h>

#define ANNOTATION_BOUND "pv.kubernetes.io/bind-completed"

static bool names_volume(const struct persistent_volume_claim *claim)
{
    return claim->volume_name && *claim->volume_name;
}

/* The first claim that names the volume; NULL: none does. */
static const struct persistent_volume_claim *
claim_that_names(const struct surroundings *around, const struct persistent_volume *volume)
{
    for (uint32_t c = 0; c < around->claims.count; c++) {
        const struct persistent_volume_claim *claim = around->claims.items[c];
        if (names_volume(claim) && strcmp(claim->volume_name, volume->meta.name) == 0)
            return claim;
    }
    return NULL;
}

/* A volume of which nothing is said is free, or belongs to the claim that names it. */
static void offer_volume(struct arena *arena, struct surroundings *around, uint32_t number)
{
    struct persistent_volume *volume =
        arena_copy(arena, around->volumes.items[number], sizeof(*volume));
    const struct persistent_volume_claim *claim = claim_that_names(around, volume);
    if (claim && !volume->claim) {
        struct claim_reference *reference = ARENA_NEW(arena, struct claim_reference);
        reference->namespace = claim->meta.namespace;
        reference->name = claim->meta.name;
        volume->claim = reference;
    }
    if (!volume->phase || strcmp(volume->phase, "Pending") == 0)
        volume->phase = "Available";
    around->volumes.items[number] = volume;
}

/* Claims that name their volume are bound to it. */
void claims_bind(struct population *population)
{
    struct surroundings *around = &population->maker->catalog->surroundings;
    for (uint32_t v = 0; v < around->volumes.count; v++)
        offer_volume(&population->arena, around, v);
    for (uint32_t c = 0; c < around->claims.count; c++) {
        if (!names_volume(around->claims.items[c]) ||
            labels_find(&around->claims.items[c]->meta.annotations, ANNOTATION_BOUND))
            continue;
        struct persistent_volume_claim *bound =
            arena_copy(&population->arena, around->claims.items[c], sizeof(*bound));
        labels_set(&population->arena, &bound->meta.annotations, ANNOTATION_BOUND, "yes");
        around->claims.items[c] = bound;
    }
}

/* Neither bound nor to be bound by the scheduler: it could be anywhere. */
static bool is_loose(const struct catalog *catalog, const struct persistent_volume_claim *claim)
{
    const struct storage_class *class = volume_find_class(catalog, volume_class_of_claim(claim));
    return !names_volume(claim) &&
           !(class && class->volume_binding_mode == VOLUME_BINDING_WAIT_FOR_FIRST_CONSUMER);
}

/* The volumes without those of this name, and with this claim (NULL: none). */
static void set_claim(struct arena *arena, struct pod_spec *spec, const char *name,
                      const char *claim)
{
    struct volume *volumes = ARENA_ARRAY(arena, struct volume, spec->volume_count + 1);
    uint32_t count = 0;
    for (uint32_t v = 0; v < spec->volume_count; v++)
        if (strcmp(spec->volumes[v].name, name) != 0)
            volumes[count++] = spec->volumes[v];
    if (claim)
        volumes[count++] =
            (struct volume){.name = name, .source = VOLUME_PERSISTENT_CLAIM, .claim_name = claim};
    spec->volumes = volumes;
    spec->volume_count = count;
}

/* Where a dump has no claims at all, volumes are taken to follow their pods. The claim of a generic
 * ephemeral volume is made with each pod, for the node that it comes to. */
static bool is_left_out(const struct population *population, const struct pod *pod,
                        const struct volume *volume)
{
    const struct catalog *catalog = population->catalog;
    if (volume->source == VOLUME_EPHEMERAL_CLAIM)
        return true;
    if (population->scope->start == START_OBSERVED && catalog->surroundings.claims.count == 0)
        return volume->source == VOLUME_PERSISTENT_CLAIM;
    const struct persistent_volume_claim *claim =
        volume->claim_name ? volume_find_claim(catalog, pod->meta.namespace, volume->claim_name)
                           : NULL;
    return claim && is_loose(catalog, claim);
}

void pod_drop_claims(struct population *population, struct pod *pod)
{
    struct pod_spec *spec = &pod->spec;
    struct volume *kept = ARENA_ARRAY(&population->arena, struct volume, spec->volume_count + 1);
    uint32_t count = 0;
    for (uint32_t v = 0; v < spec->volume_count; v++)
        if (!is_left_out(population, pod, &spec->volumes[v]))
            kept[count++] = spec->volumes[v];
    spec->volumes = kept;
    spec->volume_count = count;
}

/* A claim of this name takes the place of a volume in the template. One that is
 * not there is made with the pod. */
void pod_add_claims(struct population *population, const struct object *object, struct pod *pod)
{
    const struct value *templates =
        value_find(value_find(&object->source->root, "spec"), "volumeClaimTemplates");
    for (uint32_t i = 0; templates && i < templates->count; i++) {
        const char *name = value_find_string(value_find(&templates->items[i], "metadata"), "name");
        if (!name)
            continue;
        const char *claim_name = arena_printf(&population->arena, "%s-%s", name, pod->meta.name);
        const struct persistent_volume_claim *claim =
            volume_find_claim(population->catalog, pod->meta.namespace, claim_name);
        const bool ties = claim && !is_loose(population->catalog, claim);
        set_claim(&population->arena, &pod->spec, name, ties ? claim_name : NULL);
    }
}
