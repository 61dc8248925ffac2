/* SPDX-License-Identifier: Apache-2.0 */
/* The names along a step: it changes the configs of some nodes, and the difference of the old and
 * the new config says which pods came, went or changed their stage. */
#ifndef FATHOM_CLUSTER_STORY_STORY_FOLLOW_H
#define FATHOM_CLUSTER_STORY_STORY_FOLLOW_H

#include "cluster/forward.h"

/* Lets names, values and writes follow the step: `subjects` are the pods that it
 * has changed. */
void story_follow(struct storyteller *teller, const struct state *to);
/* The step is about a pod of its revision that waits: for a node or, on a node of its entry, for
 * a disk. Of those for one node only it is one for a node of its entry. */
void story_note_waiting(const struct story_telling *telling);

#endif
