/* SPDX-License-Identifier: Apache-2.0 */
/* The registry of deciders: complete rows, unique names, found by their names. */
#include "decide/decider.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void rows_are_complete(void **state)
{
    (void)state;
    for (const struct decider *const *row = decider_registry; *row; row++) {
        const struct decider *decider = *row;
        assert_true(*decider->name);
        assert_int_equal(strspn(decider->name, "abcdefghijklmnopqrstuvwxyz-"),
                         strlen(decider->name));
        assert_true(*decider->summary);
        assert_non_null(decider->decide_scenario);
    }
}

static void names_find_their_own_row(void **state)
{
    (void)state;
    for (const struct decider *const *row = decider_registry; *row; row++)
        assert_ptr_equal(decider_find((*row)->name), *row);
    assert_null(decider_find(""));
    assert_null(decider_find("nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(names_find_their_own_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
