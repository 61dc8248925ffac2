/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pod that waits and has a volume in some place is of another class than one that has none yet:
 * it has a claim that is bound to a volume with the node affinity that its provisioner gives it, or
 * that it is given. One that has none yet, and may get one of those that are given, has a claim of
 * a class of which there are no others than those that are left; one whose claim is bound at once
 * has a claim that is not bound. So the scheduler's own plugins decide where such pods can be.
 */
#include "cluster/build/build_home_pods.h"
#include "cluster/state/homes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/volume_lookup.h"
#include "object/schemas.h"
#include "object/storage_zones.h"

#include <string.h>

static struct surroundings *around(struct population *population)
{
    return &population->maker->catalog->surroundings;
}

/* ---- volumes ---- */

static struct persistent_volume *volume_in_zone(struct arena *arena, const char *zone)
{
    struct persistent_volume *volume = ARENA_NEW(arena, struct persistent_volume);
    struct node_selector_term *term = ARENA_NEW(arena, struct node_selector_term);
    const char **values = ARENA_ARRAY(arena, const char *, 1);
    values[0] = zone;
    const struct selector_requirement in_zone = {
        .key = LABEL_ZONE, .operator= SELECTOR_IN, .values = {values, 1}};
    term->match_expressions = arena_copy(arena, &in_zone, sizeof(in_zone));
    term->match_expression_count = 1;
    volume->meta.deletion_time = TIME_NONE;
    volume->storage_class_name = "";
    volume->node_affinity = ARENA_NEW(arena, struct node_selector);
    volume->node_affinity->terms = term;
    volume->node_affinity->term_count = 1;
    return volume;
}

/* The volume of a place that is not anywhere. */
static struct persistent_volume *volume_in_place(struct population *population, uint32_t place)
{
    struct arena *arena = &population->arena;
    if (place < population->zones.count)
        return volume_in_zone(arena, population->zones.items[place]);
    const struct persistent_volume *given =
        population->volume_kinds[place - population->zones.count].volumes.items[0];
    return arena_copy(arena, given, sizeof(*given));
}

/* ---- claims ---- */

/* A claim that is bound to the volume; both get names that no object has. */
static void add_bound_claim(struct population *population, const char *namespace, const char *name,
                            struct persistent_volume *volume)
{
    struct arena *arena = &population->arena;
    struct persistent_volume_claim *claim = ARENA_NEW(arena, struct persistent_volume_claim);
    volume->meta.name = arena_printf(arena, "%s/%s", namespace, name);
    volume->claim = NULL;
    claim->meta.name = name;
    claim->meta.namespace = namespace;
    claim->meta.deletion_time = TIME_NONE;
    claim->volume_name = volume->meta.name;
    labels_set(arena, &claim->meta.annotations, "pv.kubernetes.io/bind-completed", "yes");
    VEC_PUSH(arena, &around(population)->volumes, volume);
    VEC_PUSH(arena, &around(population)->claims, claim);
}

/* The class of this name that makes volumes as the home's class does, or none. */
static void add_class_of_home(struct population *population, const struct home *home,
                              const char *name)
{
    struct storage_class *class = ARENA_NEW(&population->arena, struct storage_class);
    if (home->place->class)
        *class = *home->place->class;
    else
        class->provisioner = "kubernetes.io/no-provisioner";
    class->meta.name = name;
    VEC_PUSH(&population->arena, &around(population)->storage_classes, class);
}

/* A claim of the namespace that waits for a pod, and the volumes of these kinds that it can get. */
static void add_open_claim(struct population *population, const struct home *home,
                           const char *namespace, const char *name, uint32_t kinds)
{
    struct arena *arena = &population->arena;
    struct persistent_volume_claim *claim =
        arena_copy(arena, home->place->claim, sizeof(*home->place->claim));
    claim->meta.name = name;
    claim->meta.namespace = namespace;
    claim->meta.annotations = (struct labels){0};
    claim->storage_class_name = name;
    VEC_PUSH(arena, &around(population)->claims, claim);
    add_class_of_home(population, home, name);
    for (uint32_t k = 0; k < population->volume_kind_count; k++) {
        if (!(kinds >> k & 1))
            continue;
        struct persistent_volume *volume = volume_in_place(population, population->zones.count + k);
        volume->meta.name = arena_printf(arena, "%s: %u", name, k);
        volume->meta.annotations = (struct labels){0};
        volume->storage_class_name = name;
        volume->phase = "Available";
        volume->claim = NULL;
        VEC_PUSH(arena, &around(population)->volumes, volume);
    }
}

/* A claim that is bound before any pod with it can be placed, and is not yet. */
static void add_awaited_claim(struct population *population, const char *namespace,
                              const char *name)
{
    struct persistent_volume_claim *claim =
        ARENA_NEW(&population->arena, struct persistent_volume_claim);
    claim->meta.name = name;
    claim->meta.namespace = namespace;
    claim->meta.deletion_time = TIME_NONE;
    VEC_PUSH(&population->arena, &around(population)->claims, claim);
}

/* ---- pods ---- */

/* Is the volume one of those that stay? */
static bool is_at_home(const struct claim_places *places, const struct volume *volume)
{
    if (volume->source != VOLUME_PERSISTENT_CLAIM || !volume->claim_name)
        return false;
    for (uint32_t p = 0; p < places->count; p++)
        if (strcmp(places->items[p].name, volume->claim_name) == 0)
            return true;
    return false;
}

/* The pod with the claim of this name in place of those that stay; NULL: with none. */
static struct pod *pod_with_claim(struct population *population, const struct revision *revision,
                                  const char *claim)
{
    struct arena *arena = &population->arena;
    struct pod *pod = arena_copy(arena, revision->pod, sizeof(*pod));
    struct volume *volumes = ARENA_ARRAY(arena, struct volume, pod->spec.volume_count + 1);
    const struct claim_places places =
        claim_places_modelled(arena, population->scope->objects,
                              population->workloads.items[revision->workload].setup->object,
                              revision->written, revision->pod->meta.name);
    uint32_t count = 0;
    for (uint32_t v = 0; v < pod->spec.volume_count; v++)
        if (!is_at_home(&places, &pod->spec.volumes[v]))
            volumes[count++] = pod->spec.volumes[v];
    if (claim)
        volumes[count++] =
            (struct volume){.name = claim, .source = VOLUME_PERSISTENT_CLAIM, .claim_name = claim};
    pod->spec.volumes = volumes;
    pod->spec.volume_count = count;
    return pod;
}

struct pod *pod_at_home(struct population *population, const struct revision *revision,
                        uint32_t place)
{
    const char *namespace = revision->pod->meta.namespace;
    if (place == population->zones.count + population->volume_kind_count)
        return pod_with_claim(population, revision, NULL);
    /* No object has such a name. */
    const char *name =
        place < population->zones.count
            ? arena_printf(&population->arena, "in zone %s", population->zones.items[place])
            : arena_printf(&population->arena, "in volume %u", place - population->zones.count);
    if (!volume_find_claim(population->catalog, namespace, name))
        add_bound_claim(population, namespace, name, volume_in_place(population, place));
    return pod_with_claim(population, revision, name);
}

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits > 0; bits &= bits - 1)
        count++;
    return count;
}

uint32_t open_pod_count(const struct population *population, const struct revision *revision)
{
    if (revision->home == 0)
        return 0;
    const struct home *home = &population->homes[revision->home - 1];
    if (home->place->at_once)
        return 1;
    return claim_place_is_plain(home->place) ? 0 : UINT32_C(1) << count_bits(home->kinds);
}

/* The home's kinds of the set with this number. */
static uint32_t kinds_of_set(const struct home *home, uint32_t number)
{
    uint32_t kinds = 0;
    for (uint32_t k = 0; k < 32; k++)
        if (home->kinds >> k & 1) {
            kinds |= (number & 1) << k;
            number >>= 1;
        }
    return kinds;
}

struct pod *pod_without_home(struct population *population, const struct revision *revision,
                             uint32_t number)
{
    const char *namespace = revision->pod->meta.namespace;
    const struct home *home = &population->homes[revision->home - 1];
    const bool at_once = home->place->at_once;
    const char *name =
        at_once ? "not bound yet"
                : arena_printf(&population->arena, "of home %u and set %u", revision->home, number);
    if (!volume_find_claim(population->catalog, namespace, name)) {
        if (at_once)
            add_awaited_claim(population, namespace, name);
        else
            add_open_claim(population, home, namespace, name, kinds_of_set(home, number));
    }
    return pod_with_claim(population, revision, name);
}
