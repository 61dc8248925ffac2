/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduling queue: who is tried next, and who waits for what. No command uses it
 * yet (in the cluster model a pod is tried whenever that could make a difference), so it is
 * no part of the program; it is kept here, with its tests, for scheduling with back-off.
 *
 * Mirrors pkg/scheduler/internal/queue/scheduling_queue.go @ v1.26.15. A pod is
 * active (may be tried), backing off (after a failed attempt, twice as long
 * each time), unschedulable (until something happens that one of the plugins
 * which turned it down has asked for, or five minutes have passed) or gated.
 * Active pods are tried by priority, then by the time of their last failure or,
 * if they have not been tried, of their arrival.
 *
 * The queue is a list of runs in the order of that time. A run is a number of
 * equal pods that came one after the other. Times are 'time left', and the
 * order is the only memory of arrival, so that equal situations are equal.
 *
 * Departures: upstream looks for pods whose backoff is over once a second and
 * for those that waited five minutes every thirty; here it is noticed at once.
 * Queueing hints of 1.32 and later, which spare some attempts that must fail,
 * are not modelled.
 */
#ifndef FATHOM_TEST_SCHEDULER_QUEUE_QUEUE_H
#define FATHOM_TEST_SCHEDULER_QUEUE_QUEUE_H

#include "decide/scheduler/scheduler.h"

enum queue_place { QUEUE_ACTIVE, QUEUE_BACKING_OFF, QUEUE_UNSCHEDULABLE, QUEUE_GATED };

struct queue_run {
    uint32_t pod; /* class */
    uint32_t count;
    enum queue_place place;
    uint32_t attempts;
    uint32_t failed_plugins; /* bits by plugin_number; none: any event helps */
    int64_t backoff_left_ms;
    int64_t wait_left_ms; /* of the five minutes; unschedulable ones only */
};

struct queue {
    struct catalog *catalog;
    int64_t backoff_initial_ms; /* podInitialBackoffSeconds: 1 s */
    int64_t backoff_most_ms;    /* podMaxBackoffSeconds: 10 s */
    VEC(struct queue_run) runs; /* oldest first */
};

void queue_init(struct queue *queue, struct catalog *catalog);

/* New pods come in; gated ones only wait. */
void queue_push(struct queue *queue, uint32_t pod, uint32_t count);

/* Takes out the pod that is tried next, this attempt counted. False: none is active. */
bool queue_pop(struct queue *queue, struct queue_run *popped);

/* The attempt failed. If something happened meanwhile that would have moved
 * pods, it only backs off, for that may have been what it needs. */
void queue_park(struct queue *queue, const struct queue_run *popped, uint32_t failed_plugins,
                bool moved_meanwhile);

/* The plugins that turned the pod down on any node. */
uint32_t queue_failed_plugins(const struct decision *decision);

/* Something happened (enum cluster_event; not EVENT_POD_ADD or _UPDATE). Returns
 * how many pods do not wait any more. */
uint32_t queue_event(struct queue *queue, uint32_t event);

/* A pod was bound, or a bound pod changed: moves those whose required affinity it serves. */
uint32_t queue_pod_assigned(struct queue *queue, const struct pod_class *pod, uint32_t event);

void queue_elapse(struct queue *queue, int64_t ms);

/* How long a pod backs off after so many attempts. */
int64_t queue_backoff_ms(const struct queue *queue, uint32_t attempts);

#endif
