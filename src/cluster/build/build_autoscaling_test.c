/* SPDX-License-Identifier: Apache-2.0 */
/* Flags of the cluster autoscaler that a Check does not give have the version's defaults. */
#include "cluster/build/build_autoscaling.h"

#include "decide/autoscaler/autoscaler_options.h"
#include "decide/features_fixture.h"
#include "manifest/manifest.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The options of a version, with flags as in a Check; NULL: none. */
static struct autoscaler_options options_of(int minor, const char *flags)
{
    struct documents documents = {0};
    struct problems problems;
    struct check_cluster_autoscaler given = {0};
    struct autoscaler_options options;
    problems_init(&problems, &arena);
    if (flags) {
        assert_true(manifest_parse(&arena, "flags", flags, strlen(flags), &documents, &problems));
        given.flags = &documents.items[0].root;
    }
    autoscaling_read_options(&arena, &given, version(minor), &options, &problems);
    assert_int_equal(problems.count, 0);
    return options;
}

static bool parallel(int minor, const char *flags)
{
    return options_of(minor, flags).parallel_drain;
}

static void test_parallel_drain(void **state)
{
    (void)state;
    assert_false(parallel(27, NULL));
    assert_true(parallel(28, NULL));
    assert_true(parallel(27, "{parallel-drain: true}"));
    assert_false(parallel(28, "{parallel-drain: false}"));
    assert_false(parallel(31, "{parallel-drain: false}"));
    assert_true(parallel(32, "{parallel-drain: false}"));
}

static void assert_expander(int minor, const char *flags, const char *expected)
{
    const struct autoscaler_options options = options_of(minor, flags);
    assert_int_equal(options.expander.count, 1);
    assert_string_equal(options.expander.items[0], expected);
}

static void test_expander(void **state)
{
    (void)state;
    assert_expander(32, NULL, "random");
    assert_expander(33, NULL, "least-waste");
    assert_expander(36, "{expander: random}", "random");
}

static void test_cordon(void **state)
{
    (void)state;
    assert_false(options_of(33, NULL).cordon);
    assert_true(options_of(34, NULL).cordon);
    assert_false(options_of(36, "{cordon-node-before-terminating: false}").cordon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parallel_drain),
                                       cmocka_unit_test(test_expander),
                                       cmocka_unit_test(test_cordon)};
    return cmocka_run_group_tests_name("build autoscaling", tests, set_up, tear_down);
}
