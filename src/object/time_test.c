/* SPDX-License-Identifier: Apache-2.0 */
/* Instants and durations against known values and against themselves. */
#include "object/time.h"

#include "object/arena_fixture.h"
#include "object/meta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND INT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)

static void instants(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t time_ns;
        const char *again; /* NULL: as it was */
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0, NULL},
        {"1970-01-01T00:00:01Z", SECOND, NULL},
        {"1969-12-31T23:59:59Z", -SECOND, NULL},
        {"1969-12-31T23:59:59.999999999Z", -1, NULL},
        {"2024-01-01T00:00:00Z", INT64_C(1704067200) * SECOND, NULL},
        {"2024-02-29T12:34:56Z", INT64_C(1709210096) * SECOND, NULL},
        {"2000-03-01T00:00:00Z", INT64_C(951868800) * SECOND, NULL},
        {"2024-01-01T02:00:00+02:00", INT64_C(1704067200) * SECOND, "2024-01-01T00:00:00Z"},
        {"2023-12-31T18:30:00-05:30", INT64_C(1704067200) * SECOND, "2024-01-01T00:00:00Z"},
        {"1970-01-01T00:00:00.5Z", SECOND / 2, NULL},
        {"1970-01-01T00:00:00.500000Z", SECOND / 2, "1970-01-01T00:00:00.5Z"},
        {"1970-01-01T00:00:00.0000000019Z", 1, "1970-01-01T00:00:00.000000001Z"},
        {"1970-01-01T00:00:00,25Z", SECOND / 4, "1970-01-01T00:00:00.25Z"},
        {"1678-01-01T00:00:00Z", INT64_C(-9214560000) * SECOND, NULL},
        {"2261-12-31T23:59:59Z", INT64_C(9214646399) * SECOND, NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t time_ns = 0;
        const char *why = NULL;
        if (!time_parse(cases[i].text, &time_ns, &why))
            fail_msg("%s: %s", cases[i].text, why);
        assert_int_equal(time_ns, cases[i].time_ns);
        assert_string_equal(time_format(&arena, time_ns),
                            cases[i].again ? cases[i].again : cases[i].text);
    }
    int64_t none = 0;
    assert_true(time_parse("0001-01-01T00:00:00Z", &none, NULL));
    assert_int_equal(none, TIME_NONE);
}

static void malformed_instants(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "2024",
        "2024-01-01",
        "2024-01-01T00:00:00",
        "2024-01-01 00:00:00Z",
        "2024-01-01t00:00:00Z",
        "2024-01-01T00:00:00z",
        "2024-1-1T00:00:00Z",
        "2024-13-01T00:00:00Z",
        "2024-00-01T00:00:00Z",
        "2024-01-32T00:00:00Z",
        "2024-01-00T00:00:00Z",
        "2023-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2024-04-31T00:00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:60Z",
        "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00+0200",
        "2024-01-01T00:00:00+02:60",
        "2024-01-01T00:00:00+25:00",
        "2024-01-01T00:00:00Zx",
        "1677-12-31T00:00:00Z",
        "2262-01-01T00:00:00Z",
        "1704067200",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t time_ns = 42;
        const char *why = NULL;
        if (time_parse(cases[i], &time_ns, &why))
            fail_msg("%s was read", cases[i]);
        assert_non_null(why);
        assert_int_equal(time_ns, 42);
    }
}

/* Every day for a thousand years' worth of rules, in steps that hit all months. */
static void instants_are_stable(void **state)
{
    (void)state;
    int64_t previous = INT64_MIN;
    for (int64_t day = -106000; day < 106000; day++) {
        struct arena_mark mark = arena_mark(&arena);
        int64_t time_ns = (day * 86400 + (day * 7919) % 86400) * SECOND + (day & 1);
        int64_t again = 0;
        const char *text = time_format(&arena, time_ns);
        if (!time_parse(text, &again, NULL) || again != time_ns)
            fail_msg("%s", text);
        assert_true(again != previous);
        previous = again;
        arena_rewind(&arena, mark);
    }
}

static void durations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t duration_ns;
        const char *again; /* NULL: as it was */
    } cases[] = {
        {"0s", 0, NULL},
        {"0", 0, "0s"},
        {"-0", 0, "0s"},
        {"5s", 5 * SECOND, NULL},
        {"30s", 30 * SECOND, NULL},
        {"1478s", 1478 * SECOND, "24m38s"},
        {"-5s", -5 * SECOND, NULL},
        {"+5s", 5 * SECOND, "5s"},
        {"5.0s", 5 * SECOND, "5s"},
        {"5.6s", 5 * SECOND + 600000000, NULL},
        {"5.s", 5 * SECOND, "5s"},
        {".5s", SECOND / 2, "500ms"},
        {"1.004s", SECOND + 4000000, NULL},
        {"1.0040s", SECOND + 4000000, "1.004s"},
        {"100.00100s", 100 * SECOND + 1000000, "1m40.001s"},
        {"10ns", 10, NULL},
        {"11us", 11000, "11\xc2\xb5s"},
        {"12\xc2\xb5s", 12000, NULL},
        {"12\xce\xbcs", 12000, "12\xc2\xb5s"},
        {"13ms", 13000000, NULL},
        {"14s", 14 * SECOND, NULL},
        {"15m", 15 * MINUTE, "15m0s"},
        {"16h", 16 * HOUR, "16h0m0s"},
        {"3h30m", 3 * HOUR + 30 * MINUTE, "3h30m0s"},
        {"10.5s4m", 4 * MINUTE + 10 * SECOND + SECOND / 2, "4m10.5s"},
        {"-2m3.4s", -(2 * MINUTE + 3 * SECOND + 400000000), NULL},
        {"1h5m0.5s", HOUR + 5 * MINUTE + SECOND / 2, NULL},
        {"1h2m3s4ms5us6ns", HOUR + 2 * MINUTE + 3 * SECOND + 4005006, "1h2m3.004005006s"},
        {"39h9m14.425s", 39 * HOUR + 9 * MINUTE + 14 * SECOND + 425000000, NULL},
        {"1.5us", 1500, "1.5\xc2\xb5s"},
        {"1.05ms", 1050000, NULL},
        {"52763797000ns", 52763797000, "52.763797s"},
        {"0.3333333333333333333h", 20 * MINUTE, "20m0s"},
        {"9007199254740993ns", INT64_C(9007199254740993), "2501h59m59.254740993s"},
        {"9223372036854775807ns", INT64_MAX, "2562047h47m16.854775807s"},
        {"9223372036854775.807us", INT64_MAX, "2562047h47m16.854775807s"},
        {"-9223372036854775808ns", INT64_MIN, "-2562047h47m16.854775808s"},
        {"0.830103483285477580700h", INT64_C(2988372539827), "49m48.372539827s"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t duration_ns = 42;
        const char *why = NULL;
        if (!duration_parse(cases[i].text, &duration_ns, &why))
            fail_msg("%s: %s", cases[i].text, why);
        if (duration_ns != cases[i].duration_ns)
            fail_msg("%s: %lld", cases[i].text, (long long)duration_ns);
        assert_string_equal(duration_format(&arena, duration_ns),
                            cases[i].again ? cases[i].again : cases[i].text);
    }
}

static void malformed_durations(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "3",
        "-",
        "s",
        ".",
        "-.",
        ".s",
        "+.s",
        "1d",
        "10m5",
        "1h ",
        " 1h",
        "1H",
        "5mn",
        "1e3s",
        "5.5.s",
        "1.5",
        "\xc2\xb5",
        "1--s",
        "9223372036854775808ns",
        "3000000h",
        "9223372036854775807.1s",
        "9223372036854775.808us",
        "-9223372036854775809ns",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t duration_ns = 42;
        const char *why = NULL;
        if (duration_parse(cases[i], &duration_ns, &why))
            fail_msg("%s was read", cases[i]);
        assert_non_null(why);
        assert_int_equal(duration_ns, 42);
    }
}

static void durations_are_stable(void **state)
{
    (void)state;
    uint64_t word = 88172645463325252;
    for (int i = 0; i < 100000; i++) {
        struct arena_mark mark = arena_mark(&arena);
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        int64_t duration_ns = (int64_t)word >> (i % 64);
        int64_t again = 0;
        const char *text = duration_format(&arena, duration_ns);
        if (!duration_parse(text, &again, NULL) || again != duration_ns)
            fail_msg("%s", text);
        arena_rewind(&arena, mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants),
        cmocka_unit_test(malformed_instants),
        cmocka_unit_test(instants_are_stable),
        cmocka_unit_test(durations),
        cmocka_unit_test(malformed_durations),
        cmocka_unit_test(durations_are_stable),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
