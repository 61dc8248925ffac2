/* SPDX-License-Identifier: Apache-2.0 */
/* Which versions of the descheduler are known, and what differs between them. */
#include "decide/descheduler/descheduler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void versions(void **state)
{
    int minor = 0;
    (void)state;
    assert_true(descheduler_parse_version("v0.27.1", &minor));
    assert_int_equal(minor, 27);
    assert_true(descheduler_parse_version("0.28", &minor));
    assert_int_equal(minor, 28);
    assert_false(descheduler_parse_version("0.29.0", &minor));
    assert_false(descheduler_parse_version("0.277", &minor));
    assert_false(descheduler_parse_version("", &minor));
    assert_true(descheduler_features_of_version(27).threshold_name_refused);
    assert_false(descheduler_features_of_version(27).spread_lists_evictable);
    assert_false(descheduler_features_of_version(28).threshold_name_refused);
    assert_true(descheduler_features_of_version(28).deschedule_first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(versions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
