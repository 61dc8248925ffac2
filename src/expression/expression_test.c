/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions against hand-computed values: what CEL's language definition says of types,
 * precedence, errors and functions, and what is said here of bags. The bags of the tests are
 * three kinds of boxes, of which there are 1, 2 and 3.
 */
#include "expression/expression_key.h"

#include "base/text.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ---- an environment ---- */

static const struct expression_class box_class;
static const struct expression_type box_type = {.kind = EXPRESSION_OBJECT, .class = &box_class},
                                    box_bag = {.kind = EXPRESSION_BAG, .element = &box_type};

static struct expression_value box_number(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    (void)context;
    (void)scratch;
    return expression_of_int(object.first);
}

static struct expression_value box_weight(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    struct quantity quantity;
    (void)context;
    assert_true(quantity_parse(object.first == 1 ? "500m" : "2", &quantity, NULL));
    return expression_of_quantity(scratch, quantity);
}

static struct expression_value box_lid(void *context, struct arena *scratch,
                                       struct expression_object object)
{
    (void)context;
    (void)scratch;
    return object.first == 2 ? expression_of_string("red") : (struct expression_value){0};
}

static struct expression_value box_labels(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    static struct label web[] = {{"app", "web"}}, database[] = {{"app", "db"}, {"tier", "1"}};
    static const struct labels labels[] = {{NULL, 0}, {web, 1}, {database, 2}, {web, 1}};
    (void)context;
    return expression_of_labels(scratch, &labels[object.first]);
}

static const struct expression_field box_fields[] = {
    {"number", &expression_int, box_number, "its number", false},
    {"weight", &expression_quantity, box_weight, "its weight", false},
    {"lid", &expression_string, box_lid, "the colour of its lid", true},
    {"labels", &expression_map_of_string, box_labels, "its labels", false},
};
static const struct expression_missing box_missing[] = {{"name", "ask its number"}};

static const char *box_title(void *context, struct arena *scratch, struct expression_object object)
{
    (void)context;
    return arena_printf(scratch, "box %u", object.first);
}

static const struct expression_class box_class = {
    .name = "box",
    .fields = box_fields,
    .field_count = sizeof(box_fields) / sizeof(box_fields[0]),
    .missing = box_missing,
    .missing_count = 1,
    .title = box_title,
};

static struct expression_value read_boxes(void *context, struct arena *scratch)
{
    static const uint64_t counts[] = {1, 2, 3};
    struct expression_value *items = ARENA_ARRAY(scratch, struct expression_value, 3);
    (void)context;
    for (uint32_t i = 0; i < 3; i++)
        items[i] = expression_of_object(&box_class, i + 1, 0);
    return expression_of_bag(scratch, items, counts, 3);
}

static struct expression_value read_any(void *context, struct arena *scratch)
{
    (void)context;
    (void)scratch;
    return expression_of_int(7);
}

static const struct expression_variable variables[] = {
    {"boxes", &box_bag, read_boxes, "the boxes"},
    {"any", &expression_dyn, read_any, "a value of a type that is not known"},
    {"shelf", &expression_map_of_dyn, read_any, "a map that nobody reads"},
};
static const struct expression_environment environment = {variables, 3};

/* ---- values ---- */

/* The value as it is written; of a text that is refused, "refused: " and why. */
static const char *value_of(const char *text)
{
    struct problems problems;
    problems_init(&problems, &arena);
    const struct expression *expression =
        expression_compile(&arena, text, &environment, NULL, (struct place){0}, NULL, &problems);
    if (!expression)
        return arena_printf(&arena, "refused: %s", problems.items[0].message);
    return expression_value_text(&arena, expression_evaluate(expression, NULL, &arena));
}

struct value_case {
    const char *text;
    const char *value;
};

static void assert_values(const struct value_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(value_of(cases[i].text), cases[i].value) != 0)
            fail_msg("%s: expected %s, found %s", cases[i].text, cases[i].value,
                     value_of(cases[i].text));
}

#define ASSERT_VALUES(cases) assert_values(cases, sizeof(cases) / sizeof((cases)[0]))

static void literals_and_precedence(void **state)
{
    static const struct value_case cases[] = {
        {"1", "1"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"9223372036854775807", "9223372036854775807"},
        {"0xFF", "255"},
        {"-0x10", "-16"},
        {"1.5", "1.5"},
        {"1e3", "1000.0"},
        {".5", "0.5"},
        {"true", "true"},
        {"null", "null"},
        {"'a'", "'a'"},
        {"\"it's\"", "'it\\'s'"},
        {"'\\x41\\u00e9\\101'", "'A\xc3\xa9"
                                "A'"},
        {"r'\\n'", "'\\\\n'"},
        {"'''a\nb'''", "'a\\nb'"},
        {"[1, 2, 3]", "[1, 2, 3]"},
        {"[1, 2,]", "[1, 2]"},
        {"{'a': 1, 'b': 2}", "{'a': 1, 'b': 2}"},
        {"[]", "[]"},
        {"1 + 2 * 3", "7"},
        {"(1 + 2) * 3", "9"},
        {"10 - 3 - 2", "5"},
        {"7 / 2 * 2", "6"},
        {"-7 / 2", "-3"},
        {"-7 % 3", "-1"},
        {"!true || true", "true"},
        {"true || false && false", "true"},
        {"(true || false) && false", "false"},
        {"1 < 2 == true", "true"},
        {"true ? 1 : false ? 2 : 3", "1"},
        {"false ? 1 : false ? 2 : 3", "3"},
        {"- -1", "1"},
        {"!!true", "true"},
        {"-(1 + 2)", "-3"},
        {"1 // a comment\n + 1", "2"},
        {"[1, 2, 3][1]", "2"},
        {"{'a': {'b': 5}}.a.b", "5"},
        {"{'a': 1}['a']", "1"},
    };
    (void)state;
    ASSERT_VALUES(cases);
}

static void errors_of_arithmetic(void **state)
{
    static const struct value_case cases[] = {
        {"9223372036854775807 + 1", "error: integer overflow"},
        {"-9223372036854775808 - 1", "error: integer overflow"},
        {"9223372036854775807 * 2", "error: integer overflow"},
        {"-9223372036854775808 / -1", "error: integer overflow"},
        {"-9223372036854775808 % -1", "error: integer overflow"},
        {"-(-9223372036854775808)", "error: integer overflow"},
        {"1 / 0", "error: division by zero"},
        {"1 % 0", "error: modulus by zero"},
        {"1.0 / 0.0", "double('+Inf')"},
        {"0.0 / 0.0 == 0.0 / 0.0", "false"},
        {"[1][1]", "error: index out of range: 1"},
        {"[1][-1]", "error: index out of range: -1"},
        {"{'a': 1}['b']", "error: no such key: 'b'"},
        {"{'a': 1, 'a': 2}", "error: the key 'a' is given twice"},
        {"int(1e30)", "error: integer overflow"},
        {"int('x')", "error: 'x' is no whole number"},
    };
    (void)state;
    ASSERT_VALUES(cases);
}

/* What decides alone hides what fails beside it, on both sides. */
static void logic_absorbs_errors(void **state)
{
    static const struct value_case cases[] = {
        {"true || 1 / 0 == 1", "true"},
        {"1 / 0 == 1 || true", "true"},
        {"false && 1 / 0 == 1", "false"},
        {"1 / 0 == 1 && false", "false"},
        {"1 / 0 == 1 || false", "error: division by zero"},
        {"1 / 0 == 1 && true", "error: division by zero"},
        {"true ? 1 : 1 / 0", "1"},
        {"false ? 1 : 1 / 0", "error: division by zero"},
        {"[1, 0].all(x, 1 / x > 5)", "false"},
        {"[0, 1].exists(x, 1 / x == 1)", "true"},
        {"[0, 1].all(x, 1 / x == 1)", "error: division by zero"},
        {"[0, 1].exists_one(x, 1 / x == 1)", "error: division by zero"},
        {"[0, 1].filter(x, 1 / x == 1)", "error: division by zero"},
    };
    (void)state;
    ASSERT_VALUES(cases);
}

static void comparisons(void **state)
{
    static const struct value_case cases[] = {
        {"1 == 1", "true"},
        {"dyn(1) == 1.0", "true"},
        {"dyn(1) == 'a'", "false"},
        {"1 < 1.5", "true"},
        {"9007199254740993 > 9007199254740992.0", "false"},
        {"9223372036854775807 < 9223372036854775808.0", "false"},
        {"9223372036854775807 < 9223372036854777856.0", "true"},
        {"-9223372036854775808 > -1e19", "true"},
        {"'a' < 'b'", "true"},
        {"'a' < 'B'", "false"},
        {"'\xc3\xa9' > 'z'", "true"},
        {"false < true", "true"},
        {"[1, 2] == [1, 2]", "true"},
        {"[1, 2] == [2, 1]", "false"},
        {"{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", "true"},
        {"2 in [1, 2]", "true"},
        {"'a' in {'a': 1}", "true"},
        {"3 in [1, 2]", "false"},
        {"duration('90s') > duration('1m')", "true"},
        {"duration('1m') + duration('30s') == duration('90s')", "true"},
        {"duration('90s').getMinutes()", "1"},
        {"duration('1h').getSeconds()", "3600"},
        {"string(duration('1500ms'))", "'1.5s'"},
    };
    (void)state;
    ASSERT_VALUES(cases);
}

static void strings_and_lists(void **state)
{
    static const struct value_case cases[] = {
        {"size('h\xc3\xa9llo')", "5"},
        {"'hello'.size()", "5"},
        {"'hello'.contains('ell')", "true"},
        {"'hello'.startsWith('he') && 'hello'.endsWith('lo')", "true"},
        {"'hello'.indexOf('l')", "2"},
        {"'hello'.indexOf('l', 3)", "3"},
        {"'hello'.lastIndexOf('l')", "3"},
        {"'hello'.indexOf('x')", "-1"},
        {"'h\xc3\xa9llo'.substring(1, 3)", "'\xc3\xa9l'"},
        {"'hello'.substring(4)", "'o'"},
        {"'hello'.substring(9)", "error: index out of range: 9"},
        {"'abc'.charAt(1)", "'b'"},
        {"'abc'.charAt(3)", "''"},
        {"' a '.trim()", "'a'"},
        {"'\\u00a0\\t a\\u3000b \\u2003'.trim() == 'a\\u3000b'", "true"},
        {"'  '.trim() + ''.trim()", "''"},
        {"'web-1'.matches('^web-[0-9]+$')", "true"},
        {"matches('a web', 'web')", "true"},
        {"'a'.matches(dyn('['))", "error: '[' is no regular expression: the set has no end"},
        {"'ab12c3'.find('[0-9]+')", "'12'"},
        {"'abc'.find('[0-9]+')", "''"},
        {"'ab12c3'.findAll('[0-9]+')", "['12', '3']"},
        {"'ab12c3'.findAll('[0-9]+', 1)", "['12']"},
        {"'ab12c3'.findAll('[0-9]+', 0)", "[]"},
        {"'ab12c3'.findAll('[0-9]+', -1)", "['12', '3']"},
        {"'baab'.findAll('a*')", "['', 'aa', '']"},
        {"'h\xc3\xa9'.findAll('')", "['', '', '']"},
        {"sets.contains([1, 2, 3], [2, 2, 1])", "true"},
        {"sets.contains([1], [1, 2])", "false"},
        {"sets.contains([], [])", "true"},
        {"sets.contains([dyn(1)], [1.0])", "true"},
        {"sets.equivalent([1, 2, 2], [2, 1])", "true"},
        {"sets.equivalent([1, 2], [1])", "false"},
        {"sets.intersects([1, 2], [2, 3])", "true"},
        {"sets.intersects([1], [])", "false"},
        {"'aBc'.lowerAscii() + 'aBc'.upperAscii()", "'abcABC'"},
        {"'a-b-c'.replace('-', '+')", "'a+b+c'"},
        {"'ab'.replace('', '-')", "'-a-b-'"},
        {"'a,b,c'.split(',')", "['a', 'b', 'c']"},
        {"'abc'.split('')", "['a', 'b', 'c']"},
        {"''.split('')", "[]"},
        {"''.split(',')", "['']"},
        {"'a,b,c'.split(',', -1)", "['a', 'b', 'c']"},
        {"'a,b,c'.split(',', 0)", "[]"},
        {"'a,b,c'.split(',', 1)", "['a,b,c']"},
        {"'a,b,c'.split(',', 2)", "['a', 'b,c']"},
        {"'a,b,c'.split(',', 9)", "['a', 'b', 'c']"},
        {"'abc'.split('', 2)", "['a', 'bc']"},
        {"'abab'.replace('a', 'c', 1)", "'cbab'"},
        {"'abab'.replace('a', 'c', 0)", "'abab'"},
        {"'abab'.replace('a', 'c', -1)", "'cbcb'"},
        {"'ab'.replace('', '-', 2)", "'-a-b'"},
        {"'aaa'.replace('aa', 'b')", "'ba'"},
        {"'h\xc3\xa9'.replace('', '-')", "'-h-\xc3\xa9-'"},
        {"''.replace('', '-') + ''.replace('a', '-')", "'-'"},
        {"'hello mellow'.lastIndexOf('ello', 6)", "1"},
        {"'hello'.lastIndexOf('')", "5"},
        {"'hello'.lastIndexOf('', 2)", "2"},
        {"'aaaa'.lastIndexOf('aa')", "2"},
        {"'h\xc3\xa9ll\xc3\xa9'.lastIndexOf('\xc3\xa9')", "4"},
        {"'h\xc3\xa9ll\xc3\xa9'.lastIndexOf('\xc3\xa9', 3)", "1"},
        {"'hello'.lastIndexOf('hello world')", "-1"},
        {"'hello mellow'.lastIndexOf('ello', 7)", "7"},
        {"'hello'.lastIndexOf('x', 2)", "-1"},
        {"'hello'.lastIndexOf('l', -1)", "error: index out of range: -1"},
        {"'hello'.lastIndexOf('l', 9)", "-1"},
        {"['a', 'b'].join('-')", "'a-b'"},
        {"[1, 2] + [3]", "[1, 2, 3]"},
        {"[1, 2, 3].map(x, x * x)", "[1, 4, 9]"},
        {"[1, 2, 3].map(x, x > 1, x * x)", "[4, 9]"},
        {"[1, 2, 3].filter(x, x % 2 == 1)", "[1, 3]"},
        {"[1, 2, 2].exists_one(x, x == 2)", "false"},
        {"[].all(x, false)", "true"},
        {"[].exists(x, true)", "false"},
        {"{'a': 1, 'b': 2}.all(k, k != 'c')", "true"},
        {"[3, 1, 2].max() + [3, 1, 2].min() + [3, 1, 2].sum()", "10"},
        {"[1, 2].isSorted()", "true"},
        {"[1, 2, 1].lastIndexOf(1)", "2"},
        {"[[1, 2], [3]].map(x, x.size())", "[2, 1]"},
        {"[1, 2].map(x, [10, 20].map(y, x * y))", "[[10, 20], [20, 40]]"},
        {"[1].map(x, [2].map(x, x))", "[[2]]"},
        {"has({'a': 1}.a) && !has({'a': 1}.b)", "true"},
        {"string(1.5) + string(true) + string(2)", "'1.5true2'"},
        {"[1000.0, 123456.0, 1e6, 1234567.0, 0.0001, 0.00001, -0.0].map(d, string(d)).join(' ')",
         "'1000 123456 1e+06 1.234567e+06 0.0001 1e-05 -0'"},
        {"[1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0].map(d, string(d)).join(' ')", "'+Inf -Inf NaN'"},
        {"double('1e400')", "error: '1e400' is no number"},
        {"double('0x10')", "error: '0x10' is no number"},
        {"double('-Inf') < -1e300 && double('NaN') != double('NaN')", "true"},
        {"int('42') + int(2.9)", "44"},
        {"double(1) + double('0.5')", "1.5"},
        {"quantity('1Gi').isGreaterThan(quantity('1G'))", "true"},
        {"quantity('500m').add(quantity('1500m')).asInteger()", "2"},
        {"quantity('2').sub(1).compareTo(quantity('1'))", "0"},
        {"quantity('1500m').asApproximateFloat()", "1.5"},
        {"isQuantity('1Gi') && !isQuantity('much')", "true"},
    };
    (void)state;
    ASSERT_VALUES(cases);
}

/* Each element of a bag counts as often as it is there. */
static void bags_count(void **state)
{
    static const struct value_case cases[] = {
        {"boxes.size()", "6"},
        {"size(boxes.filter(b, b.labels.app == 'web'))", "4"},
        {"boxes.map(b, b.number).sum()", "14"},
        {"boxes.map(b, b.number).max()", "3"},
        {"boxes.map(b, b.number)", "[1, 2 (2 times), 3 (3 times)]"},
        {"boxes.map(b, b.weight).sum().compareTo(quantity('10500m'))", "0"},
        {"boxes.filter(b, false).map(b, b.weight).sum().asInteger()", "0"},
        {"boxes.exists_one(b, b.number == 1)", "true"},
        {"boxes.exists_one(b, b.number == 2)", "false"},
        {"boxes.exists(b, has(b.labels.tier))", "true"},
        {"boxes.all(b, b.number > 0)", "true"},
        {"boxes.all(b, b.labels.tier == '1')",
         "error: no such key: tier; has(...) asks whether it is there"},
        {"boxes.filter(b, has(b.lid)).size()", "2"},
        {"boxes.filter(b, has(b.lid)).all(b, b.lid == 'red')", "true"},
        {"boxes.filter(b, boxes.exists(c, c.number > b.number)).size()", "3"},
        {"2 in boxes.map(b, b.number)", "true"},
        {"(boxes + boxes).size()", "12"},
        {"any + 1", "8"},
    };
    (void)state;
    ASSERT_VALUES(cases);
}

static void what_is_refused(void **state)
{
    static const struct value_case cases[] = {
        {"", "refused: character 1: expected a value, found the end"},
        {"1 +", "refused: character 4: expected a value, found the end"},
        {"1 2", "refused: character 3: expected an operator or the end, found 2"},
        {"a = 1", "refused: character 3: found =; == compares"},
        {"a & b", "refused: character 3: found &; && is meant"},
        {"'abc", "refused: character 1: the string has no end"},
        {"'\\q'", "refused: character 1: there is no such escape"},
        {"9223372036854775808", "refused: character 1: the number does not fit into 64 bits"},
        {"1u", "refused: character 1: unsigned numbers are not supported; leave out the u"},
        {"b'a'", "refused: character 1: bytes are not supported; leave out the b"},
        {"for", "refused: character 1: for is a reserved word"},
        {"boxs.size()", "refused: character 1: there is no boxs (did you mean boxes?)"},
        {"boxes.filter(b, b.numbr == 1)",
         "refused: character 17: a box has no field numbr (did you mean number?); it has number, "
         "weight, lid, labels"},
        {"boxes.exists(b, b.name == 'x')",
         "refused: character 17: states do not keep name of a box; ask its number"},
        {"boxes[0]", "refused: character 1: [] does not take (bag(box), int); a bag has no order"},
        {"boxes == boxes",
         "refused: character 1: values of type bag(box) cannot be compared, since alike ones are "
         "counted and not told apart; compare their fields"},
        {"boxes.exists(a, boxes.exists(b, a == b))",
         "refused: character 33: values of type box cannot be compared, since alike ones are "
         "counted and not told apart; compare their fields"},
        {"boxes.number", "refused: character 1: a value of type bag(box) has no fields; ask its "
                         "elements with exists, all or map"},
        {"boxes.isSorted()",
         "refused: character 1: isSorted does not take (bag(box)); a bag has no order"},
        {"1 == 'a'", "refused: character 1: _==_ does not take (int, string)"},
        {"1 == 1.0", "refused: character 1: _==_ does not take (int, double)"},
        {"1 + 'a'", "refused: character 1: _+_ does not take (int, string)"},
        {"1 && true", "refused: character 1: expected bool, found int"},
        {"[1, 'a']", "refused: character 5: expected int, found string"},
        {"true ? 1 : 'a'", "refused: character 12: expected int, found string"},
        {"'a'.sze()", "refused: character 1: there is no function sze (did you mean size?)"},
        {"'a'.matches('[ab')",
         "refused: character 13: this is no regular expression: the set has no end"},
        {"'a'.find(1)", "refused: character 1: find does not take (string, int)"},
        {"boxes.exists(b, sets.contains(boxes, [b]))",
         "refused: character 17: sets.contains does not take (bag(box), list(box)); a bag has no "
         "order"},
        {"timestamp('2026-01-01T00:00:00Z')",
         "refused: character 1: timestamp is not part of this subset of CEL: states keep no dates; "
         "after and within of an intent ask for times"},
        {"sets.union([1], [1])", "refused: character 1: sets is not part of this subset of CEL: of "
                                 "sets there are contains, equivalent and intersects"},
        {"object.spec", "refused: character 1: object is not part of this subset of CEL: it "
                        "belongs to admission; here pods, nodes, zones, workloads, autoscalers, "
                        "budgets and events are asked"},
        {"has(boxes)", "refused: character 1: has() takes a field, as in has(p.labels.app)"},
        {"[1].all(1, true)", "refused: character 9: expected the name of a variable"},
        {"\xc3\xa4", "refused: character 1: no expression has such a character"},
    };
    (void)state;
    ASSERT_VALUES(cases);
}

/* What is opaque stays so where its type is not known. */
static void identity_is_refused_late(void **state)
{
    static const struct value_case cases[] = {
        {"dyn(boxes)[0].number == 1", "error: _[_] does not take values of these types"},
        {"dyn(boxes) == dyn(boxes)",
         "error: objects and bags cannot be compared; compare their fields"},
        {"boxes.exists(a, dyn(a) == dyn(a))",
         "error: objects and bags cannot be compared; compare their fields"},
        {"dyn(boxes).filter(b, b.number == 2).size()", "2"},
    };
    (void)state;
    ASSERT_VALUES(cases);
}

/* Hostile texts end soon, with a message or an error. */
static void costs_are_bounded(void **state)
{
    char deep[1000];
    memset(deep, '(', sizeof(deep) - 1);
    deep[sizeof(deep) - 1] = '\0';
    (void)state;
    assert_non_null(strstr(value_of(deep), "inside each other"));
    memset(deep, '!', sizeof(deep) - 1);
    assert_non_null(strstr(value_of(deep), "inside each other"));
    memset(deep, '-', sizeof(deep) - 1);
    assert_non_null(strstr(value_of(deep), "inside each other"));
    const char *ten = "[0,1,2,3,4,5,6,7,8,9]";
    const char *text = arena_printf(
        &arena, "%s.all(a, %s.all(b, %s.all(c, %s.all(d, %s.all(e, %s.all(f, a < 10))))))", ten,
        ten, ten, ten, ten, ten);
    assert_string_equal(value_of(text), "error: it takes more than 200000 steps");
    text = arena_printf(&arena, "true || %s", text);
    assert_string_equal(value_of(text), "true");
    char *growing = arena_strdup(&arena, "'aaaaaaaa'");
    for (int i = 0; i < 40; i++)
        growing = arena_printf(&arena, "%s.replace('a', 'aaaaaaaaaaaaaaaa')", growing);
    assert_non_null(strstr(value_of(growing), "error"));
    char *plus = arena_strdup(&arena, "1");
    for (int i = 0; i < 60; i++)
        plus = arena_printf(&arena, "%s + 1", plus);
    assert_non_null(strstr(value_of(plus), "behind each other"));
}

/* What is asked of long texts again and again costs steps, and what would take the square of their
 * length takes less. */
static void long_texts_cost(void **state)
{
    static const struct value_case cases[] = {
        {"@.lastIndexOf('a')", "262143"},
        {"@.lastIndexOf(@.substring(100000))", "100000"},
        {"@.replace('aab', 'x').size()", "262144"},
        {"[@].map(t, [1,2,3,4,5,6,7,8,9,0].map(x, t).join()).size()",
         "error: the text is too long"},
        {"[@].all(t, [1,2,3,4,5,6,7,8,9,0].all(x, !t.contains('aab') && !t.contains('aac')))",
         "error: it takes more than 200000 steps"},
        {"@.matches('^aa')", "true"},
        {"@.matches('(a*)*b')", "false"},
        {"[@].all(t, [1, 2, 3].all(x, !t.matches('(a*)*b')))",
         "error: it takes more than 200000 steps"},
        {"@.findAll('a').size()", "error: it takes more than 200000 steps"},
        {"@.substring(262100).findAll('a').size()", "44"},
        {"[1,2,3,4,5,6,7,8,9,0].all(x, [1,2,3,4,5,6,7,8,9,0].all(y, !'x'.matches('(a{60}){60}')))",
         "error: it takes more than 200000 steps"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct text text;
        text_init(&text, arena.memory);
        for (const char *at = cases[i].text; *at; at++)
            if (*at == '@')
                text_append_string(&text, "'aaaaaaaaaaaaaaaa'.replace('a', 'aaaaaaaaaaaaaaaa')"
                                          ".replace('a', 'aaaaaaaaaaaaaaaa')"
                                          ".replace('a', 'aaaaaaaaaaaaaaaa')"
                                          ".replace('a', 'aaaa')");
            else
                text_append(&text, at, 1);
        assert_string_equal(value_of(text_keep(&text, &arena)), cases[i].value);
    }
}

/* So does comparing large lists again and again, and they are not compared as sets if that takes
 * too long. */
static void large_lists_cost(void **state)
{
    static const struct value_case cases[] = {
        {"[@].all(l, l == l && l in [l])", "true"},
        {"sets.equivalent([[1]], [[1], [1]])", "true"},
        {"[@].all(l, [1, 2, 3].all(x, %.all(y, %.all(z, l == l))))",
         "error: it takes more than 200000 steps"},
        {"[@].all(l, %.all(y, %.all(z, !(dyn([1]) in l))))",
         "error: it takes more than 200000 steps"},
        {"[@].all(l, %.all(y, %.all(z, l.indexOf(l) < 0)))",
         "error: it takes more than 200000 steps"},
        {"[@].all(l, sets.contains(l, l))", "error: it takes more than 200000 steps"},
        {"[%].all(l, %.all(x, %.all(y, sets.contains(l, l))))", "true"},
        {"[%].all(l, %.all(x, %.all(y, %.all(z, sets.contains(l, l)))))",
         "error: it takes more than 200000 steps"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *thirty = "[0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9]";
        struct text text;
        text_init(&text, arena.memory);
        for (const char *at = cases[i].text; *at; at++)
            if (*at == '@')
                text_printf(&text, "%s.map(a, %s.map(b, %s.map(c, c)))", thirty, thirty, thirty);
            else if (*at == '%')
                text_append_string(&text, thirty);
            else
                text_append(&text, at, 1);
        assert_string_equal(value_of(text_keep(&text, &arena)), cases[i].value);
    }
}

/* So does looking for keys in maps that the text has. */
static void large_maps_cost(void **state)
{
    static const char *const questions[] = {"!(0 in m)", "!has(m.a)", "m[1000] == 1"};
    const char *ten = "[0,1,2,3,4,5,6,7,8,9]";
    struct text keys;
    text_init(&keys, arena.memory);
    (void)state;
    for (uint32_t i = 2000; i > 1000; i--)
        text_printf(&keys, "%u:1,", i);
    text_append_string(&keys, "1000:1");
    const char *map = text_keep(&keys, &arena);
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        const char *once = arena_printf(&arena, "[{%s}].all(m, %s)", map, questions[i]);
        const char *often =
            arena_printf(&arena, "[{%s}].all(m, %s.all(w, %s.all(x, %s.all(y, %s.all(z, %s)))))",
                         map, ten, ten, ten, ten, questions[i]);
        assert_string_equal(value_of(once), "true");
        assert_string_equal(value_of(often), "error: it takes more than 200000 steps");
    }
}

/* ---- what it reads, and its parts ---- */

static const struct expression *compiled(const char *text)
{
    struct problems problems;
    problems_init(&problems, &arena);
    const struct expression *expression = expression_compile(
        &arena, text, &environment, &expression_bool, (struct place){0}, NULL, &problems);
    assert_non_null(expression);
    return expression;
}

static void what_is_read(void **state)
{
    const struct expression *expression = compiled("boxes.all(b, b.number > 0)");
    (void)state;
    assert_true(expression_uses(expression, "boxes"));
    assert_false(expression_uses(expression, "any"));
    assert_true(expression_reads(expression, &box_class, "number"));
    assert_false(expression_reads(expression, &box_class, "weight"));
    assert_true(
        expression_reads(compiled("dyn(boxes).all(b, b.weight == 1)"), &box_class, "weight"));
    struct problems problems;
    problems_init(&problems, &arena);
    assert_null(expression_compile(&arena, "1 + 1", &environment, &expression_bool,
                                   (struct place){0}, "always", &problems));
    assert_string_equal(problem_format(&arena, &problems.items[0]),
                        "always: character 1: expected an expression of type bool, found one of "
                        "type int");
}

static bool is_here(const void *context, const char *key)
{
    return strcmp(context, key) == 0;
}

static void keys_that_are_missing(void **state)
{
    static const struct {
        const char *text;
        const char *missing; /* NULL: none */
        bool may_be_asked;
    } rows[] = {
        {"shelf.there == 1 && shelf['there'] == 1", NULL, false},
        {"true || shelf.gone == 1", "gone", false},
        {"[1].all(x, '' != shelf['gone'].b)", "gone", false},
        {"has(shelf.gone) && !('gone' in shelf)", NULL, false},
        {"has(shelf.gone) && shelf.gone == 1", "gone", false},
        {"has(shelf.gone) && shelf.gone == 1", NULL, true},
        {"'gone' in shelf && shelf['gone'] == 1", NULL, true},
        {"has(shelf.gone) && shelf.lost == 1", "lost", true},
        {"'lost' in ['lost'] && shelf.lost == 1", "lost", true},
        {"[{'gone': 1}].all(shelf, shelf.gone == 1)", NULL, false},
        {"shelf['go' + 'ne'] == 1", NULL, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct expression_keys keys = {"shelf", is_here, "there", rows[i].may_be_asked};
        const char *missing = expression_missing_key(compiled(rows[i].text), &keys);
        assert_string_equal(missing ? missing : "none", rows[i].missing ? rows[i].missing : "none");
    }
}

static void parts_tell_values(void **state)
{
    struct expression_part parts[4];
    (void)state;
    assert_int_equal(
        expression_parts(compiled("boxes.size() > 6 && 1 + 1 == any"), NULL, &arena, parts, 4), 3);
    assert_string_equal(parts[0].text, "boxes.size()");
    assert_string_equal(parts[0].value, "6");
    assert_string_equal(parts[1].text, "1 + 1");
    assert_string_equal(parts[2].value, "7");
    assert_int_equal(
        expression_parts(compiled("boxes.all(b, b.number < 2)"), NULL, &arena, parts, 4), 2);
    assert_string_equal(parts[0].text, "b");
    assert_string_equal(parts[0].value, "box 2");
    assert_string_equal(parts[1].text, "b.number");
    assert_string_equal(parts[1].value, "2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals_and_precedence),
        cmocka_unit_test(errors_of_arithmetic),
        cmocka_unit_test(logic_absorbs_errors),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(strings_and_lists),
        cmocka_unit_test(bags_count),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(identity_is_refused_late),
        cmocka_unit_test(costs_are_bounded),
        cmocka_unit_test(long_texts_cost),
        cmocka_unit_test(large_lists_cost),
        cmocka_unit_test(large_maps_cost),
        cmocka_unit_test(what_is_read),
        cmocka_unit_test(parts_tell_values),
        cmocka_unit_test(keys_that_are_missing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
