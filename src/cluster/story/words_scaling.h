/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences about what the cluster autoscaler does to groups of nodes. */
#ifndef FATHOM_CLUSTER_STORY_WORDS_SCALING_H
#define FATHOM_CLUSTER_STORY_WORDS_SCALING_H

#include "cluster/forward.h"

/* "cluster-autoscaler adds a node to group pool: pod default/web-1-4 does not fit" */
void words_describe_growth(const struct story_telling *telling, struct text *text);
/* "cluster-autoscaler removes node pool-2 of group pool, which it does not need" */
void words_describe_removal(const struct story_telling *telling, struct text *text);

#endif
