/* SPDX-License-Identifier: Apache-2.0 */
/* When there are colours. */
#include "cli/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void colours_are_for_those_who_want_them(void **state)
{
    (void)state;
    assert_true(colours_wanted(false, NULL, "xterm"));
    assert_true(colours_wanted(false, "", "xterm"));
    assert_false(colours_wanted(true, NULL, "xterm"));
    assert_false(colours_wanted(false, "1", "xterm"));
    assert_false(colours_wanted(false, NULL, "dumb"));
    assert_false(colours_wanted(false, NULL, ""));
    assert_false(colours_wanted(false, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(colours_are_for_those_who_want_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
