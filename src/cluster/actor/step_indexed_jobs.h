/* SPDX-License-Identifier: Apache-2.0 */
/* The controller of Jobs that tell their indexes apart. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_INDEXED_JOBS_H
#define FATHOM_CLUSTER_ACTOR_STEP_INDEXED_JOBS_H

#include "cluster/forward.h"
#include "cluster/state/actions.h"
#include "cluster/state/state.h"
#include "decide/controller/job_controller.h"

#include <stdbool.h>
#include <stdint.h>

/* `late`: the deadline of the Job has passed. */
void sync_indexed_job(struct expansion *expansion, uint32_t workload, bool late);

/* What the Job is after a sync that has decided how it ends. */
enum job_end job_end_after(const struct population *population,
                           const struct job_decision *decision);
/* How such a sync is called, of a Job that is `over` by it, and was not or `was` to be. */
enum population_action job_end_action(enum job_finish finish, enum job_end over);

#endif
