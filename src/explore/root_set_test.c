/* SPDX-License-Identifier: Apache-2.0 */
/* The set of roots by itself: pairs of all widths come back, however often the records were
 * widened and the table grew, and no other pair is found. */
#include "explore/root_set.h"

#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PAIRS = 30000, PAIRS_MANY = 2500000 };

static uint32_t add(struct root_set *set, struct id_block *block, uint64_t pair, uint32_t extra,
                    bool *is_new)
{
    for (;;) {
        uint64_t collisions = 0;
        const uint32_t id =
            root_set_add(set, block, 1, pair, extra, pair_hash(pair, extra), is_new, &collisions);
        if (id != PAIR_SET_NONE)
            return id;
        assert_true(root_set_fits(set, pair) ? root_set_grow(set) : root_set_widen(set, pair));
    }
}

/* Pairs whose halves get longer and longer, one after the other. */
static uint64_t pair_of_width(uint32_t number, uint32_t left_bits, uint32_t right_bits)
{
    const uint64_t mixed = hash_word(number);
    return pair_make((uint32_t)mixed >> (32 - left_bits),
                     (uint32_t)(mixed >> 32) >> (32 - right_bits));
}

static const struct width_row {
    const char *what;
    uint32_t left_bits, right_bits; /* of the last pairs */
    uint32_t record_bytes;          /* in the end */
} width_rows[] = {
    {"both halves short", 16, 16, 4},   {"a long left half", 31, 1, 4},
    {"a long right half", 1, 31, 4},    {"a bit more than four bytes", 17, 16, 5},
    {"six bytes", 20, 27, 6},           {"seven bytes", 32, 24, 7},
    {"words on both sides", 32, 32, 8},
};

static void every_width_comes_back(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    for (size_t row = 0; row < sizeof(width_rows) / sizeof(*width_rows); row++) {
        const struct width_row *widths = &width_rows[row];
        static uint64_t pairs[PAIRS];
        static uint32_t ids[PAIRS];
        struct root_set set;
        struct id_block block = {0};
        root_set_init(&set, &memory, 3, 4);
        assert_true(root_set_grow(&set));
        uint32_t next_id = 0;
        for (uint32_t i = 0; i < PAIRS; i++) {
            bool is_new;
            const uint32_t left = 1 + i * widths->left_bits / PAIRS;
            const uint32_t right = 1 + i * widths->right_bits / PAIRS;
            pairs[i] = pair_of_width(i, left < 32 ? left : 32, right < 32 ? right : 32);
            ids[i] = add(&set, &block, pairs[i], 3 + i % 2, &is_new);
            if (is_new)
                assert_int_equal(ids[i], next_id++);
            else
                assert_true(ids[i] < next_id);
        }
        if (set.record_bytes != widths->record_bytes)
            print_error("%s: %u bytes a record\n", widths->what, set.record_bytes);
        assert_int_equal(set.record_bytes, widths->record_bytes);
        for (uint32_t i = 0; i < PAIRS; i++) {
            assert_int_equal(root_set_find(&set, pairs[i], 3 + i % 2), ids[i]);
            assert_true(root_set_pair(&set, ids[i]) == pairs[i]);
            assert_int_equal(set.extras[ids[i]], 3 + i % 2);
        }
        root_set_release(&set);
        assert_int_equal(memory.used_bytes, 0);
    }
}

/* The two largest halves, and a pair that no record can have. */
static void the_largest_pair_comes_back(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct root_set set;
    struct id_block block = {0};
    bool is_new;
    root_set_init(&set, &memory, 2, 2);
    assert_true(root_set_grow(&set));
    assert_int_equal(add(&set, &block, 0, 2, &is_new), 0);
    assert_int_equal(root_set_find(&set, UINT64_MAX, 2), PAIR_SET_NONE);
    assert_int_equal(add(&set, &block, UINT64_MAX, 2, &is_new), 1);
    assert_true(root_set_pair(&set, 0) == 0);
    assert_true(root_set_pair(&set, 1) == UINT64_MAX);
    assert_int_equal(root_set_find(&set, UINT64_MAX, 2), 1);
    root_set_release(&set);
}

/* Far enough for steps of every size; and few bytes a pair are left over. */
static void growing_loses_nothing(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct root_set set;
    struct id_block block = {0};
    root_set_init(&set, &memory, 2, 2);
    assert_true(root_set_grow(&set));
    for (uint32_t i = 0; i < PAIRS_MANY; i++) {
        bool is_new;
        assert_int_equal(add(&set, &block, pair_make(i % 2000, i / 2000), 2, &is_new), i);
        assert_true(is_new);
    }
    for (uint32_t i = 0; i < PAIRS_MANY; i++)
        assert_int_equal(root_set_find(&set, pair_make(i % 2000, i / 2000), 2), i);
    for (uint32_t i = 0; i < 2000; i++)
        assert_int_equal(root_set_find(&set, pair_make(i, PAIRS_MANY / 2000), 2), PAIR_SET_NONE);
    assert_true(root_set_bytes(&set) < (uint64_t)PAIRS_MANY * 12);
    root_set_release(&set);
    assert_int_equal(memory.used_bytes, 0);
}

/* What room.c does with several threads. */
static void a_table_that_is_filled_again_has_the_same_ids(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct root_set set;
    struct id_block block = {0};
    bool is_new;
    root_set_init(&set, &memory, 2, 2);
    assert_true(root_set_grow(&set));
    for (uint32_t i = 0; i < PAIRS; i++)
        add(&set, &block, pair_make(i, i / 2), 2, &is_new);
    const uint64_t old_end = set.slot_end;
    assert_true(root_set_enlarge(&set, (uint64_t)PAIRS * 20));
    assert_int_equal(root_set_clear(&set, 0, old_end), PAIRS);
    for (uint32_t id = PAIRS; id-- > 0;)
        root_set_place_again(&set, id, root_set_hash(&set, id));
    for (uint32_t i = 0; i < PAIRS; i++)
        assert_int_equal(root_set_find(&set, pair_make(i, i / 2), 2), i);
    assert_int_equal(add(&set, &block, pair_make(1, 5), 2, &is_new), PAIRS);
    root_set_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_comes_back),
        cmocka_unit_test(the_largest_pair_comes_back),
        cmocka_unit_test(growing_loses_nothing),
        cmocka_unit_test(a_table_that_is_filled_again_has_the_same_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
