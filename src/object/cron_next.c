/* SPDX-License-Identifier: Apache-2.0 */
/* The next time of a schedule: fields are looked at from the month down to the second, and each
 * moves on to its next value that fits. */
#include "object/cron_schedule.h"
#include "object/meta.h"
#include "object/time.h"

enum {
    YEARS_AHEAD = 5,
    MINUTE = 60,
    HOUR = 3600,
    DAY = 86400,
    DAY_HOURS = 24,
    NOON = 12,
    MONTHS = 12
};

/* An instant by the clocks of a zone. */
struct clock_time {
    int64_t seconds; /* since 1970 UTC */
    int64_t year;
    int64_t month;
    int64_t day;
    int64_t hour;
    int64_t minute;
    int64_t second;
    int64_t weekday;
};

static struct clock_time clock_at(const struct time_zone *zone, int64_t seconds)
{
    const int64_t here = seconds + time_zone_offset(zone, seconds);
    const int64_t of_day = (here % DAY + DAY) % DAY;
    const int64_t days = (here - of_day) / DAY;
    struct clock_time clock = {
        .seconds = seconds,
        .hour = of_day / HOUR,
        .minute = of_day % HOUR / MINUTE,
        .second = of_day % MINUTE,
        .weekday = ((days + 4) % 7 + 7) % 7,
    };
    date_of_days(days, &clock.year, &clock.month, &clock.day);
    return clock;
}

/* The instant at which clocks show this date and hour. Of a time that clocks skip or show twice,
 * the instant that Go's time.Date gives. */
static struct clock_time clock_set(const struct time_zone *zone, int64_t year, int64_t month,
                                   int64_t day, int64_t hour)
{
    year += (month - 1) / MONTHS;
    month = (month - 1) % MONTHS + 1;
    const int64_t shown = (days_of_date(year, month, 1) + day - 1) * DAY + hour * HOUR;
    int64_t offset = time_zone_offset(zone, shown);
    if (offset != 0)
        offset = time_zone_offset(zone, shown - offset);
    return clock_at(zone, shown - offset);
}

static bool has(uint64_t set, int64_t number)
{
    return set >> number & 1;
}

/* Where both days are restricted, either will do. */
static bool is_day(const struct cron_schedule *schedule, const struct clock_time *clock)
{
    const bool of_month = has(schedule->days, clock->day);
    const bool of_week = has(schedule->weekdays, clock->weekday);
    if ((schedule->days | schedule->weekdays) & CRON_STAR)
        return of_month && of_week;
    return of_month || of_week;
}

/* The next midnight; where clocks skip it, the hour that the library takes for it. */
static struct clock_time next_day(const struct time_zone *zone, const struct clock_time *clock)
{
    const struct clock_time next =
        clock_set(zone, clock->year, clock->month, clock->day + 1, clock->hour);
    if (next.hour == 0)
        return next;
    const int64_t hours = next.hour > NOON ? DAY_HOURS - next.hour : -next.hour;
    return clock_at(zone, next.seconds + hours * HOUR);
}

/* How far a search for the next time has come. */
struct search {
    const struct cron_schedule *schedule;
    struct clock_time clock;
    bool moved; /* smaller fields were set to their first value */
};

/* Each of these moves to the first time on which its field fits; false: a larger field has
 * changed and must be looked at again. */
static bool find_month(struct search *search)
{
    const struct time_zone *zone = &search->schedule->zone;
    struct clock_time *clock = &search->clock;
    while (!has(search->schedule->months, clock->month)) {
        if (!search->moved)
            *clock = clock_set(zone, clock->year, clock->month, 1, 0);
        search->moved = true;
        *clock = clock_set(zone, clock->year, clock->month + 1, clock->day, clock->hour);
        if (clock->month == 1)
            return false;
    }
    return true;
}

static bool find_day(struct search *search)
{
    const struct time_zone *zone = &search->schedule->zone;
    struct clock_time *clock = &search->clock;
    while (!is_day(search->schedule, clock)) {
        if (!search->moved)
            *clock = clock_set(zone, clock->year, clock->month, clock->day, 0);
        search->moved = true;
        *clock = next_day(zone, clock);
        if (clock->day == 1)
            return false;
    }
    return true;
}

static bool find_hour(struct search *search)
{
    const struct time_zone *zone = &search->schedule->zone;
    struct clock_time *clock = &search->clock;
    while (!has(search->schedule->hours, clock->hour)) {
        if (!search->moved)
            *clock = clock_set(zone, clock->year, clock->month, clock->day, clock->hour);
        search->moved = true;
        *clock = clock_at(zone, clock->seconds + HOUR);
        if (clock->hour == 0)
            return false;
    }
    return true;
}

static bool find_minute(struct search *search)
{
    struct clock_time *clock = &search->clock;
    while (!has(search->schedule->minutes, clock->minute)) {
        if (!search->moved)
            clock->seconds -= (clock->seconds % MINUTE + MINUTE) % MINUTE;
        search->moved = true;
        *clock = clock_at(&search->schedule->zone, clock->seconds + MINUTE);
        if (clock->minute == 0)
            return false;
    }
    return true;
}

static bool find_second(struct search *search)
{
    struct clock_time *clock = &search->clock;
    if (clock->second == 0)
        return true;
    search->moved = true;
    *clock = clock_at(&search->schedule->zone, clock->seconds + MINUTE - clock->second);
    return false;
}

int64_t cron_schedule_next(const struct cron_schedule *schedule, int64_t after)
{
    const int64_t fraction =
        (after % NANOSECONDS_PER_SECOND + NANOSECONDS_PER_SECOND) % NANOSECONDS_PER_SECOND;
    if (schedule->every)
        return after + schedule->every - fraction;
    const int64_t seconds = (after - fraction) / NANOSECONDS_PER_SECOND + 1;
    struct search search = {.schedule = schedule, .clock = clock_at(&schedule->zone, seconds)};
    const int64_t year_most = search.clock.year + YEARS_AHEAD;
    while (search.clock.year <= year_most)
        if (find_month(&search) && find_day(&search) && find_hour(&search) &&
            find_minute(&search) && find_second(&search))
            return search.clock.seconds * NANOSECONDS_PER_SECOND;
    return TIME_NONE;
}
