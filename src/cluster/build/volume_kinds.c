/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/build/volume_kinds.h"
#include "decide/scheduler/volume_match.h"
#include "setup/setup.h"

#include <string.h>

static bool place_has(const struct claim_place *place, const char *volume)
{
    for (uint32_t v = 0; v < place->volumes.count; v++)
        if (strcmp(place->volumes.items[v]->meta.name, volume) == 0)
            return true;
    return false;
}

/* Are both reached by the same nodes, before they are bound and after it? */
static bool reach_alike(const struct scope *scope, const struct persistent_volume *one,
                        const struct persistent_volume *other)
{
    for (uint32_t g = 0; g < scope->group_count; g++) {
        const struct node *node = scope->groups[g].node;
        const struct labels *labels = &node->meta.labels;
        if (volume_reaches(one, node) != volume_reaches(other, node) ||
            volume_zone_reaches(one, labels) != volume_zone_reaches(other, labels))
            return false;
    }
    return true;
}

static bool are_alike(const struct scope *scope, const struct claim_places *places,
                      const struct persistent_volume *one, const struct persistent_volume *other)
{
    for (uint32_t p = 0; p < places->count; p++)
        if (place_has(&places->items[p], one->meta.name) !=
            place_has(&places->items[p], other->meta.name))
            return false;
    return quantity_compare(*volume_storage(&one->capacity), *volume_storage(&other->capacity)) ==
               0 &&
           reach_alike(scope, one, other);
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
static bool add_volume(struct arena *arena, const struct scope *scope,
                       const struct claim_places *places, const struct persistent_volume *volume,
                       struct volume_kinds *kinds)
{
    if (is_known(kinds, volume->meta.name))
        return true;
    for (uint32_t k = 0; k < kinds->count; k++)
        if (are_alike(scope, places, kinds->items[k].volumes.items[0], volume)) {
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

bool volume_kinds_find(struct arena *arena, const struct scope *scope,
                       const struct claim_places *places, struct volume_kinds *kinds)
{
    for (uint32_t p = 0; p < places->count; p++)
        for (uint32_t v = 0; v < places->items[p].volumes.count; v++)
            if (!add_volume(arena, scope, places, places->items[p].volumes.items[v], kinds))
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
