/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calendar of a CronJob: the times of its schedule, as the time from each to the next. These
 * gaps repeat, so that a position among them and the time left until the next one say all that a
 * model has to know of the date.
 *
 *   minutes, hours, weekdays   a week at most
 *   ... in a zone whose clocks change     52 weeks of one year, with both changes; years differ
 *                              only in how many weeks without a change are between them
 *   days of the month, months  4 years; 28 years if weekdays count, or clocks change
 *   @every                     counts from when the CronJob was created
 *
 * The Gregorian exceptions (2100 is no leap year) are beyond what is looked at.
 */
#ifndef FATHOM_SETUP_CRON_CALENDAR_H
#define FATHOM_SETUP_CRON_CALENDAR_H

#include "object/cron_schedule.h"
#include "object/workload.h"

/* More gaps than these are not followed. */
enum { CALENDAR_GAPS_MOST = 16384 };

/* Runs may begin at any instant of calendars that are no longer than that: a day. */
#define CALENDAR_ALL_STARTS_NS ((int64_t)86400 * NANOSECONDS_PER_SECOND)

struct cron_calendar {
    int64_t first; /* a time of the schedule, in nanoseconds since 1970 */
    int64_t *gaps; /* nanoseconds from each time to the next, from `first` on, again and again */
    uint32_t count;
    int64_t length;     /* of all gaps together */
    bool from_creation; /* true for @every: the first time is a gap after the start of a run */
};

/* False if there is none that can be followed: `*why` is a phrase about the schedule. */
bool cron_calendar_find(struct arena *arena, const struct cron_job *cron_job,
                        struct cron_calendar *calendar, const char **why);

/* The same of a schedule that is no @every. */
bool cron_calendar_of(struct arena *arena, const struct cron_schedule *schedule,
                      struct cron_calendar *calendar, const char **why);

#endif
