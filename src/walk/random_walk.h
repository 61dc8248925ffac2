/* SPDX-License-Identifier: Apache-2.0 */
/* A walk that is left to chance. */
#ifndef FATHOM_WALK_RANDOM_WALK_H
#define FATHOM_WALK_RANDOM_WALK_H

#include "walk/walk.h"

/* One of the walk's choices, by a generator whose state is `random`: the same state gives the
 * same choice. At rest it is as likely that nothing more comes as any of the events;
 * UINT32_MAX: nothing more comes. */
uint32_t walk_choose_at_random(const struct walk *walk, uint64_t *random);

#endif
