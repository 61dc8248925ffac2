/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded sync of the DaemonSet controller of v1.26 is decided alike. */
#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void recorded_syncs(void **state)
{
    (void)state;
    const struct conformance_count count =
        conformance_run(&decider_daemonset, "daemonset-v1.26-open.jsonl.gz", NULL);
    assert_int_equal(count.records, 200);
    assert_int_equal(count.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_syncs),
    };
    return cmocka_run_group_tests_name("daemon set conformance", tests, NULL, NULL);
}
