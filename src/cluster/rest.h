/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the cluster has come to rest.
 *
 * A state is one of rest if no fast actor has anything to do in it. But some workloads never
 * come to rest: a kubelet refuses a pod and its ReplicaSet makes another one, for ever. What
 * waits for the cluster to rest (periodic actors, events, intents, time itself) would then wait
 * for ever, in the model and not in the real cluster. So the states of a loop that fast steps
 * cannot leave are states of rest, too: all other fast steps have been taken before the loop is
 * entered.
 *
 * Some steps of fast actors take minutes: a node is repaired. Periodic actors do not wait for them,
 * so for them a loop is one of the other steps; what waits until the cluster has settled waits for
 * all of them.
 *
 * Runs that begin with a cluster at rest begin where everybody is done, periodic actors included,
 * or goes on for ever: an autoscaler and a GitOps controller may quarrel about a workload. There a
 * loop is one of all steps.
 */
#ifndef FATHOM_CLUSTER_REST_H
#define FATHOM_CLUSTER_REST_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* The steps that lead on. */
enum rest_steps {
    REST_STEPS_OF_SECONDS,
    REST_STEPS_ALL,        /* of fast actors, those included that take minutes */
    REST_STEPS_OF_ANYBODY, /* of all actors, before runs begin */
};

/* A set of states that lead to each other by fast steps, and to no other state. */
struct rest_loop {
    bool *moves; /* by workload: true if a step of the loop is about it */
};

/* The loop that the state, in which some fast actor has something to do, belongs to; NULL: such
 * steps lead to states from which they do not lead back, or there are too many states to find out
 * (then findings.restless says so). */
const struct rest_loop *rest_loop_of(struct worker *worker, const uint32_t *words, uint32_t length,
                                     enum rest_steps steps);

#endif
