/* SPDX-License-Identifier: Apache-2.0 */
/* Components that are asked together: how many pods each may have on one node. */
#include "verify/modular_internal.h"
#include "verify/verify_fixture.h"

enum { NUMBERS = 3 };

static struct others allowing(const uint32_t *most)
{
    return (struct others){.gathered = most, .gathered_count = NUMBERS};
}

/* As much is allowed as any of them allows. */
static void the_most_of_all_is_allowed(void **state)
{
    const uint32_t own[] = {2, UINT32_MAX, 3};
    const uint32_t of_first[] = {3, 1, 3};
    const uint32_t of_second[] = {1, 1, 4};
    struct memory memory;
    struct modular modular = {0};
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&modular.arena, &memory);
    struct others pooled = allowing(own);
    struct others siblings[] = {allowing(of_first), allowing(of_second)};
    siblings[1].gathered_by_images = true;
    assert_false(modular_join_gathered(&modular, &pooled, siblings, 2));
    assert_int_equal(pooled.gathered[0], 3);
    assert_int_equal(pooled.gathered[1], UINT32_MAX);
    assert_int_equal(pooled.gathered[2], 4);
    assert_true(pooled.gathered_by_images);
    arena_release(&modular.arena);
}

/* If one of them allows anything, anything is allowed. */
static void nothing_is_known_of_one(void **state)
{
    const uint32_t own[] = {2, 2, 2};
    struct memory memory;
    struct modular modular = {0};
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&modular.arena, &memory);
    struct others pooled = allowing(own);
    const struct others siblings[] = {allowing(own), allowing(NULL), allowing(own)};
    assert_false(modular_join_gathered(&modular, &pooled, siblings, 3));
    assert_null(pooled.gathered);
    pooled = allowing(NULL);
    assert_false(modular_join_gathered(&modular, &pooled, siblings, 1));
    assert_null(pooled.gathered);
    assert_true(modular_join_gathered(&modular, &pooled, &siblings[1], 1));
    pooled = allowing(own);
    assert_true(modular_join_gathered(&modular, &pooled, siblings, 1));
    assert_int_equal(pooled.gathered[0], 2);
    arena_release(&modular.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_of_all_is_allowed),
        cmocka_unit_test(nothing_is_known_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
