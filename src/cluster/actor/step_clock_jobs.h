/* SPDX-License-Identifier: Apache-2.0 */
/* Clocked time of Jobs and CronJobs. */
#ifndef FATHOM_CLUSTER_ACTOR_STEP_CLOCK_JOBS_H
#define FATHOM_CLUSTER_ACTOR_STEP_CLOCK_JOBS_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Is there a pod of a Job that has run for as long as such pods do? It ends before time passes. */
bool clock_jobs_must_end(const struct expansion *expansion);
/* Is there one that may end at any time? */
bool clock_jobs_may_end(const struct expansion *expansion);
/* Ticks until a time of a calendar comes, or the deadline of a Job; UINT32_MAX: neither does. */
uint32_t clock_jobs_until_due(const struct expansion *expansion);
void clock_jobs_age(const struct expansion *expansion, struct state *next, uint32_t ticks);

#endif
