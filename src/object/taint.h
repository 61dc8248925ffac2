/* SPDX-License-Identifier: Apache-2.0 */
/* Taints and tolerations. */
#ifndef FATHOM_OBJECT_TAINT_H
#define FATHOM_OBJECT_TAINT_H

#include "base/arena.h"
#include "object/meta.h"

enum taint_effect {
    TAINT_EFFECT_ANY, /* in a toleration: matches every effect */
    TAINT_NO_SCHEDULE,
    TAINT_PREFER_NO_SCHEDULE,
    TAINT_NO_EXECUTE,
};

struct taint {
    const char *key;
    const char *value; /* "" when absent */
    enum taint_effect effect;
    int64_t time_added;
};

enum toleration_operator { TOLERATION_EQUAL, TOLERATION_EXISTS };

struct toleration {
    const char *key; /* "": every key */
    enum toleration_operator operator;
    const char *value; /* "" when absent */
    enum taint_effect effect;
    struct optional_int toleration_seconds;
};

bool toleration_tolerates(const struct toleration *toleration, const struct taint *taint);
/* The first toleration of the list that tolerates the taint, NULL if none does. */
const struct toleration *tolerations_find(const struct toleration *tolerations, uint32_t count,
                                          const struct taint *taint);
/* The first one that tolerates a cordoned node, so that the scheduler may put pods there; NULL if
 * none does. */
const struct toleration *tolerations_find_cordon(const struct toleration *tolerations,
                                                 uint32_t count);
/* Adds a toleration; the list that others may share stays as it is. */
void tolerations_add(struct arena *arena, struct toleration **tolerations, uint32_t *count,
                     const struct toleration *added);

#endif
