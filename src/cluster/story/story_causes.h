/* SPDX-License-Identifier: Apache-2.0 */
/* Which earlier steps a step goes back to. */
#ifndef FATHOM_CLUSTER_STORY_STORY_CAUSES_H
#define FATHOM_CLUSTER_STORY_STORY_CAUSES_H

#include "cluster/forward.h"

/* Tells the causes of the step, whose writes are the last ones. */
void story_find_causes(const struct story_telling *telling);

#endif
