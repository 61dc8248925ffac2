/* SPDX-License-Identifier: Apache-2.0 */
/* How far Jobs are, and what counts as a failure of one of their pods. */
#ifndef FATHOM_CLUSTER_ASK_JOBS_H
#define FATHOM_CLUSTER_ASK_JOBS_H

#include "cluster/forward.h"
#include "cluster/state/actions.h"

#include <stdbool.h>
#include <stdint.h>

/* Counts the pods of Jobs that `next` has less than `state` as failed, unless they succeeded or
 * were deleted by their own controller: the action says so. */
void jobs_count_lost(struct worker *worker, const struct state *state, struct state *next,
                     enum population_action action);

/* Is a pod of the class, on a node of this config, a Job's pod that runs? */
bool job_pod_runs(struct worker *worker, uint32_t config, uint32_t class);
/* Is a pod of a Job running, so that it may come to its end at any moment? */
bool jobs_run(struct worker *worker, const struct state *state);

/* Pods of a Job that have come to their end, and are still there as objects; at
 * least 1 if there are any. */
uint32_t jobs_finished(const struct population *population, const struct state *state,
                       uint32_t workload);

#endif
