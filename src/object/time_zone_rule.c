/* SPDX-License-Identifier: Apache-2.0 */
/* The rules by which a time zone goes on after its listed transitions (POSIX TZ). */
#include "object/time.h"
#include "object/time_zone.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { HOUR = 3600, MINUTE = 60, DAY = 86400, WEEK_DAYS = 7, FEBRUARY_END = 60 };

/* ---- reading ---- */

/* "CET" or "<+01>". */
static bool take_name(const char **at)
{
    const char *start = *at;
    if (**at == '<') {
        while (**at && **at != '>')
            (*at)++;
        if (**at != '>')
            return false;
        (*at)++;
        return true;
    }
    while (isalpha((unsigned char)**at))
        (*at)++;
    return *at - start >= 3;
}

static bool take_number(const char **at, int least, int most, int *number)
{
    if (!isdigit((unsigned char)**at))
        return false;
    char *end;
    const long value = strtol(*at, &end, 10);
    *at = end;
    *number = (int)value;
    return value >= least && value <= most;
}

/* [+-]hh[:mm[:ss]] */
static bool take_time(const char **at, int64_t *seconds)
{
    const bool negative = **at == '-';
    int hours;
    int minutes = 0;
    int rest = 0;
    if (**at == '-' || **at == '+')
        (*at)++;
    if (!take_number(at, 0, 24 * WEEK_DAYS, &hours))
        return false;
    if (**at == ':') {
        (*at)++;
        if (!take_number(at, 0, MINUTE - 1, &minutes))
            return false;
    }
    if (**at == ':') {
        (*at)++;
        if (!take_number(at, 0, MINUTE - 1, &rest))
            return false;
    }
    *seconds = (int64_t)hours * HOUR + (int64_t)minutes * MINUTE + rest;
    if (negative)
        *seconds = -*seconds;
    return true;
}

static bool take_month_day(const char **at, struct zone_day *day)
{
    if (!take_number(at, 1, 12, &day->month) || *(*at)++ != '.')
        return false;
    if (!take_number(at, 1, 5, &day->week) || *(*at)++ != '.')
        return false;
    return take_number(at, 0, WEEK_DAYS - 1, &day->weekday);
}

static bool take_day(const char **at, struct zone_day *day)
{
    *day = (struct zone_day){.form = '0', .seconds = (int64_t)2 * HOUR};
    if (*(*at)++ != ',')
        return false;
    bool good;
    if (**at == 'M') {
        day->form = *(*at)++;
        good = take_month_day(at, day);
    } else if (**at == 'J') {
        day->form = *(*at)++;
        good = take_number(at, 1, 365, &day->day);
    } else {
        good = take_number(at, 0, 365, &day->day);
    }
    if (good && **at == '/') {
        (*at)++;
        good = take_time(at, &day->seconds);
    }
    return good;
}

bool zone_rule_parse(const char *text, struct zone_rule *rule)
{
    const char *at = text;
    int64_t west;
    *rule = (struct zone_rule){0};
    if (!take_name(&at) || !take_time(&at, &west))
        return false;
    rule->standard = -west;
    if (!*at)
        return true;
    rule->has_summer = true;
    rule->summer = rule->standard + HOUR;
    if (!take_name(&at))
        return false;
    if (*at && *at != ',') {
        if (!take_time(&at, &west))
            return false;
        rule->summer = -west;
    }
    return take_day(&at, &rule->start) && take_day(&at, &rule->end) && !*at;
}

/* ---- asking ---- */

static bool is_leap(int64_t year)
{
    return days_of_month(year, 2) == 29;
}

static int64_t weekday_of(int64_t days)
{
    const int64_t thursday = 4; /* 1970-01-01 */
    return ((days + thursday) % WEEK_DAYS + WEEK_DAYS) % WEEK_DAYS;
}

/* The day since 1970 on which the change comes in a year. */
static int64_t day_in_year(const struct zone_day *day, int64_t year)
{
    const int64_t new_year = days_of_date(year, 1, 1);
    if (day->form == 'J')
        return new_year + day->day - 1 + (is_leap(year) && day->day >= FEBRUARY_END);
    if (day->form != 'M')
        return new_year + day->day;
    const int64_t first = days_of_date(year, day->month, 1);
    int64_t of_month = (day->weekday - weekday_of(first) + WEEK_DAYS) % WEEK_DAYS + 1;
    of_month += (int64_t)(day->week - 1) * WEEK_DAYS;
    while (of_month > days_of_month(year, day->month))
        of_month -= WEEK_DAYS;
    return first + of_month - 1;
}

int64_t zone_rule_offset(const struct zone_rule *rule, int64_t seconds)
{
    if (!rule->has_summer)
        return rule->standard;
    int64_t year;
    int64_t month;
    int64_t day;
    date_of_days((seconds - (seconds % DAY + DAY) % DAY) / DAY, &year, &month, &day);
    const int64_t start =
        day_in_year(&rule->start, year) * DAY + rule->start.seconds - rule->standard;
    const int64_t end = day_in_year(&rule->end, year) * DAY + rule->end.seconds - rule->summer;
    const bool summer =
        start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end;
    return summer ? rule->summer : rule->standard;
}
