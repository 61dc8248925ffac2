/* SPDX-License-Identifier: Apache-2.0 */
/* Every shape of toleration against taints; the table follows upstream's
 * toleration_test.go. */
#include "object/taint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct taint foo_bar = {"foo", "bar", TAINT_NO_SCHEDULE, TIME_NONE};

static void shapes(void **state)
{
    (void)state;
    const struct {
        const char *name;
        struct toleration toleration;
        bool tolerates;
    } cases[] = {
        {"same key, value and effect",
         {"foo", TOLERATION_EQUAL, "bar", TAINT_NO_SCHEDULE, {0}},
         true},
        {"no effect means every effect",
         {"foo", TOLERATION_EQUAL, "bar", TAINT_EFFECT_ANY, {0}},
         true},
        {"another effect", {"foo", TOLERATION_EQUAL, "bar", TAINT_PREFER_NO_SCHEDULE, {0}}, false},
        {"the effect alone", {"", TOLERATION_EXISTS, "", TAINT_NO_SCHEDULE, {0}}, true},
        {"everything", {"", TOLERATION_EXISTS, "", TAINT_EFFECT_ANY, {0}}, true},
        {"every key, but another effect",
         {"", TOLERATION_EXISTS, "", TAINT_NO_EXECUTE, {0}},
         false},
        {"the key exists", {"foo", TOLERATION_EXISTS, "", TAINT_NO_SCHEDULE, {0}}, true},
        {"another key exists", {"fo", TOLERATION_EXISTS, "", TAINT_NO_SCHEDULE, {0}}, false},
        {"another key, same value",
         {"goo", TOLERATION_EQUAL, "bar", TAINT_NO_SCHEDULE, {0}},
         false},
        {"another value", {"foo", TOLERATION_EQUAL, "", TAINT_NO_SCHEDULE, {0}}, false},
        {"any key of this value", {"", TOLERATION_EQUAL, "bar", TAINT_NO_SCHEDULE, {0}}, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (toleration_tolerates(&cases[i].toleration, &foo_bar) != cases[i].tolerates)
            fail_msg("%s", cases[i].name);
}

static void the_first_that_tolerates_is_found(void **state)
{
    (void)state;
    const struct toleration tolerations[] = {
        {"other", TOLERATION_EXISTS, "", TAINT_EFFECT_ANY, {0}},
        {"foo", TOLERATION_EQUAL, "bar", TAINT_NO_SCHEDULE, {true, 5}},
        {"", TOLERATION_EXISTS, "", TAINT_EFFECT_ANY, {0}},
    };
    assert_ptr_equal(tolerations_find(tolerations, 3, &foo_bar), &tolerations[1]);
    assert_null(tolerations_find(tolerations, 1, &foo_bar));
    assert_null(tolerations_find(NULL, 0, &foo_bar));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(the_first_that_tolerates_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
