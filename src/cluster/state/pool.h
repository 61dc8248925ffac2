/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pool: where pods are whose node makes no difference.
 *
 * Beside others that are not modelled (others.h) a pod may be bound to any node that fits. If
 * nothing asks where a pod is but the events that happen to nodes, states need not say it: all
 * pods on nodes that are up are in the pool, which is an entry of the nodes of a state in a
 * condition of its own (NODE_POOL). When something happens to a node, any of the pods in the pool
 * may turn out to be on it (pool_draw). When the node is up again, its pods come back to the pool.
 *
 * Pods that no workload looks after (bystanders of an observed start) stay on their nodes: nothing
 * moves them to another one. All others of an observed start begin in the pool, or, if little
 * happens (population.pool_keeps), on their nodes, as long as nothing happens there: as soon as a
 * pod comes or goes, those of the node are in the pool. Then it is known of some pods where they
 * are, and of all others as little as ever.
 *
 * Each run with nodes is a run with the pool: what is left of a state if it is not said which of
 * the nodes that are up has which pods. So what holds with the pool holds with nodes.
 */
#ifndef FATHOM_CLUSTER_STATE_POOL_H
#define FATHOM_CLUSTER_STATE_POOL_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* The entry of the pool. */
uint32_t pool_entry(struct worker *worker, const struct state *state);
/* Is a pod on a node that is up, and not in the pool? Not counted are nodes to which nothing has
 * happened since `before`, if they keep their pods. */
bool pool_lacks(struct worker *worker, const struct state *state, const struct state *before);
/* Puts all pods that are on nodes that are up into the pool, but for those of such nodes. */
void pool_collect(struct worker *worker, struct state *state, const struct state *before);
/* The same where runs begin. */
void pool_begin(struct worker *worker, struct state *state);
/* Which nodes may get pods at once. */
struct pool_nodes {
    const char *key; /* of a label: several with one value of it; NULL: one */
    bool one_of_all; /* of each entry one, which stands for all of its nodes */
    /* By entry: at most so many pods can be on one node of it; NULL: any number. */
    const uint32_t *most;
};

/* Calls `use` with the state for each choice of some pods of the pool, and each choice of nodes
 * that are up, after these nodes have got the pods, in every way. False: the choices are too many.
 */
bool pool_draw(struct worker *worker, const struct state *state, struct pool_nodes nodes,
               void (*use)(void *context, const struct state *drawn), void *context);

#endif
