/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a cluster, explored one node at a time (setup/part_by_node.h). */
#ifndef FATHOM_VERIFY_EXPLORE_NODES_H
#define FATHOM_VERIFY_EXPLORE_NODES_H

#include "setup/part.h"
#include "verify/setup_query.h"

/* Explores the query's setup of the part with one node of each group. The outcome has what was
 * found of any of them, and what all nodes together hold at most. */
void explore_nodes(const struct setup_query *query, const struct scope_part *part,
                   struct memory *memory, struct memory *stories, struct setup_outcome *outcome);

#endif
