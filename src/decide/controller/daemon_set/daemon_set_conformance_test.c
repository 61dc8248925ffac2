/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded sync of the DaemonSet controller of v1.26 and of v1.33 to v1.36 is decided alike.
 */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void recorded_syncs(void **state)
{
    (void)state;
    assert_true(conformance_versions(&decider_daemonset, "daemonset", 200, 200, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_syncs),
    };
    return cmocka_run_group_tests_name("daemon set conformance", tests, NULL, NULL);
}
