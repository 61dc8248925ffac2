/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes that there are at the start, and what they look like in every condition that they may
 * come into: a template each. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_NODES_H
#define FATHOM_CLUSTER_BUILD_BUILD_NODES_H

#include "cluster/forward.h"
#include "cluster/state/nodes.h"

#include <stdbool.h>
#include <stdint.h>

/* Adds what nodes look like to the catalog, and its meaning to the model. */
uint32_t add_node_template(struct population *population, const struct node *node, bool named,
                           struct template_info info);
/* The nodes of the setup, with templates for all that may become of them. */
void population_add_nodes(struct population *population, struct state *state);
/* Does some setup have a node with a name of its own in a group whose nodes are alike? */
bool nodes_may_be_mentioned(const struct scope *scope);
/* How many nodes may be entries of their own at most, because they are mentioned. */
uint32_t nodes_by_name_most(const struct population *population);

/* Of the nodes of a group, each by its number: the last one that is mentioned among so many, and
 * the first one beyond them; 0: there is none. */
struct mentioned_nodes {
    int32_t last;
    int32_t next;
};
struct mentioned_nodes nodes_mentioned(const struct population *population, uint32_t group,
                                       int32_t count);

/* The template of nodes of this kind where runs begin. */
uint32_t first_template(const struct population *population, const struct node_kind *kind);

#endif
