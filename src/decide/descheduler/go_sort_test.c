/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting as Go does, equals included. */
#include "decide/descheduler/go_sort.h"

#include "decide/controller/random_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Items are numbers; only their tens count. */
static bool tens_less(const void *context, uint32_t left, uint32_t right)
{
    (void)context;
    return left / 10 < right / 10;
}

/* Everything is less than everything. */
static bool always_less(const void *context, uint32_t left, uint32_t right)
{
    (void)context;
    (void)left;
    (void)right;
    return true;
}

static void twelve_items_keep_the_order_of_equals(void **state)
{
    uint32_t items[] = {31, 12, 30, 11, 32, 10, 20};
    const uint32_t expected[] = {12, 11, 10, 20, 31, 30, 32};
    (void)state;
    go_sort(items, 7, tens_less, NULL);
    assert_memory_equal(items, expected, sizeof(items));
}

static void no_order_at_all_reverses_twelve_items(void **state)
{
    uint32_t items[12];
    (void)state;
    for (uint32_t i = 0; i < 12; i++)
        items[i] = i;
    go_sort(items, 12, always_less, NULL);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(items[i], 11 - i);
}

static void any_number_of_items_is_sorted(void **state)
{
    const uint64_t seed = 7;
    struct dice dice = {seed};
    uint32_t items[600];
    (void)state;
    for (uint32_t round = 0; round < 400; round++) {
        const uint32_t count = (uint32_t)dice_between(&dice, 0, 600);
        const int64_t values = dice_between(&dice, 1, 6000);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            /* Ascending, descending, sawtooth and random inputs take different ways. */
            items[i] = round % 4 == 0   ? i * 10
                       : round % 4 == 1 ? (count - i) * 10
                       : round % 4 == 2 ? i % 7 * 10
                                        : (uint32_t)dice_roll(&dice, values);
            sum += items[i];
        }
        go_sort(items, count, tens_less, NULL);
        for (uint32_t i = 0; i < count; i++) {
            sum -= items[i];
            if (i > 0 && items[i] / 10 < items[i - 1] / 10)
                fail_msg("seed %llu, round %u: not sorted", (unsigned long long)seed, round);
        }
        assert_int_equal(sum, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twelve_items_keep_the_order_of_equals),
        cmocka_unit_test(no_order_at_all_reverses_twelve_items),
        cmocka_unit_test(any_number_of_items_is_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
