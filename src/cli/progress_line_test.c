/* SPDX-License-Identifier: Apache-2.0 */
/* What the progress says of the time left: for growth that is known exactly. */
#include "cli/progress_line.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint32_t fill(struct progress_sample *samples, uint64_t setups, double power, double scale)
{
    for (uint64_t i = 0; i < setups; i++)
        samples[i] = (struct progress_sample){i + 1, scale * pow((double)(i + 1), power)};
    return (uint32_t)setups;
}

static void growth_is_carried_on(void **state)
{
    struct progress_sample samples[100] = {{0, 0}};
    (void)state;
    for (int exponent = 1; exponent <= 4; exponent++) {
        const double power = exponent;
        const uint32_t count = fill(samples, 100, power, 10 / pow(100, power));
        const double left = progress_seconds_left(samples, count, 200);
        assert_true(fabs(left - 10 * (pow(2, power) - 1)) < 1e-6);
    }
}

static void little_says_nothing(void **state)
{
    struct progress_sample samples[100] = {{0, 0}};
    (void)state;
    assert_true(progress_seconds_left(samples, 0, 100) < 0);
    assert_true(progress_seconds_left(samples, fill(samples, 19, 1, 1), 100) < 0);
    assert_true(progress_seconds_left(samples, fill(samples, 100, 1, 0.001), 1000) < 0);
}

/* Setups that get cheaper are not trusted, nor is a jump. */
static void strange_growth_is_bounded(void **state)
{
    struct progress_sample samples[100] = {{0, 0}};
    (void)state;
    uint32_t count = fill(samples, 100, 0.1, 1);
    assert_true(progress_seconds_left(samples, count, 200) >= samples[99].seconds - 1e-9);
    count = fill(samples, 100, 0.1, 1);
    samples[99].seconds = 1e9;
    assert_true(progress_seconds_left(samples, count, 200) <= 1e9 * 256);
    assert_true(progress_seconds_left(samples, count, 100) == 0);
}

static void narrow_lines_say_less(void **state)
{
    static const struct progress_piece pieces[] = {
        {"12 of 90 setups", PROGRESS_WEIGHT_MOST},
        {", 80 states", 4},
        {", now 3 nodes", 0},
        {", 2.0 s", 3},
    };
    static const struct {
        size_t room;
        const char *line;
    } cases[] = {
        {200, "12 of 90 setups, 80 states, now 3 nodes, 2.0 s"},
        {46, "12 of 90 setups, 80 states, now 3 nodes, 2.0 s"},
        {45, "12 of 90 setups, 80 states, 2.0 s"},
        {33, "12 of 90 setups, 80 states, 2.0 s"},
        {32, "12 of 90 setups, 80 states"},
        {25, "12 of 90 setups"},
        {5, "12 of"},
        {0, ""},
    };
    char line[128];
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        progress_fit(pieces, 4, cases[i].room, line, sizeof(line));
        assert_string_equal(line, cases[i].line);
    }
    progress_fit(pieces, 4, 200, line, 20);
    assert_string_equal(line, "12 of 90 setups, 80");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_is_carried_on),
        cmocka_unit_test(little_says_nothing),
        cmocka_unit_test(narrow_lines_say_less),
        cmocka_unit_test(strange_growth_is_bounded),
    };
    return cmocka_run_group_tests_name("progress_line", tests, NULL, NULL);
}
