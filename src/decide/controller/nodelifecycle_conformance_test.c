/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded run of the node lifecycle controller and the taint manager of v1.26 and of v1.33
 * to v1.36 (minutes of virtual time each) comes about alike: the same events at the same instants,
 * the same taints in the end. */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Each event carries its instant, so a set is as strict as a set per instant. */
static bool same_run(const struct value *recorded, const struct value *found)
{
    return conformance_equal_sets(value_find(recorded, "events"), value_find(found, "events")) &&
           conformance_equal(value_find(recorded, "finalTaints"), value_find(found, "finalTaints"));
}

static void test_recorded_runs(void **state)
{
    (void)state;
    assert_true(conformance_versions(&decider_nodelifecycle, "nodelifecycle", 140, 140, same_run));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
