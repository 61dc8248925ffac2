/* SPDX-License-Identifier: Apache-2.0 */
/* Every answer to every question is taken once, and known ways are not gone again. */
#include "decide/descheduler/choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_answers_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
