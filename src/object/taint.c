/* SPDX-License-Identifier: Apache-2.0 */
/* Which toleration tolerates which taint, after the API's Toleration.ToleratesTaint; and adding
 * one. */
#include "object/taint.h"

#include "object/node.h"

#include <string.h>

bool toleration_tolerates(const struct toleration *toleration, const struct taint *taint)
{
    if (toleration->effect != TAINT_EFFECT_ANY && toleration->effect != taint->effect)
        return false;
    if (*toleration->key != '\0' && strcmp(toleration->key, taint->key) != 0)
        return false;
    return TOLERATION_EXISTS == toleration->operator|| strcmp(toleration->value, taint->value) == 0;
}

const struct toleration *tolerations_find(const struct toleration *tolerations, uint32_t count,
                                          const struct taint *taint)
{
    for (uint32_t i = 0; i < count; i++)
        if (toleration_tolerates(&tolerations[i], taint))
            return &tolerations[i];
    return NULL;
}

const struct toleration *tolerations_find_cordon(const struct toleration *tolerations,
                                                 uint32_t count)
{
    const struct taint cordon = {
        .key = TAINT_UNSCHEDULABLE, .value = "", .effect = TAINT_NO_SCHEDULE};
    return tolerations_find(tolerations, count, &cordon);
}

void tolerations_add(struct arena *arena, struct toleration **tolerations, uint32_t *count,
                     const struct toleration *added)
{
    struct toleration *longer = ARENA_ARRAY(arena, struct toleration, *count + 1);
    for (uint32_t i = 0; i < *count; i++)
        longer[i] = (*tolerations)[i];
    longer[(*count)++] = *added;
    *tolerations = longer;
}
