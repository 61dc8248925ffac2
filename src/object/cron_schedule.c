/* SPDX-License-Identifier: Apache-2.0 */
#include "object/cron_schedule.h"

#include "object/meta.h"
#include "object/time.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIELD_COUNT_WANTED = 5 };

struct bounds {
    unsigned least;
    unsigned most;
    const char *const *names; /* from `least` on; NULL: none */
};

static const char *const month_names[] = {"jan", "feb", "mar", "apr", "may", "jun", "jul",
                                          "aug", "sep", "oct", "nov", "dec", NULL};
static const char *const weekday_names[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat", NULL};

static const struct bounds field_bounds[FIELD_COUNT_WANTED] = {
    {0, 59, NULL}, {0, 23, NULL}, {1, 31, NULL}, {1, 12, month_names}, {0, 6, weekday_names},
};

static bool fail(const char **why, const char *reason)
{
    if (why)
        *why = reason;
    return false;
}

/* As Go's strconv.Atoi, for numbers that are not negative. */
static bool parse_number(const char *text, unsigned *number)
{
    const char *digits = *text == '+' ? text + 1 : text;
    const size_t length = strspn(digits, "0123456789");
    if (length == 0 || digits[length] || length > 9)
        return false;
    *number = (unsigned)strtoul(digits, NULL, 10);
    return true;
}

static bool parse_value(const char *text, const struct bounds *bounds, unsigned *value)
{
    for (unsigned i = 0; bounds->names && bounds->names[i]; i++)
        if (strcasecmp(text, bounds->names[i]) == 0) {
            *value = bounds->least + i;
            return true;
        }
    return parse_number(text, value);
}

/* Cuts the text at the first separator; NULL: there is none. */
static char *cut(char *text, char separator)
{
    char *found = strchr(text, separator);
    if (!found)
        return NULL;
    *found = '\0';
    return found + 1;
}

struct span {
    unsigned first;
    unsigned last;
    unsigned step;
    bool star;
};

static bool parse_ends(char *text, const struct bounds *bounds, bool *single, struct span *span)
{
    char *high = cut(text, '-');
    *single = high == NULL;
    if (strcmp(text, "*") == 0 || strcmp(text, "?") == 0) {
        *span = (struct span){.first = bounds->least, .last = bounds->most, .star = true};
        return true;
    }
    if (!parse_value(text, bounds, &span->first))
        return false;
    span->last = span->first;
    return !high || (!strchr(high, '-') && parse_value(high, bounds, &span->last));
}

/* "*", "5", "1-5", "mon-fri", each with a step behind a slash. */
static bool parse_span(char *text, const struct bounds *bounds, uint64_t *set)
{
    struct span span = {0};
    bool single;
    char *step = cut(text, '/');
    if ((step && strchr(step, '/')) || !parse_ends(text, bounds, &single, &span))
        return false;
    span.step = 1;
    if (step) {
        if (!parse_number(step, &span.step))
            return false;
        if (single)
            span.last = bounds->most; /* "5/10" goes on to the end */
        if (span.step > 1)
            span.star = false;
    }
    if (span.first < bounds->least || span.last > bounds->most || span.first > span.last ||
        span.step == 0)
        return false;
    for (unsigned i = span.first; i <= span.last; i += span.step)
        *set |= (uint64_t)1 << i;
    *set |= span.star ? CRON_STAR : 0;
    return true;
}

static bool parse_field(char *text, const struct bounds *bounds, uint64_t *set)
{
    *set = 0;
    for (char *rest = text; rest;) {
        char *span = rest;
        rest = cut(span, ',');
        if (*span && !parse_span(span, bounds, set))
            return false;
    }
    return true;
}

static bool parse_fields(struct arena *arena, const char *text, struct cron_schedule *schedule,
                         const char **why)
{
    uint64_t *sets[FIELD_COUNT_WANTED] = {&schedule->minutes, &schedule->hours, &schedule->days,
                                          &schedule->months, &schedule->weekdays};
    char *rest = arena_strdup(arena, text);
    char *state = NULL;
    int count = 0;
    for (char *field = strtok_r(rest, " \t\n\r\f\v", &state); field;
         field = strtok_r(NULL, " \t\n\r\f\v", &state)) {
        if (count < FIELD_COUNT_WANTED && !parse_field(field, &field_bounds[count], sets[count]))
            return fail(why, "expected minutes, hours, days, months and weekdays in their ranges");
        count++;
    }
    return count == FIELD_COUNT_WANTED || fail(why, "expected five fields or a descriptor");
}

static bool parse_every(const char *text, struct cron_schedule *schedule, const char **why)
{
    if (!duration_parse(text, &schedule->every, NULL))
        return fail(why, "expected a duration such as 90s after @every");
    if (schedule->every < NANOSECONDS_PER_SECOND)
        schedule->every = NANOSECONDS_PER_SECOND;
    schedule->every -= schedule->every % NANOSECONDS_PER_SECOND;
    return true;
}

static bool parse_descriptor(struct arena *arena, const char *text, struct cron_schedule *schedule,
                             const char **why)
{
    static const struct {
        const char *name;
        const char *fields;
    } descriptors[] = {
        {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"},
        {"@weekly", "0 0 * * 0"}, {"@daily", "0 0 * * *"},    {"@midnight", "0 0 * * *"},
        {"@hourly", "0 * * * *"},
    };
    static const char every[] = "@every ";
    for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++)
        if (strcmp(text, descriptors[i].name) == 0)
            return parse_fields(arena, descriptors[i].fields, schedule, why);
    if (strncmp(text, every, sizeof(every) - 1) == 0)
        return parse_every(text + sizeof(every) - 1, schedule, why);
    return fail(why, "expected five fields or a descriptor such as @daily");
}

/* "TZ=Europe/Berlin 0 3 * * *" */
static const char *parse_zone(struct arena *arena, const char *text, struct time_zone *zone)
{
    if (strncmp(text, "TZ=", 3) != 0 && strncmp(text, "CRON_TZ=", 8) != 0)
        return text;
    const char *name = strchr(text, '=') + 1;
    const char *end = strchr(text, ' ');
    if (!end || end < name ||
        time_zone_load(arena, arena_printf(arena, "%.*s", (int)(end - name), name), zone) !=
            TIME_ZONE_FOUND)
        return NULL;
    while (isspace((unsigned char)*end))
        end++;
    return end;
}

bool cron_schedule_parse(struct arena *arena, const char *text, const struct time_zone *zone,
                         struct cron_schedule *schedule, const char **why)
{
    *schedule = (struct cron_schedule){0};
    if (zone)
        schedule->zone = *zone;
    const char *fields = parse_zone(arena, text, &schedule->zone);
    if (!fields)
        return fail(why, "expected a known time zone after TZ=");
    return *fields == '@' ? parse_descriptor(arena, fields, schedule, why)
                          : parse_fields(arena, fields, schedule, why);
}
