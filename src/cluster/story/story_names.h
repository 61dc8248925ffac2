/* SPDX-License-Identifier: Apache-2.0 */
/* The names of pods that a storyteller has met. */
#ifndef FATHOM_CLUSTER_STORY_STORY_NAMES_H
#define FATHOM_CLUSTER_STORY_STORY_NAMES_H

#include "cluster/forward.h"

#include <stdint.h>

/* Adds a pod of the revision with this name, which lives as long as the teller; it is nowhere
 * yet. */
uint32_t story_known_pod(struct storyteller *teller, uint32_t revision, const char *name);
/* The same with the next name that its controller gives. */
uint32_t story_new_pod(struct storyteller *teller, uint32_t revision);

#endif
