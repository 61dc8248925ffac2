/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CronJobs that make Jobs by their calendars. Each has places for Jobs: workloads of the model that
 * are absent as long as no Job has the place.
 */
#ifndef FATHOM_CLUSTER_ASK_CRON_JOBS_H
#define FATHOM_CLUSTER_ASK_CRON_JOBS_H

#include "cluster/forward.h"
#include "decide/controller/cron_job_controller.h"

struct cron_state;

/* What the CronJob controller does with the CronJob of this number now; false: it has nothing to
 * decide, because no time has come and no Job has finished. cron_job_named knows its Jobs. */
bool cron_job_syncs(struct worker *worker, const struct state *state, uint32_t number,
                    struct cron_job_decision *decision);

/* What a Job of such an input stands for. */
enum cron_job_named { CRON_PLACE, CRON_KEPT, CRON_KEPT_FAILED };
enum cron_job_named cron_job_named(const char *name, uint32_t *place);

/* A place without a Job and without pods of one; UINT32_MAX: there is none. */
uint32_t cron_job_free_place(struct worker *worker, const struct state *state, uint32_t number);

/* Jobs that are there: unfinished ones, or all. */
uint32_t cron_job_count(const struct population *population, const struct state *state,
                        uint32_t number, bool finished);

/* So many ticks pass, which are no more than are left until the next time of its calendar. */
void cron_job_pass_time(const struct population *population, uint32_t number,
                        struct cron_state *state, uint32_t ticks);

#endif
