/* SPDX-License-Identifier: Apache-2.0 */
/* Which toleration tolerates which taint, after the API's Toleration.ToleratesTaint. */
#include "object/taint.h"

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
