/* SPDX-License-Identifier: Apache-2.0 */
/* Cron expressions and time zones: each case is a text and times that must follow one another. */
#include "object/cron_schedule.h"

#include "object/arena_fixture.h"
#include "object/meta.h"
#include "object/time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BERLIN   "CET-1CEST,M3.5.0,M10.5.0/3"
#define NEW_YORK "EST5EDT,M3.2.0,M11.1.0"
#define SYDNEY   "AEST-10AEDT,M10.1.0,M4.1.0/3"
/* Clocks go from midnight to one. */
#define SAO_PAULO "<-03>3<-02>,M11.1.0/0,M2.3.0/0"

struct next_case {
    const char *schedule;
    const char *rule; /* of the time zone; NULL: UTC */
    const char *after;
    const char *next; /* NULL: none */
};

static const struct next_case cases[] = {
    {"* * * * *", NULL, "2024-03-01T12:00:00Z", "2024-03-01T12:01:00Z"},
    {"* * * * *", NULL, "2024-03-01T12:00:00.5Z", "2024-03-01T12:01:00Z"},
    {"*/7 8-18 * * *", NULL, "2024-03-01T18:56:00Z", "2024-03-02T08:00:00Z"},
    {"5/20 * * * *", NULL, "2024-03-01T12:06:00Z", "2024-03-01T12:25:00Z"},
    {"15,45 * * * *", NULL, "2024-03-01T12:15:00Z", "2024-03-01T12:45:00Z"},
    {"0 0 29 2 *", NULL, "2024-03-01T00:00:00Z", "2028-02-29T00:00:00Z"},
    {"0 0 31 2 *", NULL, "2024-03-01T00:00:00Z", NULL},
    {"0 0 31 * *", NULL, "2024-03-31T00:00:00Z", "2024-05-31T00:00:00Z"},
    {"0 0 1 jan *", NULL, "2024-03-01T00:00:00Z", "2025-01-01T00:00:00Z"},
    {"0 0 * * MON-fri", NULL, "2024-03-01T00:00:00Z", "2024-03-04T00:00:00Z"},
    /* Both days are restricted: either will do. A star with a step is a restriction. */
    {"0 0 13 * 5", NULL, "2024-03-08T00:00:00Z", "2024-03-13T00:00:00Z"},
    {"0 0 13 * *", NULL, "2024-03-08T00:00:00Z", "2024-03-13T00:00:00Z"},
    {"0 0 */10 * 5", NULL, "2024-03-01T00:00:00Z", "2024-03-08T00:00:00Z"},
    {"0 0 ? * 5", NULL, "2024-03-01T00:00:00Z", "2024-03-08T00:00:00Z"},
    {"@yearly", NULL, "2024-03-01T00:00:00Z", "2025-01-01T00:00:00Z"},
    {"@annually", NULL, "2024-03-01T00:00:00Z", "2025-01-01T00:00:00Z"},
    {"@monthly", NULL, "2024-03-01T00:00:00Z", "2024-04-01T00:00:00Z"},
    {"@weekly", NULL, "2024-03-01T00:00:00Z", "2024-03-03T00:00:00Z"},
    {"@midnight", NULL, "2024-03-01T00:00:00Z", "2024-03-02T00:00:00Z"},
    {"@hourly", NULL, "2024-03-01T00:00:00Z", "2024-03-01T01:00:00Z"},
    {"@every 90s", NULL, "2024-03-01T12:00:10.7Z", "2024-03-01T12:01:40Z"},
    {"@every 1.5s", NULL, "2024-03-01T12:00:10Z", "2024-03-01T12:00:11Z"},
    {"@every 1ms", NULL, "2024-03-01T12:00:10Z", "2024-03-01T12:00:11Z"},
    {"TZ=Etc/GMT-1 0 13 * * *", NULL, "2024-03-01T00:00:00Z", "2024-03-01T12:00:00Z"},
    {"CRON_TZ=Etc/GMT+1 0 13 * * *", NULL, "2024-03-01T00:00:00Z", "2024-03-01T14:00:00Z"},
    {"0 12 * * *", BERLIN, "2024-03-30T11:00:00Z", "2024-03-31T10:00:00Z"},
    {"0 12 * * *", NEW_YORK, "2024-11-02T16:00:00Z", "2024-11-03T17:00:00Z"},
    {"0 12 * * *", SYDNEY, "2024-01-01T00:00:00Z", "2024-01-01T01:00:00Z"},
    /* Half past two does not exist on the day on which clocks go forward. */
    {"30 2 * * *", BERLIN, "2024-03-30T01:30:00Z", "2024-04-01T00:30:00Z"},
    /* It comes once on the day on which they go back. */
    {"30 2 * * *", BERLIN, "2024-10-26T00:30:00Z", "2024-10-27T00:30:00Z"},
    {"30 2 * * *", BERLIN, "2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z"},
    {"0 0 5 11 *", SAO_PAULO, "2024-11-01T00:00:00Z", "2024-11-05T02:00:00Z"},
};

static struct time_zone zone_of(const char *rule)
{
    struct time_zone zone = {0};
    if (rule) {
        zone.has_rule = true;
        assert_true(zone_rule_parse(rule, &zone.rule));
    }
    return zone;
}

static void test_next(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct time_zone zone = zone_of(cases[i].rule);
        struct cron_schedule schedule;
        int64_t after;
        assert_true(cron_schedule_parse(&arena, cases[i].schedule, &zone, &schedule, NULL));
        assert_true(time_parse(cases[i].after, &after, NULL));
        const int64_t next = cron_schedule_next(&schedule, after);
        const char *found = next == TIME_NONE ? "none" : time_format(&arena, next);
        if (strcmp(found, cases[i].next ? cases[i].next : "none") != 0)
            fail_msg("%s after %s: found %s", cases[i].schedule, cases[i].after, found);
    }
}

static void test_no_schedules(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "bad",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * 32 * *",
        "* * * 13 *",
        "* * * * 7",
        "5-1 * * * *",
        "*/0 * * * *",
        "1-2-3 * * * *",
        "1/2/3 * * * *",
        "-1 * * * *",
        "x * * * *",
        "@fortnightly",
        "@every",
        "@every x",
        "* * * foo *",
        "TZ=Etc/GMT+99 * * * * *",
        "TZ=UTC",
    };
    struct cron_schedule schedule;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (cron_schedule_parse(&arena, texts[i], NULL, &schedule, NULL))
            fail_msg("\"%s\" was read", texts[i]);
}

static void test_rules(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        const char *time;
        int64_t offset;
    } rules[] = {
        {BERLIN, "2024-03-31T00:59:59Z", 3600},
        {BERLIN, "2024-03-31T01:00:00Z", 7200},
        {BERLIN, "2024-10-27T00:59:59Z", 7200},
        {BERLIN, "2024-10-27T01:00:00Z", 3600},
        {NEW_YORK, "2024-03-10T06:59:59Z", -18000},
        {NEW_YORK, "2024-03-10T07:00:00Z", -14400},
        {SYDNEY, "2024-01-01T00:00:00Z", 39600},
        {SYDNEY, "2024-07-01T00:00:00Z", 36000},
        {"<+0530>-5:30", "2024-07-01T00:00:00Z", 19800},
        {"IST-2IDT,J60,J300", "2024-02-29T23:59:59Z", 7200}, /* J60 is the first of March */
        {"IST-2IDT,J60,J300", "2024-03-01T00:00:00Z", 10800},
        {"IST-2IDT,59,300", "2024-02-29T00:00:00Z", 10800}, /* and 59 the 29th of February */
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        struct zone_rule rule;
        int64_t time;
        assert_true(zone_rule_parse(rules[i].rule, &rule));
        assert_true(time_parse(rules[i].time, &time, NULL));
        assert_int_equal(zone_rule_offset(&rule, time / NANOSECONDS_PER_SECOND), rules[i].offset);
    }
    struct zone_rule rule;
    static const char *const wrong[] = {
        "", "C", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.5.0", "CET-1x"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(zone_rule_parse(wrong[i], &rule));
}

static void put_number(unsigned char *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* A file with an empty first block, and one transition in the second. */
static size_t write_zone(unsigned char *bytes, const char *footer)
{
    static const char magic[] = {'T', 'Z', 'i', 'f', '2'};
    memset(bytes, 0, 200);
    memcpy(bytes, magic, sizeof(magic));
    put_number(bytes + 36, 1); /* types of the first block */
    unsigned char *second = bytes + 44 + 6;
    memcpy(second, magic, sizeof(magic));
    put_number(second + 32, 1); /* transitions */
    put_number(second + 36, 2);
    unsigned char *data = second + 44;
    put_number(data + 4, 1000); /* when */
    data[8] = 1;                /* type */
    put_number(data + 9, 60);
    put_number(data + 15, 120);
    strcpy((char *)data + 21, footer);
    return (size_t)(data + 21 - bytes) + strlen(footer);
}

static void test_files(void **state)
{
    (void)state;
    unsigned char bytes[200];
    struct time_zone zone;
    size_t length = write_zone(bytes, "\n\n");
    assert_true(time_zone_parse(&arena, bytes, length, &zone));
    assert_int_equal(time_zone_offset(&zone, 999), 60);
    assert_int_equal(time_zone_offset(&zone, 1000), 120);
    length = write_zone(bytes, "\n" BERLIN "\n");
    assert_true(time_zone_parse(&arena, bytes, length, &zone));
    assert_int_equal(time_zone_offset(&zone, 1000), 3600);
    for (size_t cut = 0; cut < 44 + 6 + 44 + 21; cut++)
        assert_false(time_zone_parse(&arena, bytes, cut, &zone));
    bytes[44 + 6 + 44 + 8] = 2; /* a type that there is not */
    assert_false(time_zone_parse(&arena, bytes, length, &zone));
}

static void test_names(void **state)
{
    (void)state;
    struct time_zone zone;
    assert_int_equal(time_zone_load(&arena, "UTC", &zone), TIME_ZONE_FOUND);
    assert_int_equal(time_zone_load(&arena, "Etc/GMT-14", &zone), TIME_ZONE_FOUND);
    assert_int_equal(time_zone_offset(&zone, 0), 14 * 3600);
    assert_int_equal(time_zone_load(&arena, "../passwd", &zone), TIME_ZONE_UNKNOWN);
    assert_int_equal(time_zone_load(&arena, "/etc/localtime", &zone), TIME_ZONE_UNKNOWN);
    assert_int_not_equal(time_zone_load(&arena, "Nowhere/Land", &zone), TIME_ZONE_FOUND);
    assert_int_not_equal(time_zone_load(&arena, "Etc/GMT+13", &zone), TIME_ZONE_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_next),  cmocka_unit_test(test_no_schedules),
        cmocka_unit_test(test_rules), cmocka_unit_test(test_files),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
