/* SPDX-License-Identifier: Apache-2.0 */
/* What the calendars of CronJobs and the deadlines of Jobs say about time. */
#ifndef FATHOM_CLUSTER_BUILD_CLOCK_CRON_H
#define FATHOM_CLUSTER_BUILD_CLOCK_CRON_H

#include "cluster/forward.h"

#include <stdint.h>

struct clock;
struct reading_times;

/* How many there are, so that states can have room for them. */
void clock_count_jobs(struct population *population, struct clock *clock);
void read_cron_jobs(struct reading_times *reading);
void read_job_deadlines(struct reading_times *reading);

/* Runs begin at so many instants of the calendars; 1: there are none, or none counts. */
uint64_t clock_start_count(const struct population *population);
void clock_set_start(const struct population *population, struct state *state, uint64_t start);

#endif
