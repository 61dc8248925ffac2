/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many pods of one revision can be on one node, beside others that are not modelled (others.h).
 *
 * In the pool (state/pool.h) it is not known which node has which pods. But scores spread the pods
 * of a ReplicaSet, and others can be in the way of few nodes only (best_beside.h), so that no node
 * has all of them.
 */
#ifndef FATHOM_CLUSTER_ASK_GATHERING_H
#define FATHOM_CLUSTER_ASK_GATHERING_H

#include "cluster/forward.h"
#include "cluster/others.h"

#include <stdbool.h>
#include <stdint.h>

/* So many numbers it has: revisions times groups. */
uint32_t gathering_count(const struct population *population);

/* So many nodes at most are away, or have come back, when an event comes to nodes, if all events
 * together can take so many. */
uint32_t gathering_nodes_away(const struct population *population, uint32_t nodes_back);

/* So many nodes at most are away at a time: of those that are drained only so many as may be at
 * once, because they come back without pods; UINT32_MAX: nobody knows. */
uint32_t gathering_nodes_at_once(const struct population *population);

/* Pods that no workload looks after are where they are in the dump, or gone. Adds them to the kinds
 * of pods that others have, as if they could be anywhere; gives how many kinds these are. Not added
 * are those on nodes to which no pod of the model goes. */
uint32_t gathering_add_bystanders(struct worker *worker, struct pods_held *kinds);

/* The pods that do not terminate on one node that is up at most, by kind of pods as `held` has
 * them, where runs start from a dump. UINT32_MAX where nobody knows. Otherwise as below. */
void gathering_on_node(struct worker *worker, const struct room_held *held, uint32_t *on_node,
                       bool *images_decide);

/* Finds the most pods that do not terminate on one node that is up, by revision and group of the
 * scope (room is for all of them): UINT32_MAX where nobody knows. The model must be one beside
 * others, without a pool; the others of the model must have what its own workloads hold among their
 * pods, and all nodes that events may ever take among `nodes_back`. `images_decide` is set to
 * whether it is assumed which images nodes have. */
void gathering_find(struct worker *worker, uint32_t *most, bool *images_decide);

#endif
