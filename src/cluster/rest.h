/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the cluster has come to rest.
 *
 * A state is one of rest if no fast actor has anything to do in it. But some workloads never come
 * to rest: a kubelet refuses a pod and its ReplicaSet makes another one, for ever. What waits for
 * the cluster to rest (periodic actors, events, intents, time itself) would then wait for ever,
 * in the model and not in the real cluster. So the states of a loop that fast steps cannot leave
 * are states of rest, too: whatever else has something to do has done it before.
 */
#ifndef FATHOM_CLUSTER_REST_H
#define FATHOM_CLUSTER_REST_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* A set of states that lead to each other by fast steps, and to no other state. */
struct rest_loop {
    bool *moves; /* by workload: true if a step of the loop is about it */
};

/* The loop that the state, in which some fast actor has something to do, belongs to; NULL: fast
 * steps lead to states from which they do not lead back, or there are too many states to find out
 * (then findings.restless says so). */
const struct rest_loop *rest_loop_of(struct worker *worker, const uint32_t *words, uint32_t length);

/* Is the state, in which runs have not begun, in a set of states that lead to each other, and to no
 * other state, by the steps of all actors? */
bool state_lasts(struct worker *worker, const uint32_t *words, uint32_t length);

#endif
