/* SPDX-License-Identifier: Apache-2.0 */
/* What the scheduler made of each node, for the table of a step. */
#ifndef FATHOM_CLUSTER_STORY_STORY_SCHEDULING_H
#define FATHOM_CLUSTER_STORY_STORY_SCHEDULING_H

#include "cluster/story/story_internal.h"

struct decision;

/* "n1", "n1 and n2", "n1, n2 and 13 more" */
const char *story_nodes_alike(struct arena *arena, const char **names, uint32_t count);

/* Tells the step's decision node by node. Nothing is told if the decision is not the one that the
 * step follows, which the step shows by what it does. */
void story_tell_scheduling(struct story_telling *telling, const struct decision *decision);

#endif
