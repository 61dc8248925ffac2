/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dates are turned into days by counting years from March on, so that the leap
 * day comes last; durations follow Go's time.ParseDuration and Duration.String,
 * float64 fractions included.
 */
#include "object/time.h"

#include "object/meta.h"

#include <stdio.h>
#include <string.h>

enum {
    SECONDS_PER_DAY = 86400,
    DAYS_PER_400_YEARS = 146097,
    DAYS_TO_1970 = 719468, /* from the first of March of the year 0 */
    YEAR_LEAST = 1678,     /* 64 bits of nanoseconds reach through these years */
    YEAR_MOST = 2261,
};

static bool fail(const char **why, const char *reason)
{
    if (why != NULL)
        *why = reason;
    return false;
}

/* ---- instants ---- */

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t days_of_date(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = floor_divide(year, 400);
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_PER_400_YEARS + day_of_era - DAYS_TO_1970;
}

void date_of_days(int64_t days, int64_t *year, int64_t *month, int64_t *day)
{
    days += DAYS_TO_1970;
    int64_t era = floor_divide(days, DAYS_PER_400_YEARS);
    int64_t day_of_era = days - era * DAYS_PER_400_YEARS;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month_from_march = (5 * day_of_year + 2) / 153;
    *day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    *month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    *year = year_of_era + era * 400 + (*month <= 2);
}

int64_t days_of_month(int64_t year, int64_t month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : lengths[month - 1];
}

/* Reads numbers of fixed width and the characters between them. */
struct cursor {
    const char *at;
    bool broken;
};

static int64_t take_number(struct cursor *cursor, int width)
{
    int64_t number = 0;
    for (int i = 0; i < width && !cursor->broken; i++) {
        char c = *cursor->at;
        cursor->broken = c < '0' || c > '9';
        if (!cursor->broken) {
            number = number * 10 + (c - '0');
            cursor->at++;
        }
    }
    return number;
}

static void take_character(struct cursor *cursor, char wanted)
{
    if (*cursor->at == wanted)
        cursor->at++;
    else
        cursor->broken = true;
}

static int64_t take_fraction(struct cursor *cursor)
{
    if (*cursor->at != '.' && *cursor->at != ',')
        return 0;
    cursor->at++;
    cursor->broken = *cursor->at < '0' || *cursor->at > '9';
    int64_t nanoseconds = 0;
    int64_t unit = NANOSECONDS_PER_SECOND / 10;
    for (; *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
        nanoseconds += (*cursor->at - '0') * unit;
        unit /= 10;
    }
    return nanoseconds;
}

/* Seconds east of Greenwich. */
static int64_t take_offset(struct cursor *cursor)
{
    char sign = *cursor->at;
    if (sign == 'Z') {
        cursor->at++;
        return 0;
    }
    if (sign != '+' && sign != '-') {
        cursor->broken = true;
        return 0;
    }
    cursor->at++;
    int64_t hours = take_number(cursor, 2);
    take_character(cursor, ':');
    int64_t minutes = take_number(cursor, 2);
    if (hours > 24 || minutes > 59)
        cursor->broken = true;
    int64_t seconds = hours * 3600 + minutes * 60;
    return sign == '-' ? -seconds : seconds;
}

struct instant {
    int64_t year, month, day, hour, minute, second, nanosecond, offset;
};

static bool scan_instant(const char *text, struct instant *instant)
{
    struct cursor cursor = {text, false};
    instant->year = take_number(&cursor, 4);
    take_character(&cursor, '-');
    instant->month = take_number(&cursor, 2);
    take_character(&cursor, '-');
    instant->day = take_number(&cursor, 2);
    take_character(&cursor, 'T');
    instant->hour = take_number(&cursor, 2);
    take_character(&cursor, ':');
    instant->minute = take_number(&cursor, 2);
    take_character(&cursor, ':');
    instant->second = take_number(&cursor, 2);
    instant->nanosecond = take_fraction(&cursor);
    instant->offset = take_offset(&cursor);
    return !cursor.broken && *cursor.at == '\0';
}

static bool instant_exists(const struct instant *instant)
{
    return instant->month >= 1 && instant->month <= 12 && instant->day >= 1 &&
           instant->day <= days_of_month(instant->year, instant->month) && instant->hour <= 23 &&
           instant->minute <= 59 && instant->second <= 59;
}

bool time_parse(const char *text, int64_t *time_ns, const char **why)
{
    struct instant instant;
    if (!scan_instant(text, &instant))
        return fail(why, "it is not of the form 2006-01-02T15:04:05Z");
    if (!instant_exists(&instant))
        return fail(why, "there is no such date or time of day");
    if (strcmp(text, "0001-01-01T00:00:00Z") == 0) {
        *time_ns = TIME_NONE;
        return true;
    }
    if (instant.year < YEAR_LEAST || instant.year > YEAR_MOST)
        return fail(why, "the year is not in 1678..2261");
    int64_t seconds = days_of_date(instant.year, instant.month, instant.day) * SECONDS_PER_DAY +
                      instant.hour * 3600 + instant.minute * 60 + instant.second - instant.offset;
    *time_ns = seconds * NANOSECONDS_PER_SECOND + instant.nanosecond;
    return true;
}

/* ".5" for half a second, without trailing zeros; "" for none. */
static void print_fraction(char out[16], int64_t fraction, int width)
{
    out[0] = '\0';
    if (fraction == 0)
        return;
    while (fraction % 10 == 0) {
        fraction /= 10;
        width--;
    }
    snprintf(out, 16, ".%0*lld", width, (long long)fraction);
}

char *time_format(struct arena *arena, int64_t time_ns)
{
    int64_t seconds = floor_divide(time_ns, NANOSECONDS_PER_SECOND);
    int64_t days = floor_divide(seconds, SECONDS_PER_DAY);
    int64_t second_of_day = seconds - days * SECONDS_PER_DAY;
    /* The whole seconds of the earliest instants would not fit. */
    int64_t nanosecond = time_ns % NANOSECONDS_PER_SECOND;
    if (nanosecond < 0)
        nanosecond += NANOSECONDS_PER_SECOND;
    int64_t year;
    int64_t month;
    int64_t day;
    date_of_days(days, &year, &month, &day);
    char fraction[16];
    print_fraction(fraction, nanosecond, 9);
    return arena_printf(arena, "%04d-%02d-%02dT%02d:%02d:%02d%sZ", (int)year, (int)month, (int)day,
                        (int)(second_of_day / 3600), (int)(second_of_day / 60 % 60),
                        (int)(second_of_day % 60), fraction);
}

/* ---- durations ---- */

static const struct duration_unit {
    const char *name;
    uint64_t nanoseconds;
} units[] = {
    {"ns", 1},
    {"us", 1000},
    {"\xc2\xb5s", 1000}, /* the micro sign */
    {"\xce\xbcs", 1000}, /* the Greek letter */
    {"ms", 1000000},
    {"s", UINT64_C(1000000000)},
    {"m", UINT64_C(60000000000)},
    {"h", UINT64_C(3600000000000)},
};

static const uint64_t DURATION_LIMIT = UINT64_C(1) << 63;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The whole part of a number; more than 2^63 is refused. */
static bool read_whole(const char **at, uint64_t *number)
{
    *number = 0;
    for (; is_digit(**at); (*at)++) {
        if (*number > DURATION_LIMIT / 10)
            return false;
        *number = *number * 10 + (uint64_t)(**at - '0');
        if (*number > DURATION_LIMIT)
            return false;
    }
    return true;
}

/* The digits after the point as number and power of ten; those beyond 63 bits
 * are dropped. */
static void read_fraction(const char **at, uint64_t *number, double *scale)
{
    bool full = false;
    *number = 0;
    *scale = 1;
    for (; is_digit(**at); (*at)++) {
        if (full || *number > (DURATION_LIMIT - 1) / 10) {
            full = true;
            continue;
        }
        uint64_t next = *number * 10 + (uint64_t)(**at - '0');
        if (next > DURATION_LIMIT) {
            full = true;
            continue;
        }
        *number = next;
        *scale *= 10;
    }
}

static const struct duration_unit *read_unit(const char **at)
{
    size_t length = strcspn(*at, ".0123456789");
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strlen(units[i].name) == length && memcmp(units[i].name, *at, length) == 0) {
            *at += length;
            return &units[i];
        }
    }
    return NULL;
}

/* One number with its unit, added to the sum. */
static bool add_part(const char **at, uint64_t *sum, const char **why)
{
    static const char too_long[] = "it is longer than 292 years";
    static const char malformed[] = "it is not numbers with units, like 1h30m or 1.5s";
    uint64_t whole;
    uint64_t fraction = 0;
    double scale = 1;
    const char *start = *at;
    if (!is_digit(**at) && **at != '.')
        return fail(why, malformed);
    if (!read_whole(at, &whole))
        return fail(why, too_long);
    bool digits = *at != start;
    if (**at == '.') {
        (*at)++;
        const char *point = *at;
        read_fraction(at, &fraction, &scale);
        digits = digits || *at != point;
    }
    if (!digits)
        return fail(why, malformed);
    if (**at == '\0' || **at == '.')
        return fail(why, "a unit is missing; units are ns, us, ms, s, m, h");
    const struct duration_unit *unit = read_unit(at);
    if (unit == NULL)
        return fail(why, "the unit is none of ns, us, ms, s, m, h");
    if (whole > DURATION_LIMIT / unit->nanoseconds)
        return fail(why, too_long);
    whole *= unit->nanoseconds;
    if (fraction > 0)
        whole += (uint64_t)((double)fraction * ((double)unit->nanoseconds / scale));
    if (whole > DURATION_LIMIT || *sum + whole > DURATION_LIMIT)
        return fail(why, too_long);
    *sum += whole;
    return true;
}

bool duration_parse(const char *text, int64_t *duration_ns, const char **why)
{
    bool negative = *text == '-';
    if (*text == '-' || *text == '+')
        text++;
    if (*text == '\0')
        return fail(why, "the text is empty");
    uint64_t sum = 0;
    if (strcmp(text, "0") != 0)
        while (*text != '\0')
            if (!add_part(&text, &sum, why))
                return false;
    if (!negative && sum == DURATION_LIMIT)
        return fail(why, "it is longer than 292 years");
    *duration_ns = negative ? (int64_t)(0 - sum) : (int64_t)sum;
    return true;
}

static char *format_below_second(struct arena *arena, const char *sign, uint64_t nanoseconds)
{
    char fraction[16] = "";
    if (nanoseconds < 1000)
        return arena_printf(arena, "%s%lluns", sign, (unsigned long long)nanoseconds);
    bool micro = nanoseconds < 1000000;
    uint64_t unit = micro ? 1000 : 1000000;
    print_fraction(fraction, (int64_t)(nanoseconds % unit), micro ? 3 : 6);
    return arena_printf(arena, "%s%llu%s%s", sign, (unsigned long long)(nanoseconds / unit),
                        fraction, micro ? "\xc2\xb5s" : "ms");
}

char *duration_format(struct arena *arena, int64_t duration_ns)
{
    const char *sign = duration_ns < 0 ? "-" : "";
    uint64_t nanoseconds = duration_ns < 0 ? 0 - (uint64_t)duration_ns : (uint64_t)duration_ns;
    if (nanoseconds == 0)
        return arena_strdup(arena, "0s");
    if (nanoseconds < NANOSECONDS_PER_SECOND)
        return format_below_second(arena, sign, nanoseconds);
    char fraction[16];
    print_fraction(fraction, (int64_t)(nanoseconds % NANOSECONDS_PER_SECOND), 9);
    unsigned long long seconds = nanoseconds / NANOSECONDS_PER_SECOND;
    if (seconds < 60)
        return arena_printf(arena, "%s%llu%ss", sign, seconds, fraction);
    if (seconds < 3600)
        return arena_printf(arena, "%s%llum%llu%ss", sign, seconds / 60, seconds % 60, fraction);
    return arena_printf(arena, "%s%lluh%llum%llu%ss", sign, seconds / 3600, seconds / 60 % 60,
                        seconds % 60, fraction);
}
