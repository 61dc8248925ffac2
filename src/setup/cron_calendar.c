/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/cron_calendar.h"

#include "base/vec.h"

static const int64_t MINUTE = (int64_t)60 * NANOSECONDS_PER_SECOND;
static const int64_t DAY = (int64_t)86400 * NANOSECONDS_PER_SECOND;

/* Monday, 1 January 2024: a leap year, and no zone changes its clocks in these weeks. */
static const int64_t ANCHOR_SECONDS = 1704067200;

enum { WEEK_DAYS = 7, YEAR_DAYS = 364, LEAP_DAYS = 1461, WEEKDAYS_AND_LEAP_DAYS = 10227 };

/* Gaps that are computed before it is known how soon they repeat. */
enum { GAPS_COMPUTED_MOST = 600000 };

static bool clocks_change(const struct time_zone *zone)
{
    const uint32_t count = zone->transition_count;
    return (zone->has_rule && zone->rule.has_summer) ||
           (count > 0 && zone->transitions[count - 1].when >= ANCHOR_SECONDS);
}

/* The days after which the schedule begins anew. */
static int64_t days_of(const struct cron_schedule *schedule)
{
    const bool dates = !(schedule->days & CRON_STAR) || !(schedule->months & CRON_STAR);
    const bool weekdays = !(schedule->weekdays & CRON_STAR);
    const bool change = clocks_change(&schedule->zone);
    if (dates)
        return weekdays || change ? WEEKDAYS_AND_LEAP_DAYS : LEAP_DAYS;
    if (change)
        return YEAR_DAYS;
    return weekdays ? WEEK_DAYS : 1;
}

/* The smallest number of gaps that repeat. */
static uint32_t period_of(const int64_t *gaps, uint32_t count)
{
    for (uint32_t period = 1; period < count; period++) {
        uint32_t i = period;
        while (count % period == 0 && i < count && gaps[i] == gaps[i - period])
            i++;
        if (i == count)
            return period;
    }
    return count;
}

bool cron_calendar_of(struct arena *arena, const struct cron_schedule *schedule,
                      struct cron_calendar *calendar, const char **why)
{
    const int64_t anchor = ANCHOR_SECONDS * NANOSECONDS_PER_SECOND;
    const int64_t length = days_of(schedule) * DAY;
    VEC(int64_t) gaps = {0};
    *calendar = (struct cron_calendar){0};
    calendar->first = cron_schedule_next(schedule, anchor - 1);
    *why = "has no date";
    if (calendar->first == TIME_NONE)
        return false;
    int64_t time = calendar->first;
    do {
        const int64_t next = cron_schedule_next(schedule, time);
        if (next == TIME_NONE)
            return false;
        VEC_PUSH(arena, &gaps, next - time);
        *why = "repeats too late: its times are more than can be followed";
        if (gaps.count > GAPS_COMPUTED_MOST)
            return false;
        time = next;
    } while (time < calendar->first + length);
    calendar->gaps = gaps.items;
    calendar->count = period_of(gaps.items, gaps.count);
    for (uint32_t i = 0; i < calendar->count; i++)
        calendar->length += gaps.items[i];
    return calendar->count <= CALENDAR_GAPS_MOST;
}

bool cron_calendar_find(struct arena *arena, const struct cron_job *cron_job,
                        struct cron_calendar *calendar, const char **why)
{
    struct time_zone zone = {0};
    struct cron_schedule schedule;
    *calendar = (struct cron_calendar){0};
    *why = "is in a time zone that this machine does not know";
    if (cron_job->time_zone && time_zone_load(arena, cron_job->time_zone, &zone) != TIME_ZONE_FOUND)
        return false;
    if (!cron_schedule_parse(arena, cron_job->schedule, &zone, &schedule, why))
        return false;
    if (schedule.every == 0)
        return cron_calendar_of(arena, &schedule, calendar, why);
    *why = "comes more than once a minute, so that several Jobs would have the same name";
    if (schedule.every < MINUTE)
        return false;
    *why = "has, with startingDeadlineSeconds, times that depend on when the controller looks";
    if (cron_job->starting_deadline_seconds.set)
        return false;
    calendar->gaps = ARENA_ARRAY(arena, int64_t, 1);
    calendar->gaps[0] = schedule.every;
    calendar->count = 1;
    calendar->length = schedule.every;
    calendar->first = ANCHOR_SECONDS * NANOSECONDS_PER_SECOND;
    calendar->from_creation = true;
    return true;
}
