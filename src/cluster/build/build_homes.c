/* SPDX-License-Identifier: Apache-2.0 */
/* Which claims have a place, and what places there are (state/homes.h). */
#include "cluster/build/build_homes.h"
#include "cluster/build/volume_kinds.h"
#include "cluster/state/homes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "object/storage_zones.h"
#include "setup/claim_places.h"

#include <string.h>

/* The zone's number. */
static uint32_t add_zone(struct population *population, const char *zone)
{
    for (uint32_t z = 0; z < population->zones.count; z++)
        if (strcmp(population->zones.items[z], zone) == 0)
            return z;
    VEC_PUSH(&population->arena, &population->zones, zone);
    return population->zones.count - 1;
}

/* True if there is a node outside of a zone that volumes can be in. */
static bool find_zones(struct population *population)
{
    bool without = false;
    for (uint32_t g = 0; g < population->scope->group_count; g++) {
        const char *zone = labels_find(&population->scope->groups[g].node->meta.labels, LABEL_ZONE);
        if (zone)
            add_zone(population, zone);
        without |= !zone;
    }
    return population->zones.count > 1 || (population->zones.count == 1 && without);
}

/* Do pods of both have a claim in common? */
static bool share_claim(const struct population *population, const struct claim_places *claims,
                        uint32_t one, uint32_t other)
{
    const struct revision *revisions = population->revisions.items;
    if (strcmp(revisions[one].pod->meta.namespace, revisions[other].pod->meta.namespace) != 0)
        return false;
    for (uint32_t i = 0; i < claims[one].count; i++)
        for (uint32_t k = 0; k < claims[other].count; k++)
            if (strcmp(claims[one].items[i].name, claims[other].items[k].name) == 0)
                return true;
    return false;
}

/* Gives all revisions that have claims in common, by way of others, too, one number: that of the
 * first of them. */
static void join_revisions(const struct population *population, const struct claim_places *claims,
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

/* A name of drivers' own for the zone, such as topology.ebs.csi.aws.com/zone, counts, too. */
static bool is_zone_key(const char *key)
{
    const size_t length = strlen(key);
    return length > 5 && strcmp(key + length - 5, "/zone") == 0;
}

/* Adds the zones that the term allows; false: it allows all. */
static bool add_zones_of_term(struct population *population, const struct node_selector_term *term,
                              uint64_t *zones)
{
    bool some = false;
    for (uint32_t i = 0; i < term->match_expression_count; i++) {
        const struct selector_requirement *requirement = &term->match_expressions[i];
        for (uint32_t v = 0; is_zone_key(requirement->key) && v < requirement->values.count; v++) {
            const uint32_t zone = add_zone(population, requirement->values.items[v]);
            some |= zone < 64;
            *zones |= zone < 64 ? UINT64_C(1) << zone : 0;
        }
    }
    return some;
}

/* The zones in which the class lets volumes be made, as bits; 0: in any. */
static uint64_t zones_of_class(struct population *population, const struct storage_class *class)
{
    uint64_t zones = 0;
    for (uint32_t i = 0; i < class->allowed_topology_count; i++)
        if (!add_zones_of_term(population, &class->allowed_topologies[i], &zones))
            return 0;
    return zones;
}

/* Is it not known from where the volumes that its class makes can be reached? */
static bool is_made_elsewhere(const struct claim_place *place)
{
    return !place->is_made && !place->is_reserved && place->class && place->class->provisioner &&
           strcmp(place->class->provisioner, "kubernetes.io/no-provisioner") != 0;
}

static struct home home_of(struct population *population, uint32_t revision,
                           const struct claim_place *place, const struct volume_kinds *kinds)
{
    return (struct home){
        .place = place,
        .revision = revision,
        .kinds = volume_kinds_of(kinds, place),
        .zones = place->is_made && place->at_once ? zones_of_class(population, place->class) : 0,
        .elsewhere = is_made_elsewhere(place),
    };
}

/* The claims of the revision's pods that have a place; those that are only made in a zone count if
 * some nodes are in another one. */
static struct claim_places claims_of(struct population *population, const struct revision *revision,
                                     bool zones_differ)
{
    struct claim_places places = {0};
    if (revision->workload >= population->managed_count || !revision->written)
        return places;
    places = claim_places_modelled(&population->arena, population->scope->objects,
                                   population->workloads.items[revision->workload].setup->object,
                                   revision->written, revision->pod->meta.name);
    if (places.count > 0 && !zones_differ && claim_place_is_of_zones(&places.items[0]))
        places.count = 0;
    return places;
}

/* Finds the volumes that are given, of all claims. */
static struct volume_kinds find_kinds(struct population *population,
                                      const struct claim_places *claims)
{
    struct claim_places all = {0};
    struct volume_kinds kinds = {0};
    for (uint32_t r = 0; r < population->revisions.count; r++)
        for (uint32_t c = 0; c < claims[r].count; c++)
            VEC_PUSH(&population->arena, &all, claims[r].items[c]);
    volume_kinds_find(&population->arena, &all, &kinds);
    population->volume_kinds = kinds.items;
    population->volume_kind_count = kinds.count;
    return kinds;
}

void find_homes(struct population *population)
{
    struct arena *arena = &population->arena;
    const uint32_t count = population->revisions.count;
    /* A dump has the claims of its pods, or nothing is known of their volumes. */
    if (population->scope->start == START_OBSERVED)
        return;
    const bool zones_differ = find_zones(population);
    struct claim_places *claims = ARENA_ARRAY(arena, struct claim_places, count + 1);
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, count + 1);
    for (uint32_t r = 0; r < count; r++)
        claims[r] = claims_of(population, &population->revisions.items[r], zones_differ);
    const struct volume_kinds kinds = find_kinds(population, claims);
    population->homes = ARENA_ARRAY(arena, struct home, count + 1);
    join_revisions(population, claims, first);
    for (uint32_t r = 0; r < count; r++) {
        struct revision *revision = &population->revisions.items[r];
        if (claims[r].count == 0)
            continue;
        revision->home = population->revisions.items[first[r]].home;
        if (first[r] != r)
            continue;
        const struct home home = home_of(population, r, &claims[r].items[0], &kinds);
        population->volumes_elsewhere |= home.elsewhere;
        population->homes[population->home_count++] = home;
        revision->home = population->home_count;
    }
}
