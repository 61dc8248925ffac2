/* SPDX-License-Identifier: Apache-2.0 */
/* PersistentVolumes that are given, by kinds: those of one kind can be had by the same claims, and
 * are reached by the same nodes, so that it makes no difference which of them a claim gets. */
#ifndef FATHOM_CLUSTER_BUILD_VOLUME_KINDS_H
#define FATHOM_CLUSTER_BUILD_VOLUME_KINDS_H

#include "cluster/state/homes.h"

/* A claim can be bound to so many kinds at most: every set of those that are free is a class of
 * pods of its own. */
enum { VOLUME_KINDS_OF_CLAIM = 7, VOLUME_KINDS_MOST = 32 };

struct volume_kinds {
    struct volume_kind *items;
    uint32_t count;
    uint32_t capacity;
};

/* The kinds of the volumes that these claims can be bound to; VOLUME_KINDS_MOST of them at most,
 * and false if there are more. */
bool volume_kinds_find(struct arena *arena, const struct claim_places *places,
                       struct volume_kinds *kinds);
/* Those that the claim can be bound to, as bits. */
uint32_t volume_kinds_of(const struct volume_kinds *kinds, const struct claim_place *place);

#endif
