/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/build/volume_kinds.h"
#include "decide/scheduler/volume_match.h"

#include <string.h>

static bool place_has(const struct claim_place *place, const char *volume)
{
    for (uint32_t v = 0; v < place->volumes.count; v++)
        if (strcmp(place->volumes.items[v]->meta.name, volume) == 0)
            return true;
    return false;
}

static bool lists_are_equal(const struct string_list *one, const struct string_list *other)
{
    bool equal = one->count == other->count;
    for (uint32_t i = 0; equal && i < one->count; i++)
        equal = strcmp(one->items[i], other->items[i]) == 0;
    return equal;
}

static bool requirements_are_equal(const struct selector_requirement *one,
                                   const struct selector_requirement *other, uint32_t count)
{
    bool equal = true;
    for (uint32_t i = 0; equal && i < count; i++)
        equal = one[i].operator== other[i].operator&& strcmp(one[i].key, other[i].key) == 0 &&
                lists_are_equal(&one[i].values, &other[i].values);
    return equal;
}

static bool terms_are_equal(const struct node_selector_term *one,
                            const struct node_selector_term *other)
{
    return one->match_expression_count == other->match_expression_count &&
           one->match_field_count == other->match_field_count &&
           requirements_are_equal(one->match_expressions, other->match_expressions,
                                  one->match_expression_count) &&
           requirements_are_equal(one->match_fields, other->match_fields, one->match_field_count);
}

static bool affinities_are_equal(const struct node_selector *one, const struct node_selector *other)
{
    if (!one || !other)
        return one == other;
    bool equal = one->term_count == other->term_count;
    for (uint32_t t = 0; equal && t < one->term_count; t++)
        equal = terms_are_equal(&one->terms[t], &other->terms[t]);
    return equal;
}

/* Are both reached by the same nodes, before they are bound and after it? It is enough to look at
 * what they say, whatever nodes there are. */
static bool reach_alike(const struct persistent_volume *one, const struct persistent_volume *other)
{
    for (uint32_t i = 0; i < VOLUME_ZONE_LABELS; i++) {
        const char *left = labels_find(&one->meta.labels, volume_zone_labels[i]);
        const char *right = labels_find(&other->meta.labels, volume_zone_labels[i]);
        if (left && right ? strcmp(left, right) != 0 : left != right)
            return false;
    }
    return affinities_are_equal(one->node_affinity, other->node_affinity);
}

static bool are_alike(const struct claim_places *places, const struct persistent_volume *one,
                      const struct persistent_volume *other)
{
    for (uint32_t p = 0; p < places->count; p++)
        if (place_has(&places->items[p], one->meta.name) !=
            place_has(&places->items[p], other->meta.name))
            return false;
    return quantity_compare(*volume_storage(&one->capacity), *volume_storage(&other->capacity)) ==
               0 &&
           reach_alike(one, other);
}

static bool is_known(const struct volume_kinds *kinds, const char *volume)
{
    for (uint32_t k = 0; k < kinds->count; k++)
        for (uint32_t v = 0; v < kinds->items[k].volumes.count; v++)
            if (strcmp(kinds->items[k].volumes.items[v]->meta.name, volume) == 0)
                return true;
    return false;
}

/* False: it would be one kind too many. */
static bool add_volume(struct arena *arena, const struct claim_places *places,
                       const struct persistent_volume *volume, struct volume_kinds *kinds)
{
    if (is_known(kinds, volume->meta.name))
        return true;
    for (uint32_t k = 0; k < kinds->count; k++)
        if (are_alike(places, kinds->items[k].volumes.items[0], volume)) {
            VEC_PUSH(arena, &kinds->items[k].volumes, volume);
            return true;
        }
    if (kinds->count == VOLUME_KINDS_MOST)
        return false;
    struct volume_kind kind = {0};
    VEC_PUSH(arena, &kind.volumes, volume);
    VEC_PUSH(arena, kinds, kind);
    return true;
}

bool volume_kinds_find(struct arena *arena, const struct claim_places *places,
                       struct volume_kinds *kinds)
{
    for (uint32_t p = 0; p < places->count; p++)
        for (uint32_t v = 0; v < places->items[p].volumes.count; v++)
            if (!add_volume(arena, places, places->items[p].volumes.items[v], kinds))
                return false;
    return true;
}

uint32_t volume_kinds_of(const struct volume_kinds *kinds, const struct claim_place *place)
{
    uint32_t bits = 0;
    for (uint32_t k = 0; k < kinds->count; k++)
        if (place_has(place, kinds->items[k].volumes.items[0]->meta.name))
            bits |= UINT32_C(1) << k;
    return bits;
}
