/* SPDX-License-Identifier: Apache-2.0 */
/* Every path of choices is taken once, interchangeable items are not told apart, and a trial leaves
 * one choice for each of its results. */
#include "decide/autoscaler/every_outcome.h"
#include "decide/autoscaler/hidden_orders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct memory memory;
    struct arena arena;
    struct order_choices choices;
    struct cluster_autoscaler autoscaler;
};

static void begin(struct fixture *fixture)
{
    memset(fixture, 0, sizeof(*fixture));
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    fixture->choices.arena = &fixture->arena;
    fixture->autoscaler.loop_arena = &fixture->arena;
    fixture->autoscaler.choices = &fixture->choices;
}

static void every_path_is_taken_once(void **state)
{
    struct fixture fixture;
    uint32_t seen[6] = {0};
    uint32_t paths = 0;
    (void)state;
    begin(&fixture);
    do {
        const uint32_t first = orders_pick(&fixture.autoscaler, 2);
        const uint32_t second = first == 0 ? orders_pick(&fixture.autoscaler, 3) : 0;
        assert_int_equal(orders_pick(&fixture.autoscaler, 1), 0);
        seen[3 * first + second]++;
        paths++;
    } while (order_choices_advance(&fixture.choices));
    assert_int_equal(paths, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(seen[i], 1);
    arena_release(&fixture.arena);
}

static uint64_t kind_of(const struct cluster_autoscaler *autoscaler, const void *item)
{
    (void)autoscaler;
    return (uint64_t)(*(const char *)item);
}

/* Three items of two kinds have three orders; three of three kinds have six. */
static void equal_items_are_interchangeable(void **state)
{
    const struct {
        const char *items;
        uint32_t orders;
    } cases[] = {{"aab", 3}, {"abc", 6}, {"aaa", 1}, {"aabb", 6}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fixture fixture;
        uint32_t orders = 0;
        begin(&fixture);
        do {
            char items[8] = {0};
            strcpy(items, cases[i].items);
            orders_mix_kinds(&fixture.autoscaler, items, (uint32_t)strlen(items), 1, kind_of);
            orders++;
        } while (order_choices_advance(&fixture.choices));
        assert_int_equal(orders, cases[i].orders);
        arena_release(&fixture.arena);
    }
}

struct sum {
    struct cluster_autoscaler *autoscaler;
    uint32_t sum;
    uint32_t undone;
};

static void throw_dice(void *context)
{
    struct sum *sum = context;
    sum->sum = orders_pick(sum->autoscaler, 3) + orders_pick(sum->autoscaler, 3);
}

static void undo(void *context)
{
    ((struct sum *)context)->undone++;
}

static void tell(void *context, struct text *text)
{
    text_printf(text, "%u", ((const struct sum *)context)->sum);
}

/* Nine throws have five sums. */
static void results_are_chosen_once(void **state)
{
    struct fixture fixture;
    uint32_t sums = 0;
    uint32_t runs = 0;
    (void)state;
    begin(&fixture);
    do {
        struct sum sum = {&fixture.autoscaler, 0, 0};
        trial_run(&fixture.autoscaler, &(struct outcome_trial){throw_dice, undo, tell, &sum});
        assert_int_equal(sum.undone, 9);
        sums |= 1U << sum.sum;
        runs++;
    } while (order_choices_advance(&fixture.choices));
    assert_int_equal(runs, 5);
    assert_int_equal(sums, 31);
    assert_false(fixture.autoscaler.outcomes_overflow);
    arena_release(&fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_is_taken_once),
        cmocka_unit_test(equal_items_are_interchangeable),
        cmocka_unit_test(results_are_chosen_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
