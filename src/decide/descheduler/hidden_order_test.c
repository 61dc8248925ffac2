/* SPDX-License-Identifier: Apache-2.0 */
/* An order that nobody tells: what was seen of it is not contradicted later. */
#include "decide/descheduler/hidden_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void facts_are_not_contradicted(void **state)
{
    struct memory memory;
    struct arena arena;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    struct hidden_order order = {.arena = &arena, .item_count = 100};
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
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_not_contradicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
