/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded sync of the Job controller of v1.26 and of v1.33 to v1.36 is decided alike. */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_recorded_syncs(void **state)
{
    (void)state;
    assert_true(conformance_versions(&decider_job, "job", 120, 220, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_syncs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
