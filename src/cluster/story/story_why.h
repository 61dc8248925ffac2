/* SPDX-License-Identifier: Apache-2.0 */
/* Why a step could be taken, in sentences: what its actor saw. */
#ifndef FATHOM_CLUSTER_STORY_STORY_WHY_H
#define FATHOM_CLUSTER_STORY_STORY_WHY_H

#include "cluster/forward.h"

/* Tells why the step can be taken, before the names follow it. */
void story_explain(struct story_telling *telling);

#endif
