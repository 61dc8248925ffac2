/* SPDX-License-Identifier: Apache-2.0 */
/* How far Jobs are, and what counts as a failure of one of their pods. */
#ifndef FATHOM_CLUSTER_ASK_JOBS_H
#define FATHOM_CLUSTER_ASK_JOBS_H

#include "cluster/forward.h"
#include "cluster/state/actions.h"

#include <stdbool.h>
#include <stdint.h>

/* Counts the pods of Jobs without policies (job_losses.h has the others) that `next` has less than
 * `state` as failed, unless they succeeded or were deleted by their own controller: the action says
 * so. */
void jobs_count_lost(struct worker *worker, const struct state *state, struct state *next,
                     enum population_action action);

/* Is a pod of the class, on a node of this config, a Job's pod that runs? */
bool job_pod_runs(struct worker *worker, uint32_t config, uint32_t class);
/* With clocks: has a running pod of a Job run for at least its shortest time, or for its longest?
 * Without run times it may end at any time. */
bool job_pod_may_end(const struct worker *worker, const struct state *state,
                     const struct class_info *info);
bool job_pod_must_end(const struct worker *worker, const struct state *state,
                      const struct class_info *info);
/* Is the workload a Job that is there, and neither over nor about to be? */
bool job_goes_on(const struct population *population, const struct state *state, uint32_t workload);
/* Or one that is about to be over, and waits for its pods? */
bool job_is_unfinished(const struct population *population, const struct state *state,
                       uint32_t workload);
/* With clocks: has the Job been there until its deadline? */
bool job_is_late(const struct population *population, const struct state *state, uint32_t workload);
/* With clocks, of Jobs of CronJobs: does it wait before it makes pods again? */
bool job_is_backing_off(const struct population *population, const struct state *state,
                        uint32_t workload);

/* Pods of a Job that have come to their end, and are still there as objects; at
 * least 1 if there are any. */
uint32_t jobs_finished(const struct population *population, const struct state *state,
                       uint32_t workload);

#endif
