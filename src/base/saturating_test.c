/* SPDX-License-Identifier: Apache-2.0 */
/* At the ends of the range, and just before them. */
#include "base/saturating.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_add(void **state)
{
    (void)state;
    assert_true(saturating_add(2, 3) == 5);
    assert_true(saturating_add(INT64_MAX - 1, 1) == INT64_MAX);
    assert_true(saturating_add(INT64_MAX, 1) == INT64_MAX);
    assert_true(saturating_add(INT64_MIN, -1) == INT64_MIN);
    assert_true(saturating_subtract(INT64_MIN, 1) == INT64_MIN);
    assert_true(saturating_subtract(0, INT64_MIN) == INT64_MAX);
    assert_true(saturating_subtract(7, 9) == -2);
    assert_true(saturating_add_32(INT32_MAX, 1) == INT32_MAX);
    assert_true(saturating_add_32(INT32_MIN, -1) == INT32_MIN);
    assert_true(saturating_add_32(-4, 6) == 2);
}

static void test_multiply(void **state)
{
    (void)state;
    assert_true(saturating_multiply(-3, 4) == -12);
    assert_true(saturating_multiply(INT64_MAX, 2) == INT64_MAX);
    assert_true(saturating_multiply(INT64_MIN, -1) == INT64_MAX);
    assert_true(saturating_multiply(INT64_MAX, -2) == INT64_MIN);
    assert_true(saturating_multiply(INT64_MIN, 0) == 0);
}

static void test_from_double(void **state)
{
    (void)state;
    assert_true(saturating_from_double(-2.5) == -2);
    assert_true(saturating_from_double(1e18) == INT64_C(1000000000000000000));
    assert_true(saturating_from_double(9.3e18) == INT64_MAX);
    assert_true(saturating_from_double(-1e300) == INT64_MIN);
    assert_true(saturating_from_double((double)INFINITY) == INT64_MAX);
    assert_true(saturating_from_double((double)NAN) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_multiply),
        cmocka_unit_test(test_from_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
