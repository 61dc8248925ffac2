/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLUSTER_STORY_WORDS_VOLUMES_H
#define FATHOM_CLUSTER_STORY_WORDS_VOLUMES_H

#include "cluster/story/story_internal.h"

/* The claim that the step binds, and to what; "" for other steps. */
const char *words_claim(const struct story_telling *telling);
const char *words_volume(const struct story_telling *telling);

#endif
