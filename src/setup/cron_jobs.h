/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CronJobs in a scope. A CronJob that an intent about Jobs is about makes Jobs by the calendar: it
 * has places for so many Jobs at a time, which are workloads that come later. Every other CronJob
 * stands for one Job that it makes.
 */
#ifndef FATHOM_SETUP_CRON_JOBS_H
#define FATHOM_SETUP_CRON_JOBS_H

#include "object/object.h"
#include "setup/setup.h"

struct scope_building;

/* Finds the CronJobs that go by the calendar, with their calendars. The objects are those of the
 * manifests. */
void scope_find_cron_jobs(struct scope_building *building, const struct objects *objects);

/* The objects with a Job of each CronJob that is not suspended, under the CronJob's name, unless
 * there is a Job of this name; of those that go by the calendar, with a Job for each of its places:
 * NAME-1, NAME-2, ... The objects themselves if there is none. */
const struct objects *objects_with_cron_jobs(struct arena *arena, const struct objects *objects,
                                             const struct scope *scope, struct problems *problems);

/* Finds the workloads that are places of CronJobs; no Job is there at the beginning. */
void scope_place_cron_jobs(struct scope_building *building);

/* What is assumed of them, a sentence each. `scope` may be NULL: none goes by the calendar. */
struct string_list cron_jobs_assumed(struct arena *arena, const struct objects *objects,
                                     const struct scope *scope);

/* Is an intent about Jobs, of this name or of every CronJob, about the CronJob? */
bool cron_job_is_meant(const struct check_intent *intent, const struct object *cron_job);

#endif
