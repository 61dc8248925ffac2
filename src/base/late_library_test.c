/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are loaded late; built twice, the second time as in a static program. */
#include "base/late_library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct functions {
    double (*cosine)(double angle);
};

static const struct late_function known[] = {{"cos", offsetof(struct functions, cosine)}};

#ifdef FATHOM_STATIC

static void test_known_library_is_named(void **state)
{
    (void)state;
    struct functions table = {0};
    const char *why = NULL;
    assert_false(late_library_load("libcurl.so.4", known, 1, &table, &why));
    assert_string_equal(why, "this needs libcurl.so.4, and the static program loads no libraries: "
                             "use Fathom's package, or the release in a folder");
}

static void test_plugin_is_refused(void **state)
{
    (void)state;
    const char *why = NULL;
    assert_null(late_library_open("libm.so.6", &why));
    assert_non_null(strstr(why, "the static program loads no libraries"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_library_is_named),
        cmocka_unit_test(test_plugin_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void test_library_is_loaded(void **state)
{
    (void)state;
    struct functions table = {0};
    const char *why = NULL;
    assert_true(late_library_load("libm.so.6", known, 1, &table, &why));
    assert_true(table.cosine(0) > 0.99);
    assert_null(why);
}

static void test_function_is_missing(void **state)
{
    (void)state;
    struct functions table = {0};
    const char *why = NULL;
    const struct late_function unknown[] = {{"no_such_function", 0}};
    assert_false(late_library_load("libm.so.6", unknown, 1, &table, &why));
    assert_string_equal(why, "a library that is needed for this is too old");
}

static void test_library_is_missing(void **state)
{
    (void)state;
    struct functions table = {0};
    const char *why = NULL;
    assert_false(late_library_load("libnothing-of-fathom.so", known, 1, &table, &why));
    assert_string_equal(why, "a library that is needed for this is not installed");
    assert_null(late_library_open("./nothing-of-fathom.so", &why));
    assert_non_null(strstr(why, "nothing-of-fathom.so"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library_is_loaded),
        cmocka_unit_test(test_function_is_missing),
        cmocka_unit_test(test_library_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
