/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the definition of CEL says of the subset, and its public conformance tests ask, in vectors
 * of our own; where the definition leaves room, what Kubernetes does with it.
 */
#include "expression/expression.h"

#include "base/text.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct expression_value read_size(void *context, struct arena *scratch)
{
    (void)context;
    (void)scratch;
    return expression_of_int(9);
}

static const struct expression_variable variables[] = {{"size9", &expression_int, read_size, ""}};
static const struct expression_environment environment = {variables, 1};

/* The value as it is written; "refused" or "fails", if there is none. */
static const char *value_of(const char *text)
{
    struct problems problems;
    problems_init(&problems, &arena);
    const struct expression *expression =
        expression_compile(&arena, text, &environment, NULL, (struct place){0}, NULL, &problems);
    if (!expression)
        return "refused";
    const struct expression_value value = expression_evaluate(expression, NULL, &arena);
    if (value.tag == VALUE_IS_ERROR)
        return "fails";
    assert_true(expression_type_has(expression_result_type(expression), value));
    return expression_value_text(&arena, value);
}

static void assert_value(const char *text, const char *value)
{
    if (strcmp(value_of(text), value) != 0)
        fail_msg("%s: expected %s, found %s", text, value, value_of(text));
}

#define ASSERT_ALL(cases, value)                                    \
    for (size_t i = 0; i < sizeof(cases) / sizeof((cases)[0]); i++) \
    assert_value((cases)[i], value)

/* ---- the grammar ---- */

static void what_is_written_in_many_ways(void **state)
{
    static const char *const true_ones[] = {
        "[,] == []",
        "{,} == {}",
        "[7, 8,] == [7, 8]",
        "{'k': 7,} == {'k': 7}",
        "\t1\n+\r1 == 2\f",
        "1 == 1 // == 2",
        "0x2A == 42 && 0XfF == 255 && -0x2A == -42",
        "-0x8000000000000000 == -9223372036854775808",
        "1.5e2 == 150.0 && 15E-1 == 1.5 && .25 == 0.25",
        "'\\u00fc' == '\xc3\xbc' && '\\U0001f600' == '\xf0\x9f\x98\x80'",
        "'\\x7e\\X7e\\176' == '~~~'",
        "'\\a\\b\\f\\n\\r\\t\\v\\\\\\?\\\"\\'\\`'.size() == 12",
        "r'\\d' == '\\\\d' && R\"\\d\" == '\\\\d'",
        "'''it's''' == \"it's\" && \"\"\"a \"b\" c\"\"\" == 'a \"b\" c'",
        "r'''a\\\nb''' == 'a\\\\\\nb'",
        "'''a\r\nb\rc''' == 'a\\nb\\nc'",
        "'\\xff' == '\xc3\xbf'",
        "{'in-put': 1}['in-put'] == 1 && {'in-put': 1}.`in-put` == 1",
        "has({'a.b/c': 1}.`a.b/c`) && !has({'a.b/c': 1}.`a.b`)",
        "{'for': 1, 'while': 2}.for == 1 && {'namespace': 3}.namespace == 3",
        "[1, 2].all(size9, .size9 == 9 && size9 < 9)",
        ".size9 == size9",
        "[[1], [2]].all(x, x.all(x, x > 0) && x.size() == 1)",
        "[1].map(x, [2].map(x, x)[0] + x) == [3]",
        "[2].exists(x, [x * 2].exists(x, x == 4) && x == 2)",
        "true ? (false ? 1 == 2 : 3 == 3) : 4 == 5",
        "(true ? 1 : 2) + 1 == 2",
        "1 + 2 * 3 - 4 / 2 % 3 == 5",
        "-2 - -2 == 0 && 2 - -2 == 4",
        "!false && !!true",
        "!(1 in [2]) && 1 in [1] == true",
        "1 < 2 == true && 2 > 1 != false",
        "false && false || true",
        "true || true && false",
        "[[1, 2], [3]][0][1] == 2",
        "{'a': [{'b': 'c'}]}.a[0].b == 'c'",
        "'ab'.size() + size('ab') == 4",
    };
    static const char *const refused[] = {
        "[1,,]",
        "[,1]",
        "{,'a': 1}",
        "'a'.startsWith('a',)",
        "size(,)",
        "{'in': 1}.in",
        "{'true': 1}.true",
        "{'null': 1}.null",
        "1 ? 2",
        "a.",
        ".5.",
        "..size9",
        "`size9`",
        "{'a': 1}.``",
        "{'a': 1}.`a`()",
        "{'a': 1}.`a:b`",
        "'a' 'b'",
        "\"a'",
        "'a\nb'",
        "'\\08'",
        "'\\400'",
        "'\\ud800'",
        "'\\U00110000'",
        "'\\xg1'",
        "0x",
        "1e",
        "1.e3",
        "9223372036854775808",
        "-9223372036854775809",
        "1e999",
        "08a",
        "package",
        "[1].all(.x, true)",
        "[1].map(x.y, 1)",
        "[1].all('x', true)",
        "[1].all(x)",
        "has(size9)",
        "has({'a': 1}['a'])",
        "has()",
        "x",
        "1 = 1",
        "1 === 1",
        "true and false",
        "!",
        "(1",
        "1)",
        "{1}",
        "{'a' 1}",
        "'\\u00'",
        "#",
        "1 ?: 2",
        "\xff",
    };
    (void)state;
    ASSERT_ALL(true_ones, "true");
    ASSERT_ALL(refused, "refused");
}

/* What every implementation takes at least. */
static void what_is_long_enough(void **state)
{
    static const struct {
        const char *before, *part, *after;
        uint32_t times;
    } shapes[] = {
        {"false", " || true", "", 32},
        {"true", " && true", "", 32},
        {"0", " + 0", " == 0", 24},
        {"1", " * 1", " == 1", 24},
        {"[", "1, ", "2].size() == 33", 32},
        {"", "true ? true : ", "false", 24},
        {"[[[[[[[[[[[[1]]]]]]]]]]]]", "[0]", " == 1", 12},
        {"", "!!", "true", 16},
        {"0 == ", "-", "0", 24},
        {"'a'", ".trim()", " == 'a'", 12},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        struct text text;
        text_init(&text, arena.memory);
        text_append_string(&text, shapes[i].before);
        for (uint32_t j = 0; j < shapes[i].times; j++)
            text_append_string(&text, shapes[i].part);
        text_append_string(&text, shapes[i].after);
        assert_value(text_keep(&text, &arena), "true");
    }
}

/* ---- types ---- */

static void what_has_no_type(void **state)
{
    static const char *const refused[] = {
        "1 == 1.0",
        "1 + 1.0",
        "1 - '1'",
        "-'a'",
        "!1",
        "true + false",
        "1 % 2.0",
        "null == 1",
        "'a' != null",
        "null in [1]",
        "1 in ['a']",
        "1 in {'a': 1}",
        "{'a': 1}[1]",
        "{1: 'a'}['b']",
        "[1][1.0]",
        "[1]['a']",
        "{'a': 1, 2: 1}",
        "{'a': 1, 'b': 'c'}",
        "{1.5: 1}",
        "{[1]: 1}",
        "[1, 1.0]",
        "[1, null]",
        "[[1], ['a']]",
        "[1] + ['a']",
        "[1] == ['a']",
        "{'a': 1} == {1: 1}",
        "{1: 'a'}.all(k, k.startsWith('a'))",
        "{'a': 1}.all(k, k > 0)",
        "['a'].sum()",
        "[true].sum()",
        "[''].filter(x, false).sum().size()",
        "[[1]].sum()",
        "1 < 'a'",
        "null < null",
        "[1] < [2]",
        "true ? 1 : 1.0",
        "true ? null : 1",
        "1 ? 2 : 3",
        "1 && true",
        "true || 'a'",
        "1.all(x, true)",
        "'abc'.map(x, x)",
        "[1].filter(x, x)",
        "[1].exists(x, 'a')",
        "'a'.a",
        "has('a'.a)",
        "size(1)",
        "'a'.startsWith(1)",
        "'a'.join()",
        "[1].join()",
        "duration('1s') + 1",
        "duration('1s') * 2",
        "quantity('1') < quantity('2')",
        "quantity('1') + quantity('2')",
        "quantity('1') == 1",
        "int(true)",
        "int(null)",
        "int([1])",
        "double(true)",
        "bool(1)",
        "string([1])",
        "duration(1)",
    };
    (void)state;
    ASSERT_ALL(refused, "refused");
}

static void values_of_types_that_are_known_late(void **state)
{
    static const char *const true_ones[] = {
        "dyn(1) == dyn(1.0)",
        "dyn(1) != dyn('1')",
        "dyn(null) != 1 && null == dyn(null)",
        "dyn([1, 2]) == [1.0, 2.0]",
        "dyn({'a': 1}) == {'a': 1.0}",
        "dyn({1: 'a'}) == {1: 'a'}",
        "dyn(1.0) in [1, 2] && !(dyn('1') in [1, 2])",
        "dyn(2.0) in {2: 'b'} && {2: 'b'}[dyn(2.0)] == 'b'",
        "[7, 8][dyn(1.0)] == 8",
        "[dyn(1), 'a', null, [2]].size() == 4",
        "{'a': dyn(1), 'b': 'c'}.b == 'c'",
        "{dyn('a'): 1, 2: 3}[2] == 3",
        "([1] + [dyn('a')]).exists(x, x == 'a')",
        "([''] + [dyn(1)]).all(x, x == '' || x == 1)",
        "[dyn(1), 2.5, 'b'].filter(x, x == 2.5).size() == 1",
        "(true ? dyn(1) : dyn('a')) == 1",
        "dyn(1) < 1.5 && dyn(2.5) >= 2",
        "dyn(true) && dyn(1) == 1 || dyn(false)",
        "!(false && dyn(1))",
        "true || dyn('a')",
        "[dyn(1), 2].sum() == 3",
        "dyn('abc').size() == 3 && dyn([1]).size() == 1",
        "has(dyn({'a': 1}).a) && !has(dyn({'a': 1}).b)",
    };
    static const char *const failing[] = {
        "dyn(1) < 'a'",
        "dyn(1) + 'a'",
        "dyn(1) + 1.0",
        "dyn(1) && true",
        "dyn(1) ? 2 : 3",
        "!dyn('a')",
        "dyn(1).a",
        "has(dyn(1).a)",
        "has(dyn('a').size)",
        "dyn('abc')[0]",
        "[7][dyn('0')]",
        "[7, 8][dyn(0.5)]",
        "[7][dyn(1e300)]",
        "[7][dyn(-1.0)]",
        "[7][dyn(0.0 / 0.0)]",
        "{dyn(1.5): 1}",
        "{dyn([1]): 1}",
        "{dyn(null): 1}",
        "{dyn(1): 1, 1: 2}",
        "dyn(1).all(x, true)",
        "dyn(null) < 1",
        "[dyn(1), 2.5].sum()",
        "([''] + [dyn(1)]).all(x, x.size() == 0)",
    };
    (void)state;
    ASSERT_ALL(true_ones, "true");
    ASSERT_ALL(failing, "fails");
}

/* ---- numbers ---- */

static void numbers_have_limits(void **state)
{
    static const char *const true_ones[] = {
        "9223372036854775807 + 0 == 9223372036854775807",
        "-9223372036854775807 - 1 == -9223372036854775808",
        "7 / 2 == 3 && -7 / 2 == -3 && 7 / -2 == -3",
        "7 % 3 == 1 && -7 % 3 == -1 && 7 % -3 == 1",
        "1.0 / 0.0 > 1e308 && -1.0 / 0.0 < -1e308",
        "0.0 / 0.0 != 0.0 / 0.0",
        "1e308 * 10.0 == 1.0 / 0.0",
        "0.0 == -0.0",
        "5.0 - 0.1 != 4.899",
        "1 < 1.5 && 2 > 1.5 && 1 <= 1.0 && 1 >= 1.0",
        "9223372036854775807 >= 9223372036854775808.0",
        "!(9223372036854775807 < 9223372036854775808.0)",
        "9223372036854775807 < 9223372036854777856.0",
        "-9223372036854775808 > -9223372036854777856.0",
        "dyn(9007199254740993) == 9007199254740992.0",
    };
    static const char *const failing[] = {
        "9223372036854775807 + 1",
        "-9223372036854775808 - 1",
        "-9223372036854775808 * -1",
        "3037000500 * 3037000500",
        "-(-9223372036854775808)",
        "-9223372036854775808 / -1",
        "-9223372036854775808 % -1",
        "1 / 0",
        "1 % 0",
        "0 / 0",
        "[9223372036854775807, 1].sum()",
        "0.0 / 0.0 < 1.0",
        "1 >= 0.0 / 0.0",
        "0.0 / 0.0 <= 0.0 / 0.0",
        "[0.0 / 0.0, 1.0].max()",
        "[1.0, 0.0 / 0.0].isSorted()",
    };
    (void)state;
    ASSERT_ALL(true_ones, "true");
    ASSERT_ALL(failing, "fails");
}

static void conversions(void **state)
{
    static const char *const true_ones[] = {
        "int(3.99) == 3 && int(-3.99) == -3 && int(5) == 5",
        "int('-12') == -12 && int('+7') == 7 && int('007') == 7",
        "double('1e3') == 1000.0 && double('-.5') == -0.5 && double('Infinity') > 1e308",
        "double(9223372036854775807) == 9223372036854775808.0",
        "string(-0.0) == '-0' && string(1e21) == '1e+21' && string(123456.0) == '123456'",
        "string(1234567.0) == '1.234567e+06' && string(0.0001) == '0.0001'",
        "string(0.1 + 0.2) == '0.30000000000000004'",
        "string(true) + string('a') == 'truea'",
        "bool('t') && bool('True') && bool('1') && !bool('F') && !bool('false') && !bool('0')",
        "string(duration('1h1m1s1ms')) == '3661.001s'",
        "string(duration('-90s')) == '-90s' && string(duration('1us')) == '0.000001s'",
        "string(duration('2562047h47m16.854775807s')) == '9223372036.854776s'",
        "duration('1.5h') == duration('90m') && duration('0') == duration('0s')",
        "duration('-1h').getMinutes() == -60 && duration('1.9s').getSeconds() == 1",
        "duration('1.234s').getMilliseconds() == 1234",
        "duration(duration('1s')) == duration('1000ms')",
        "-duration('1s') < duration('0s')",
        "dyn(duration('1s')) != 1",
        "int(dyn('5')) + int(dyn(2.5)) == 7",
    };
    static const char *const failing[] = {
        "int('')",
        "int('-')",
        "int(' 1')",
        "int('1 ')",
        "int('1.0')",
        "int('0x10')",
        "int('9223372036854775808')",
        "int(9223372036854775807.0)",
        "int(-1e19)",
        "int(0.0 / 0.0)",
        "int(1.0 / 0.0)",
        "double('')",
        "double('1e999')",
        "double('a')",
        "double('1 ')",
        "bool('yes')",
        "bool('tRUE')",
        "bool('')",
        "duration('')",
        "duration('1')",
        "duration('1d')",
        "duration('s')",
        "duration('300000000h')",
        "duration('2562047h') + duration('2562047h')",
        "int(dyn(true))",
        "string(dyn([1]))",
    };
    (void)state;
    ASSERT_ALL(true_ones, "true");
    ASSERT_ALL(failing, "fails");
}

/* ---- errors ---- */

static void errors_are_passed_over(void **state)
{
    static const char *const true_ones[] = {
        "1 / 0 > 0 || true",
        "!(false && 1 / 0 > 0) && !(1 / 0 > 0 && false)",
        "1 / 0 > 0 || 1 % 0 > 0 || true",
        "[0, 1].exists(x, 1 / x > 0) && [1, 0].exists(x, 1 / x > 0)",
        "![0, 2].all(x, 2 / x > 1) && ![2, 0].all(x, 2 / x > 1)",
        "true ? true : 1 / 0 > 0",
        "[].all(x, 1 / 0 > 0) && ![].exists(x, 1 / 0 > 0)",
        "[].map(x, 1 / 0) == [] && [].filter(x, 1 / 0 > 0) == []",
        "[1, 2].map(x, x > 1, 2 / (x - 1)) == [2]",
        "[[0], [1]].exists(l, l.exists(x, 1 / x > 0))",
    };
    static const char *const failing[] = {
        "1 / 0 > 0 && true",
        "true && 1 / 0 > 0",
        "1 / 0 > 0 || false",
        "1 / 0 > 0 || 1 % 0 > 0",
        "!(1 / 0 > 0)",
        "(1 / 0 > 0) == true",
        "[1 / 0] == [2]",
        "{'a': 1 / 0}.size() == 0",
        "1 / 0 > 0 ? true : true",
        "false ? true : 1 / 0 > 0",
        "[1, 0].all(x, 1 / x > 0)",
        "[0, 2].exists(x, 1 / x > 0)",
        "[1, 0].exists_one(x, 1 / x > 0)",
        "[1, 1, 0].exists_one(x, 1 / x > 0)",
        "[1, 0].filter(x, 1 / x > 0).size() >= 0",
        "[1, 0].map(x, 1 / x).size() == 2",
        "(1 / 0 > 0) in [true]",
        "true in [true, 1 / 0 > 0]",
        "[1][5] == 1 || false",
        "{'a': 1}.b == 1",
        "has({'a': {'b': 1}}.c.b)",
        "{'a': 1}['b'] == 1",
    };
    (void)state;
    ASSERT_ALL(true_ones, "true");
    ASSERT_ALL(failing, "fails");
}

/* ---- collections and texts ---- */

static void lists_and_maps(void **state)
{
    static const char *const true_ones[] = {
        "[] == [] && [1] != [1, 1] && [[]] == [[]] && [[]] != []",
        "{} == {} && {'a': 1} != {'a': 2} && {'a': 1} != {'b': 1}",
        "{'a': {'b': [1]}} == {'a': {'b': [1]}}",
        "[0.0 / 0.0] != [0.0 / 0.0]",
        "[1, 2] + [] + [3] == [1, 2, 3]",
        "1 in [] == false && [] in [[]] && 'b' in {'a': 1, 'b': 2}",
        "size([]) == 0 && size({}) == 0 && {'a': 1, 'b': 2}.size() == 2",
        "{true: 'y', false: 'n'}[1 > 0] == 'y'",
        "{1: 'a', -1: 'b'}[-1] == 'b'",
        "{'a': 1, 'b': 2}.map(k, k).size() == 2",
        "{6: 'x', 7: 'y', 8: 'z'}.exists_one(k, k % 5 == 2)",
        "{'a': 1}.filter(k, k == 'a') == ['a']",
        "{true: 1}.all(k, k)",
        "[1, 1].exists_one(x, x == 1) == false && [1, 2].existsOne(x, x == 1)",
        "[3, 1, 2].map(x, x * 2).filter(x, x > 2) == [6, 4]",
        "[1, 2, 3].map(x, x > 1, x) == [2, 3]",
        "[[1, 2], [3]].map(l, l.map(x, x + l.size())) == [[3, 4], [4]]",
        "['b', 'a'].max() == 'b' && [false, true].min() == false",
        "[duration('1s'), duration('2s')].sum() == duration('3s')",
        "[1.5, 2.5].sum() == 4.0 && [].sum() == 0",
        "['a', 'b', 'b'].isSorted() && ![2, 1].isSorted() && [].isSorted()",
        "['a', 'b', 'a'].indexOf('a') == 0 && ['a', 'b', 'a'].lastIndexOf('a') == 2",
        "['a'].indexOf('c') == -1",
    };
    static const char *const failing[] = {
        "[][0]", "[1][1]", "[1][-1]", "{'a': 1, 'a': 1}", "[].max()", "[].min()", "{1: 2}[3]",
    };
    (void)state;
    ASSERT_ALL(true_ones, "true");
    ASSERT_ALL(failing, "fails");
}

static void texts(void **state)
{
    static const char *const true_ones[] = {
        "'' < 'a' && 'A' < 'a' && 'a' < 'aa' && '\xc3\xa9' > 'f'",
        "'\xf0\x9f\x98\x80' > '\xef\xbf\xbd'",
        "size('\xf0\x9f\x98\x80\xc3\xa9') == 2 && ''.size() == 0",
        "'e\\u0301' != '\\u00e9'",
        "'abc'.contains('') && 'abc'.startsWith('') && 'abc'.endsWith('abc')",
        "!'abc'.endsWith('abcd') && !'abc'.contains('ac')",
        "'\xc3\xa9t\xc3\xa9'.indexOf('t') == 1 && '\xc3\xa9t\xc3\xa9'.lastIndexOf('\xc3\xa9') == 2",
        "'abab'.indexOf('ab', 1) == 2 && 'abab'.indexOf('ab', 3) == -1",
        "'abc'.indexOf('', 2) == 2 && 'abc'.indexOf('', 9) == 3 && 'abc'.indexOf('a', 9) == -1",
        "''.indexOf('a') == -1 && ''.indexOf('') == 0 && ''.lastIndexOf('a') == -1",
        "'abab'.lastIndexOf('ab', 2) == 2 && 'abab'.lastIndexOf('ab', 1) == 0",
        "'abab'.lastIndexOf('ab', 3) == 2 && 'abab'.lastIndexOf('ab', 4) == -1",
        "'abc'.lastIndexOf('', 9) == 3 && 'abc'.lastIndexOf('', 3) == 3",
        "'abc'.lastIndexOf('', 1) == 1",
        "'abc'.charAt(0) == 'a' && 'abc'.charAt(3) == ''",
        "'abc'.substring(3) == '' && 'abc'.substring(1, 1) == '' && 'abc'.substring(0, 3) == 'abc'",
        "'\xc3\xa9t\xc3\xa9'.substring(1, 2) == 't'",
        "'a b'.split(' ') == ['a', 'b'] && 'aa'.split('a') == ['', '', '']",
        "['a', 'b'].join() == 'ab' && [''].filter(x, false).join(',') == ''",
        "'\\t a \\n'.trim() == 'a' && '\\u200b'.trim() == '\\u200b'",
        "'\xc3\x84' == '\xc3\x84'.lowerAscii() && 'Az'.upperAscii() == 'AZ'",
        "'hubba'.matches('ubb') && matches('hubba', '^h.*a$') && !'hubba'.matches('^ubb')",
        "''.matches('') && '\xc3\xa9'.matches('^.$')",
    };
    static const char *const failing[] = {
        "'abc'.charAt(4)",        "'abc'.charAt(-1)",      "'abc'.substring(4)",
        "'abc'.substring(-1)",    "'abc'.substring(2, 1)", "'abc'.substring(1, 4)",
        "'abc'.indexOf('a', -1)", "'abc'.indexOf('', -1)", "'abc'.lastIndexOf('a', -1)",
        "'a'.matches(dyn('('))",  "[dyn('a'), 1].join()",
    };
    (void)state;
    ASSERT_ALL(true_ones, "true");
    ASSERT_ALL(failing, "fails");
}

static void quantities(void **state)
{
    static const char *const true_ones[] = {
        "quantity('1') == quantity('1000m') && quantity('1Ki') != quantity('1k')",
        "quantity('1.5Gi').compareTo(quantity('1536Mi')) == 0",
        "quantity('-1').sign() == -1 && quantity('0').sign() == 0 && quantity('1n').sign() == 1",
        "quantity('1').add(quantity('500m')) == quantity('1.5')",
        "quantity('1').add(2) == quantity('3')",
        "quantity('1').sub(quantity('2')) == quantity('-1')",
        "quantity('1').sub(1) == quantity('0')",
        "quantity('50k').asInteger() == 50000 && quantity('50k').isInteger()",
        "!quantity('1500m').isInteger() && quantity('1500m').asApproximateFloat() == 1.5",
        "isQuantity('1e3') && isQuantity('12E') && isQuantity('+1') && isQuantity('.5')",
        "!isQuantity('') && !isQuantity('1 Gi') && !isQuantity('1gb')",
        "[quantity('1'), quantity('500m')].sum() == quantity('1500m')",
        "[quantity('1Gi'), quantity('2')].max() == quantity('1Gi')",
        "dyn(quantity('1')) != 1",
        "quantity('2') in [quantity('2000m')]",
    };
    static const char *const failing[] = {
        "quantity('x')",
        "quantity('1.5').asInteger()",
        "quantity('12E').add(1).asInteger() / 0",
        "quantity('')",
    };
    (void)state;
    ASSERT_ALL(true_ones, "true");
    ASSERT_ALL(failing, "fails");
}

/* As somebody would write it: what is read again is the same value. */
static void values_are_written_as_expressions(void **state)
{
    static const char *const as_written[] = {
        "1",
        "-1",
        "1.0",
        "0.1",
        "-0.0",
        "1e+100",
        "1.5",
        "double('+Inf')",
        "'a'",
        "'it\\'s'",
        "'a\\\\b\\n'",
        "true",
        "null",
        "[1, 2]",
        "{'a': [1]}",
        "{1: 'b'}",
        "duration('5400s')",
        "duration('1234567890.5s')",
        "duration('-0.000000001s')",
        "quantity('1500m')",
        "[]",
        "{}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(as_written) / sizeof(as_written[0]); i++)
        assert_value(as_written[i], as_written[i]);
}

static void long_values_are_cut(void **state)
{
    const char *ten = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    const char *all = value_of(arena_printf(&arena, "%s.map(x, %s)", ten, ten));
    const char *end = ", ...]";
    (void)state;
    assert_in_range(strlen(all), 200, 260);
    assert_string_equal(all + strlen(all) - strlen(end), end);
    assert_null(strstr(value_of(arena_printf(&arena, "%s.map(x, x)", ten)), "..."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_in_many_ways),
        cmocka_unit_test(what_is_long_enough),
        cmocka_unit_test(what_has_no_type),
        cmocka_unit_test(values_of_types_that_are_known_late),
        cmocka_unit_test(numbers_have_limits),
        cmocka_unit_test(conversions),
        cmocka_unit_test(errors_are_passed_over),
        cmocka_unit_test(lists_and_maps),
        cmocka_unit_test(texts),
        cmocka_unit_test(quantities),
        cmocka_unit_test(values_are_written_as_expressions),
        cmocka_unit_test(long_values_are_cut),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
