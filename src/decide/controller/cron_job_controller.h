/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CronJob controller: one sync of a CronJob with the Jobs that it owns.
 *
 * Follows pkg/controller/cronjob/cronjob_controllerv2.go @ v1.26.15: old Jobs
 * of the history are deleted, status.active is brought up to date, and at most
 * one Job is started: that of the latest time of the schedule that has come.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_CRON_JOB_CONTROLLER_H
#define FATHOM_DECIDE_CONTROLLER_CRON_JOB_CONTROLLER_H

#include "base/vec.h"
#include "object/cron_schedule.h"
#include "object/workload.h"

/* Why a sync starts no Job, or that it does. */
enum cron_job_action {
    CRON_STARTS_JOB,
    CRON_IS_DELETED,
    CRON_IS_SUSPENDED,
    CRON_UNKNOWN_ZONE,
    CRON_BAD_SCHEDULE,  /* it cannot be read */
    CRON_NO_TIME,       /* it can be read, but no date fits */
    CRON_NOT_YET,       /* no time of the schedule has come since the last */
    CRON_TOO_LATE,      /* after the starting deadline */
    CRON_DONE_ALREADY,  /* the Job of this time was started */
    CRON_FORBIDDEN,     /* concurrencyPolicy Forbid, and a Job is active */
    CRON_JOB_OF_OTHERS, /* another object has the name of the new Job */
};

struct cron_job_input {
    const struct cron_job *cron_job;
    const struct job *const *jobs; /* all Jobs of the namespace */
    uint32_t job_count;
    int64_t now;
};

typedef VEC(const char *) cron_texts;
typedef VEC(struct job_reference) cron_references;

struct cron_job_decision {
    enum cron_job_action action;
    int64_t time;        /* of the schedule, that the Job is started for; else TIME_NONE */
    const char *created; /* the name of the new Job; NULL: none */
    cron_texts deleted;  /* names of Jobs */
    cron_references active;
    int64_t last_schedule_time; /* status afterwards */
    int64_t last_successful_time;
    bool update_status;
    bool requeues;
    int64_t requeue_after; /* nanoseconds */
    cron_texts events;     /* "Normal SuccessfulCreate" */
};

void cron_job_decide(struct arena *arena, const struct cron_job_input *input,
                     struct cron_job_decision *decision);

/* The latest time of the schedule that has come. `earliest` is the last one that was started or
 * the creation of the CronJob, moved on to the starting deadline. */
struct cron_moment {
    bool invalid;   /* no dates fit the schedule */
    int64_t time;   /* TIME_NONE: none has come */
    int64_t missed; /* an estimate; 0 if at most one time has come */
};

struct cron_moment cron_latest_moment(const struct cron_schedule *schedule, int64_t earliest,
                                      int64_t now);

#endif
