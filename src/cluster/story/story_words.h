/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of a step: the object that it is about, and a sentence with the names of nodes and
 * pods. */
#ifndef FATHOM_CLUSTER_STORY_STORY_WORDS_H
#define FATHOM_CLUSTER_STORY_STORY_WORDS_H

#include "cluster/forward.h"

/* The name of the one node that the step is about; NULL: there is none. */
const char *story_node_name(const struct story_telling *telling);
/* "Pod/default/web-1", "Node/worker-1": what the step is about. */
const char *story_object(const struct story_telling *telling);
/* If a Deployment changes one of its sets, the step is about that set. */
void story_name_set(const struct story_telling *telling);
/* The sentence about it; the node and the event are told already. */
const char *story_detail(const struct story_telling *telling);

#endif
