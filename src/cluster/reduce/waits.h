/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods that wait, where nobody sees them.
 *
 * A pod that is not ready may not be made yet, wait for a node, start on a node, or be on a node
 * that is down and wait for its eviction, after which another one is made. In the pool, where it is
 * not known which node has which pods (state/pool.h), these differ in little: the Deployment
 * controller counts pods that are ready, a ReplicaSet deletes those that are not first, and
 * whatever happens to a node may happen to any pod in the pool. So states need not say which of
 * them a pod is (state/waits.h): all of them are pods in the pool that have not started. Such a pod
 * becomes ready whenever one that waits finds a node. That allows more than can happen.
 *
 * Who looks at the difference declares it: actors by `minds_waits`, events by LEAVES_WAITS_ALONE,
 * intents by IGNORES_WAITING and IGNORES_LOSSES. Who says nothing looks at it. docs/fidelity.md has
 * the argument.
 */
#ifndef FATHOM_CLUSTER_REDUCE_WAITS_H
#define FATHOM_CLUSTER_REDUCE_WAITS_H

#include "cluster/forward.h"

/* Chooses for the model, whose actors are known. */
void waits_choose(struct population *population);

#endif
