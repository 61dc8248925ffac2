/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences about steps that are more than a row of state/actions.def with its values: those that
 * list what changed between the two states, and those of events, which are in the rows of event/. .
 */
#ifndef FATHOM_CLUSTER_STORY_WORDS_SPECIAL_H
#define FATHOM_CLUSTER_STORY_WORDS_SPECIAL_H

#include "cluster/forward.h"

#include <stdbool.h>

/* Tells what has no plain sentence of its own row; false: it has no special words either. */
bool words_describe_specially(const struct story_telling *telling, struct text *text);
/* ": web goes from 2 to 1 replicas" for each workload that comes or is to be of another size; in
 * the scratch arena. */
const char *words_replicas(const struct story_telling *telling);

#endif
