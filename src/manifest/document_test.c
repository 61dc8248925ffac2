/* SPDX-License-Identifier: Apache-2.0 */
/* Goal: what a tree offers to the decoders: finding, typed reads, comparison,
 * descriptions. Method: tables over small texts. */
#include "manifest/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "manifest/manifest_fixture.h"

static const struct value *root_of(struct fixture *fixture, const char *text)
{
    assert_true(parse(fixture, text, strlen(text)));
    return &fixture->documents.items[fixture->documents.count - 1].root;
}

static void members_are_found_by_key(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    const struct value *root = root_of(&fixture, "a: x\nb: 1\nc: [a]\nd:\n");
    assert_string_equal(value_find_string(root, "a"), "x");
    assert_null(value_find_string(root, "b"));
    assert_int_equal(value_find(root, "b")->kind, VALUE_INTEGER);
    assert_int_equal(value_find_member(root, "c")->key_line, 3);
    assert_null(value_find(root, "e"));
    assert_null(value_find(value_find(root, "c"), "a"));
    assert_null(value_find(NULL, "a"));
    assert_true(value_is_null(value_find(root, "d")));
    assert_true(value_is_null(value_find(root, "e")));
    assert_false(value_is_null(value_find(root, "a")));
    tear_down(&fixture);
}

static void integers_are_read_as_after_json(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        int64_t expected;
    } cases[] = {
        {"0", true, 0},
        {"-7", true, -7},
        {"1_000", true, 1000},
        {"0x3E8", true, 1000},
        {"1e3", true, 1000},
        {"1000.0", true, 1000},
        {"08", true, 8},
        {"1.5", false, 0},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"1e19", false, 0},
        {"-1e19", false, 0},
        {"'1'", false, 0},
        {"yes", false, 0},
        {"~", false, 0},
        {"[1]", false, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fixture fixture;
        set_up(&fixture);
        const char *text = arena_printf(&fixture.arena, "a: %s", cases[i].text);
        const struct value *value = value_find(root_of(&fixture, text), "a");
        int64_t number = 0;
        if (value_read_integer(value, &number) != cases[i].good || number != cases[i].expected)
            fail_msg("%s read as %lld", cases[i].text, (long long)number);
        tear_down(&fixture);
    }
}

static void other_reads_take_their_kind_alone(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    const struct value *root = root_of(&fixture, "a: on\nb: 0.5\nc: '0.5'\nd: 3");
    bool truth = false;
    double number = 0;
    const char *string = NULL;
    assert_true(value_read_boolean(value_find(root, "a"), &truth) && truth);
    assert_false(value_read_boolean(value_find(root, "d"), &truth));
    assert_true(value_read_number(value_find(root, "b"), &number) && number == 0.5);
    assert_true(value_read_number(value_find(root, "d"), &number) && number == 3);
    assert_false(value_read_number(value_find(root, "c"), &number));
    assert_true(value_read_string(value_find(root, "c"), &string));
    assert_string_equal(string, "0.5");
    assert_false(value_read_string(value_find(root, "b"), &string));
    tear_down(&fixture);
}

static void descriptions_show_what_was_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *expected;
    } cases[] = {
        {"three", "\"three\""},
        {"\"a\\nb\"", "\"a\\nb\""},
        {"3", "3"},
        {"0x1F", "0x1F"},
        {"1.50", "1.50"},
        {"yes", "true"},
        {"~", "null"},
        {"[1]", "a list"},
        {"{a: 1}", "a mapping"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA9z",
         "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA9\"..."},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fixture fixture;
        set_up(&fixture);
        const char *text = arena_printf(&fixture.arena, "a: %s", cases[i].text);
        value_expected(&fixture.problems, value_find(root_of(&fixture, text), "a"), "spec.a",
                       "a wonder");
        const char *expected = arena_printf(
            &fixture.arena, "a.yaml:1:4: spec.a: expected a wonder, found %s\n", cases[i].expected);
        assert_string_equal(tell(&fixture), expected);
        tear_down(&fixture);
    }
}

static void values_are_compared_by_meaning(void **state)
{
    (void)state;
    static const struct {
        const char *left;
        const char *right;
        bool equal;
    } cases[] = {
        {"1000", "1e3", true},
        {"0x10", "16", true},
        {"-0.0", "0", true},
        {"9223372036854775807", "9223372036854775806", false},
        {"yes", "true", true},
        {"yes", "no", false},
        {"~", "null", true},
        {"'1'", "1", false},
        {"[1, 2]", "[1, 2]", true},
        {"[1, 2]", "[1]", false},
        {"[1, 2]", "[1, 3]", false},
        {"{a: 1, b: 2}", "{a: 1, b: 2}", true},
        {"{a: 1, b: 2}", "{b: 2, a: 1}", false},
        {"{a: 1}", "{a: 2}", false},
        {"[]", "{}", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fixture fixture;
        set_up(&fixture);
        const char *text =
            arena_printf(&fixture.arena, "l: %s\nr: %s", cases[i].left, cases[i].right);
        const struct value *root = root_of(&fixture, text);
        if (value_equal(value_find(root, "l"), value_find(root, "r")) != cases[i].equal)
            fail_msg("%s and %s", cases[i].left, cases[i].right);
        tear_down(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_found_by_key),
        cmocka_unit_test(integers_are_read_as_after_json),
        cmocka_unit_test(other_reads_take_their_kind_alone),
        cmocka_unit_test(descriptions_show_what_was_found),
        cmocka_unit_test(values_are_compared_by_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
