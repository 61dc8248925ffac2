/* SPDX-License-Identifier: Apache-2.0 */
/* Which time of its schedule a CronJob starts a Job for. Upstream estimates the number of missed
 * times from the first interval, goes back one interval more and walks on from there. */
#include "decide/controller/cron_job_controller.h"

static int64_t seconds_between(int64_t from, int64_t to)
{
    const int64_t half = NANOSECONDS_PER_SECOND / 2;
    return (to - from + half) / NANOSECONDS_PER_SECOND;
}

struct cron_moment cron_latest_moment(const struct cron_schedule *schedule, int64_t earliest,
                                      int64_t now)
{
    const struct cron_moment none = {.time = TIME_NONE};
    const struct cron_moment invalid = {.invalid = true, .time = TIME_NONE};
    const int64_t first = cron_schedule_next(schedule, earliest);
    if (first == TIME_NONE)
        return invalid;
    if (now < first)
        return none;
    const int64_t second = cron_schedule_next(schedule, first);
    if (second == TIME_NONE)
        return invalid;
    if (now < second)
        return (struct cron_moment){.time = first};
    const int64_t interval = seconds_between(first, second);
    const int64_t missed = (now - first) / NANOSECONDS_PER_SECOND / interval + 1;
    struct cron_moment moment = {.time = TIME_NONE, .missed = missed};
    int64_t time = first + (missed - 2) * interval * NANOSECONDS_PER_SECOND;
    for (time = cron_schedule_next(schedule, time); time != TIME_NONE && time <= now;
         time = cron_schedule_next(schedule, time))
        moment.time = time;
    return moment;
}
