/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pod that waits and has a volume in some zone is of another class than one whose volume is not
 * made yet: it has a claim that is bound to a volume with the node affinity that its provisioner
 * gives it. So the scheduler's own plugins keep it in the zone.
 */
#include "cluster/build/build_homes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/volume_lookup.h"
#include "object/schemas.h"
#include "object/storage_zones.h"
#include "setup/zonal_claims.h"

#include <string.h>

/* True if there is a node outside of a zone that volumes can be in. */
static bool find_zones(struct population *population)
{
    bool without = false;
    for (uint32_t g = 0; g < population->scope->group_count; g++) {
        const char *zone = labels_find(&population->scope->groups[g].node->meta.labels, LABEL_ZONE);
        bool known = !zone;
        for (uint32_t z = 0; zone && z < population->zones.count; z++)
            known |= strcmp(population->zones.items[z], zone) == 0;
        if (!known)
            VEC_PUSH(&population->arena, &population->zones, zone);
        without |= !zone;
    }
    return population->zones.count > 1 || (population->zones.count == 1 && without);
}

/* The claims whose volumes stay with the pods of the revision. */
static struct claim_names claims_of(struct population *population, const struct revision *revision)
{
    struct arena *arena = &population->arena;
    const struct objects *objects = population->scope->objects;
    const struct object_meta *meta = &revision->pod->meta;
    struct claim_names names = {0};
    if (revision->workload >= population->managed_count || revision->node_name ||
        revision->daemon_set)
        return names;
    if (revision->ordinal >= 0)
        return stateful_pod_zonal_claims(
            arena, objects, population->workloads.items[revision->workload].setup->object,
            meta->name);
    const char *claim = pod_zonal_claim(objects, meta->namespace, &revision->pod->spec);
    if (claim)
        VEC_PUSH(arena, &names, claim);
    return names;
}

/* Do pods of both have a claim in common? */
static bool share_claim(const struct population *population, const struct claim_names *claims,
                        uint32_t one, uint32_t other)
{
    const struct revision *revisions = population->revisions.items;
    if (strcmp(revisions[one].pod->meta.namespace, revisions[other].pod->meta.namespace) != 0)
        return false;
    for (uint32_t i = 0; i < claims[one].count; i++)
        for (uint32_t k = 0; k < claims[other].count; k++)
            if (strcmp(claims[one].items[i], claims[other].items[k]) == 0)
                return true;
    return false;
}

/* Gives all revisions that have claims in common, by way of others, too, one number: that of the
 * first of them. */
static void join_revisions(const struct population *population, const struct claim_names *claims,
                           uint32_t *first)
{
    const uint32_t count = population->revisions.count;
    for (uint32_t r = 0; r < count; r++)
        first[r] = r;
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t q = 0; q < r; q++) {
            const uint32_t from = first[r] > first[q] ? first[r] : first[q];
            const uint32_t into = first[r] > first[q] ? first[q] : first[r];
            if (from == into || !share_claim(population, claims, r, q))
                continue;
            for (uint32_t i = 0; i <= r; i++)
                first[i] = first[i] == from ? into : first[i];
        }
}

void find_homes(struct population *population)
{
    struct arena *arena = &population->arena;
    const uint32_t count = population->revisions.count;
    /* A dump has the claims of its pods, or nothing is known of their volumes. */
    if (population->scope->start == START_OBSERVED || !find_zones(population))
        return;
    struct claim_names *claims = ARENA_ARRAY(arena, struct claim_names, count + 1);
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, count + 1);
    for (uint32_t r = 0; r < count; r++)
        claims[r] = claims_of(population, &population->revisions.items[r]);
    join_revisions(population, claims, first);
    for (uint32_t r = 0; r < count; r++) {
        struct revision *revision = &population->revisions.items[r];
        if (claims[r].count == 0)
            continue;
        revision->home =
            first[r] == r ? ++population->home_count : population->revisions.items[first[r]].home;
        revision->home_classes = ARENA_ARRAY(arena, uint32_t, population->zones.count);
    }
}

/* A volume in the zone, and the claim of this name that is bound to it. */
static void add_bound_claim(struct population *population, const char *namespace, const char *name,
                            const char *zone)
{
    struct arena *arena = &population->arena;
    struct surroundings *around = &population->maker->catalog->surroundings;
    struct persistent_volume *volume = ARENA_NEW(arena, struct persistent_volume);
    struct persistent_volume_claim *claim = ARENA_NEW(arena, struct persistent_volume_claim);
    struct node_selector_term *term = ARENA_NEW(arena, struct node_selector_term);
    const char **values = ARENA_ARRAY(arena, const char *, 1);
    values[0] = zone;
    const struct selector_requirement in_zone = {
        .key = LABEL_ZONE, .operator= SELECTOR_IN, .values = {values, 1}};
    term->match_expressions = arena_copy(arena, &in_zone, sizeof(in_zone));
    term->match_expression_count = 1;
    volume->meta.name = arena_printf(arena, "%s/%s", namespace, name);
    volume->meta.deletion_time = TIME_NONE;
    volume->storage_class_name = "";
    volume->node_affinity = ARENA_NEW(arena, struct node_selector);
    volume->node_affinity->terms = term;
    volume->node_affinity->term_count = 1;
    claim->meta.name = name;
    claim->meta.namespace = namespace;
    claim->meta.deletion_time = TIME_NONE;
    claim->volume_name = volume->meta.name;
    labels_set(arena, &claim->meta.annotations, "pv.kubernetes.io/bind-completed", "yes");
    VEC_PUSH(arena, &around->volumes, volume);
    VEC_PUSH(arena, &around->claims, claim);
}

/* Is the volume one of those that are in the zone? */
static bool is_at_home(const struct population *population, const struct pod *pod,
                       const struct volume *volume)
{
    const struct object *claim =
        volume->source == VOLUME_PERSISTENT_CLAIM && volume->claim_name
            ? objects_find(population->scope->objects, OBJECT_PERSISTENT_VOLUME_CLAIM,
                           pod->meta.namespace, volume->claim_name)
            : NULL;
    return claim && claim_is_zonal(population->scope->objects, claim->as.persistent_volume_claim);
}

struct pod *pod_at_home(struct population *population, const struct revision *revision,
                        uint32_t zone)
{
    struct arena *arena = &population->arena;
    struct pod *pod = arena_copy(arena, revision->pod, sizeof(*pod));
    struct volume *volumes = ARENA_ARRAY(arena, struct volume, pod->spec.volume_count + 1);
    /* No object has such a name. */
    const char *name = arena_printf(arena, "in zone %s", population->zones.items[zone]);
    uint32_t count = 0;
    if (!volume_find_claim(population->catalog, pod->meta.namespace, name))
        add_bound_claim(population, pod->meta.namespace, name, population->zones.items[zone]);
    for (uint32_t v = 0; v < pod->spec.volume_count; v++)
        if (!is_at_home(population, pod, &pod->spec.volumes[v]))
            volumes[count++] = pod->spec.volumes[v];
    volumes[count++] =
        (struct volume){.name = name, .source = VOLUME_PERSISTENT_CLAIM, .claim_name = name};
    pod->spec.volumes = volumes;
    pod->spec.volume_count = count;
    return pod;
}
