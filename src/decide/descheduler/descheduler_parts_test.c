/* SPDX-License-Identifier: Apache-2.0 */
/* The small parts of the descheduler: sorting as Go does, choices, hidden
 * orders, versions. */
#include "decide/controller/random_test.h"
#include "decide/descheduler/descheduler.h"
#include "decide/descheduler/go_sort.h"
#include "decide/descheduler/hidden_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- sorting ---- */

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

/* ---- choices ---- */

struct stage {
    struct memory memory;
    struct arena arena;
};

static void open_stage(struct stage *stage)
{
    memory_init(&stage->memory, SIZE_MAX);
    arena_init(&stage->arena, &stage->memory);
}

/* Four of three sorts, one after the other: 81 sequences, 15 multisets. With
 * memory every multiset is left once. */
static uint64_t count_runs(bool remembers, uint32_t *ends)
{
    struct stage stage;
    struct choice choice;
    struct signature_set outcomes = {0};
    uint64_t runs = 0;
    open_stage(&stage);
    choice_init(&choice, &stage.arena, remembers);
    do {
        uint32_t taken[3] = {0};
        choice_rewind(&choice);
        for (int i = 0; i < 4; i++) {
            const struct signature so_far = {1 + taken[0] * 100 + taken[1] * 10 + taken[2], 1};
            taken[choice_pick(&choice, 3, so_far)]++;
        }
        runs++;
        if (!choice.given_up)
            signature_set_add(&stage.arena, &outcomes,
                              (struct signature){taken[0] * 100 + taken[1] * 10 + taken[2], 0});
    } while (choice_advance(&choice));
    *ends = outcomes.count;
    arena_release(&stage.arena);
    return runs;
}

static void all_answers_are_taken(void **state)
{
    uint32_t ends;
    (void)state;
    assert_int_equal(count_runs(false, &ends), 81);
    assert_int_equal(ends, 15);
    assert_true(count_runs(true, &ends) < 50);
    assert_int_equal(ends, 15);
}

/* ---- hidden orders ---- */

static void facts_are_not_contradicted(void **state)
{
    struct stage stage;
    (void)state;
    open_stage(&stage);
    struct hidden_order order = {.arena = &stage.arena, .item_count = 100};
    const uint32_t some[] = {1, 2, 3};
    const uint32_t others[] = {3, 70};
    const uint32_t ends[] = {2, 70};
    const uint64_t *set = hidden_order_set(&order, some, 3);
    const uint64_t *other_set = hidden_order_set(&order, others, 2);
    const uint64_t *end_set = hidden_order_set(&order, ends, 2);
    assert_true(hidden_order_allows(&order, 3, set));
    hidden_order_learn(&order, 3, set);
    assert_true(hidden_order_allows(&order, 3, set));
    assert_false(hidden_order_allows(&order, 2, set));
    assert_true(hidden_order_allows(&order, 70, end_set));
    assert_true(hidden_order_allows(&order, 2, end_set));
    /* 70 after 3, which is after 2. */
    hidden_order_learn(&order, 70, other_set);
    assert_false(hidden_order_allows(&order, 2, end_set));
    assert_true(hidden_order_allows(&order, 70, end_set));
    arena_release(&stage.arena);
}

/* ---- versions ---- */

static void versions(void **state)
{
    int minor = 0;
    (void)state;
    assert_true(descheduler_parse_version("v0.27.1", &minor));
    assert_int_equal(minor, 27);
    assert_true(descheduler_parse_version("0.28", &minor));
    assert_int_equal(minor, 28);
    assert_false(descheduler_parse_version("0.29.0", &minor));
    assert_false(descheduler_parse_version("0.277", &minor));
    assert_false(descheduler_parse_version("", &minor));
    assert_true(descheduler_features_of_version(27).threshold_name_refused);
    assert_false(descheduler_features_of_version(27).spread_lists_evictable);
    assert_false(descheduler_features_of_version(28).threshold_name_refused);
    assert_true(descheduler_features_of_version(28).deschedule_first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twelve_items_keep_the_order_of_equals),
        cmocka_unit_test(no_order_at_all_reverses_twelve_items),
        cmocka_unit_test(any_number_of_items_is_sorted),
        cmocka_unit_test(all_answers_are_taken),
        cmocka_unit_test(facts_are_not_contradicted),
        cmocka_unit_test(versions),
    };
    return cmocka_run_group_tests_name("descheduler parts", tests, NULL, NULL);
}
