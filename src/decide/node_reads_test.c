/* SPDX-License-Identifier: Apache-2.0 */
/* Which sizes are left when a function of a number of nodes is followed. */
#include "decide/node_reads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* As the taints of a zone with five nodes that do not answer: with one to four that answer it is
 * disrupted in part, and nothing is tainted; with none at all it is again. */
static bool is_tainted(void *context, int64_t answering)
{
    (void)context;
    return answering == 0 || answering > 4;
}

/* Each group keeps a node, so that the last of these cases is none. It must not hide the others. */
static void a_sum_has_a_node_of_each_group(void **state)
{
    const int32_t nodes[] = {6, 7};
    const int32_t few[] = {2, 2};
    const int32_t enough[] = {2, 3};
    struct size_region region = size_region_all();
    struct node_reads reads = {.group_count = 2, .nodes = nodes, .region = &region};
    const struct catalog catalog = {.node_reads = &reads};
    const struct node_sum sum = {.value = 13, .groups = 3};
    (void)state;
    size_region_narrow(&region, 1, 1, SIZE_UNBOUNDED);
    size_region_narrow(&region, 2, 1, SIZE_UNBOUNDED);
    node_sum_follow(&catalog, &sum, true, is_tainted, NULL);
    assert_false(size_region_has(&region, nodes, few, 2));
    assert_true(size_region_has(&region, nodes, enough, 2));
}

static void bounds_of_groups_add_up(void **state)
{
    struct size_region region = size_region_all();
    (void)state;
    size_region_narrow(&region, 1, 2, 9);
    size_region_narrow(&region, 4, 3, 9);
    assert_int_equal(size_region_bounds(&region, 5).least, 5);
    assert_int_equal(size_region_bounds(&region, 7).least, 5);
    assert_int_equal(size_region_bounds(&region, 6).least, 3);
    assert_true(size_region_bounds(&region, 5).most == SIZE_UNBOUNDED);
    size_region_narrow(&region, 5, 7, 8);
    assert_int_equal(size_region_bounds(&region, 5).least, 7);
    assert_int_equal(size_region_bounds(&region, 5).most, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_has_a_node_of_each_group),
        cmocka_unit_test(bounds_of_groups_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
