/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler's filters alone: may this pod run on that node?
 *
 * For programs that simulate the scheduler with its filters but without its scores, as the cluster
 * autoscaler does. There is no preemption and no nominated pod.
 *
 *     fit_begin(fit, &view, pod);
 *     verdict = fit_examine(fit, entry);
 *
 * A node is examined only when it is asked for. What is gathered about the whole view is good until
 * the view changes; then `fit_begin` is called again.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_FIT_H
#define FATHOM_DECIDE_SCHEDULER_FIT_H

#include "decide/scheduler/cycle.h"

struct filter_fit {
    struct scheduler *scheduler;
    struct arena scratch; /* of one pod */
    struct arena_mark empty;
    struct cycle cycle;
    struct pre_filter_outcome outcome;
    bool refused; /* by a pre-filter, for all nodes */
    uint32_t capacity;
};

struct filter_fit *fit_create(struct arena *arena, struct scheduler *scheduler);
void fit_release(struct filter_fit *fit);

/* Prepares for a pod that is on no node. */
void fit_begin(struct filter_fit *fit, const struct view *view, uint32_t pod);

/* Whether the pod's pre-filters leave this node to be examined at all; of a program that asks for
 * one certain node, the answer is not heard. */
bool fit_may_examine(const struct filter_fit *fit, uint32_t entry);

struct verdict fit_examine(struct filter_fit *fit, uint32_t entry);

#endif
