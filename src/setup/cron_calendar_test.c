/* SPDX-License-Identifier: Apache-2.0 */
/* Calendars of schedules: how soon their gaps repeat, and which cannot be followed. */
#include "setup/cron_calendar.h"

#include "object/arena_fixture.h"
#include "object/meta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define BERLIN "CET-1CEST,M3.5.0,M10.5.0/3"

#define HOUR_MINUTES INT64_C(60)
#define DAY_MINUTES  INT64_C(1440)

static const int64_t MINUTE = (int64_t)60 * NANOSECONDS_PER_SECOND;

static bool find(const char *text, const char *rule, struct cron_calendar *calendar)
{
    struct time_zone zone = {.has_rule = rule != NULL};
    struct cron_schedule schedule;
    const char *why = NULL;
    if (rule)
        assert_true(zone_rule_parse(rule, &zone.rule));
    assert_true(cron_schedule_parse(&arena, text, &zone, &schedule, &why));
    return cron_calendar_of(&arena, &schedule, calendar, &why);
}

/* Schedules with the number of gaps that repeat, the minutes that they take together, and the
 * shortest and the longest one. */
static void test_gaps(void **state)
{
    (void)state;
    static const struct {
        const char *schedule;
        const char *rule;
        uint32_t count;
        int64_t minutes;
        int64_t shortest;
        int64_t longest;
    } cases[] = {
        {"* * * * *", NULL, 1, 1, 1, 1},
        {"*/10 * * * *", NULL, 1, 10, 10, 10},
        {"*/7 * * * *", NULL, 9, HOUR_MINUTES, 4, 7},
        {"0 3 * * *", NULL, 1, DAY_MINUTES, DAY_MINUTES, DAY_MINUTES},
        {"0 0,12 * * *", NULL, 1, DAY_MINUTES / 2, DAY_MINUTES / 2, DAY_MINUTES / 2},
        {"30 6 * * 1-5", NULL, 5, 7 * DAY_MINUTES, DAY_MINUTES, 3 * DAY_MINUTES},
        {"0 0 1 * *", NULL, 48, 1461 * DAY_MINUTES, 28 * DAY_MINUTES, 31 * DAY_MINUTES},
        {"0 0 29 2 *", NULL, 1, 1461 * DAY_MINUTES, 1461 * DAY_MINUTES, 1461 * DAY_MINUTES},
        /* Mondays of January, and its first day. */
        {"0 0 1 1 1", NULL, 148, 10227 * DAY_MINUTES, DAY_MINUTES, 342 * DAY_MINUTES},
        /* Clocks change, but not minutes. */
        {"*/10 * * * *", BERLIN, 1, 10, 10, 10},
        /* On one day there is no half past two, and on another one there are two. */
        {"30 2 * * *", BERLIN, 364, 364 * DAY_MINUTES, HOUR_MINUTES,
         2 * DAY_MINUTES - HOUR_MINUTES},
        {"0 12 * * *", BERLIN, 364, 364 * DAY_MINUTES, DAY_MINUTES - HOUR_MINUTES,
         DAY_MINUTES + HOUR_MINUTES},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cron_calendar calendar;
        assert_true(find(cases[i].schedule, cases[i].rule, &calendar));
        int64_t shortest = INT64_MAX;
        int64_t longest = 0;
        int64_t sum = 0;
        for (uint32_t g = 0; g < calendar.count; g++) {
            shortest = calendar.gaps[g] < shortest ? calendar.gaps[g] : shortest;
            longest = calendar.gaps[g] > longest ? calendar.gaps[g] : longest;
            sum += calendar.gaps[g];
        }
        if (calendar.count != cases[i].count || calendar.length != sum ||
            sum / MINUTE != cases[i].minutes || shortest / MINUTE != cases[i].shortest ||
            longest / MINUTE != cases[i].longest)
            fail_msg("%s: found %u gaps of %lld to %lld minutes, %lld together", cases[i].schedule,
                     calendar.count, (long long)(shortest / MINUTE), (long long)(longest / MINUTE),
                     (long long)(sum / MINUTE));
    }
}

static void test_not_followed(void **state)
{
    (void)state;
    struct cron_calendar calendar;
    assert_false(find("0 0 31 2 *", NULL, &calendar));
    assert_false(find("* * * 1 *", NULL, &calendar));
}

static void test_every(void **state)
{
    (void)state;
    const char *why = NULL;
    struct cron_calendar calendar;
    struct cron_job cron_job = {.schedule = "@every 90s"};
    assert_true(cron_calendar_find(&arena, &cron_job, &calendar, &why));
    assert_true(calendar.from_creation);
    assert_int_equal(calendar.count, 1);
    assert_int_equal(calendar.length, 3 * MINUTE / 2);
    cron_job.starting_deadline_seconds = (struct optional_int){true, 60};
    assert_false(cron_calendar_find(&arena, &cron_job, &calendar, &why));
    cron_job.starting_deadline_seconds.set = false;
    cron_job.schedule = "@every 30s"; /* two Jobs would have one name */
    assert_false(cron_calendar_find(&arena, &cron_job, &calendar, &why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_not_followed),
        cmocka_unit_test(test_every),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
