/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_values_are_counted(void **state)
{
    static const struct {
        const char *text;
        size_t values;
    } cases[] = {
        {"", 0},
        {"1", 0},
        {"[1,2,3]", 3},
        {"{\"a\": [1, {}]}", 4},
        {"[\"a,b\", \"{[\"]", 2},
        {"[\"a\\\",[,\"]", 1},
        {"[[[[", 4},
        {"\"[[[[", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const size_t length = strlen(cases[i].text);
        assert_false(json_has_more_values(cases[i].text, length, cases[i].values));
        if (cases[i].values > 0)
            assert_true(json_has_more_values(cases[i].text, length, cases[i].values - 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
