/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule of a CronJob: five fields (minute, hour, day of month, month,
 * weekday) or a descriptor (@daily, @every 90s), in a time zone. Follows
 * github.com/robfig/cron v3, which Kubernetes uses, also where clocks change:
 * a time that a day does not have is left out, and a time that it has twice
 * comes twice.
 */
#ifndef FATHOM_OBJECT_CRON_SCHEDULE_H
#define FATHOM_OBJECT_CRON_SCHEDULE_H

#include "object/time_zone.h"

/* A set of numbers; this bit says that it was written as a star. */
#define CRON_STAR ((uint64_t)1 << 63)

struct cron_schedule {
    int64_t every; /* nanoseconds between two times; 0: by the fields */
    uint64_t minutes;
    uint64_t hours;
    uint64_t days;
    uint64_t months;
    uint64_t weekdays; /* Sunday is 0 */
    struct time_zone zone;
};

/* `zone` is the time zone of the fields; NULL: UTC, unless the text begins with TZ=. False if the
 * text is no schedule: `*why` is a phrase about it. */
bool cron_schedule_parse(struct arena *arena, const char *text, const struct time_zone *zone,
                         struct cron_schedule *schedule, const char **why);

/* The first time of the schedule after an instant (both in nanoseconds since 1970); TIME_NONE if
 * the next five years have none. */
int64_t cron_schedule_next(const struct cron_schedule *schedule, int64_t after);

#endif
