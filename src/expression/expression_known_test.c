/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a variable changes neither values nor steps. The variable of the tests is a map
 * of two boxes, `shelf`; reading it is counted. */
#include "expression/expression_known.h"

#include "expression/expression_evaluate.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS_MOST = 60 };

static uint32_t read_count;

static struct expression_value box_number(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    const int64_t *added = context;
    (void)scratch;
    return expression_of_int(*added + object.first);
}

static const struct expression_field box_fields[] = {
    {"number", &expression_int, box_number, "its number", false},
};
static const struct expression_class box_class = {
    .name = "box", .fields = box_fields, .field_count = 1};
static const struct expression_type box_type = {.kind = EXPRESSION_OBJECT, .class = &box_class},
                                    box_map = {.kind = EXPRESSION_MAP, .element = &box_type};

static struct expression_value shelf_of_two(struct arena *scratch)
{
    struct expression_value *pairs = ARENA_ARRAY(scratch, struct expression_value, 4);
    struct expression_map *map = ARENA_NEW(scratch, struct expression_map);
    pairs[0] = expression_of_string("small");
    pairs[1] = expression_of_string("large box");
    pairs[2] = expression_of_object(&box_class, 1, 0);
    pairs[3] = expression_of_object(&box_class, 2, 0);
    *map = (struct expression_map){.keys = pairs, .values = pairs + 2, .count = 2};
    return (struct expression_value){.tag = VALUE_IS_MAP, .map = map};
}

static struct expression_value read_shelf(void *context, struct arena *scratch)
{
    (void)context;
    read_count++;
    return shelf_of_two(scratch);
}

static const struct expression_variable variables[] = {
    {"shelf", &box_map, read_shelf, "the shelf"},
    {"other", &box_map, read_shelf, "another one"},
};
static const struct expression_environment environment = {variables, 2};

static const struct expression *compile(const char *text)
{
    struct problems problems;
    problems_init(&problems, &arena);
    const struct expression *expression =
        expression_compile(&arena, text, &environment, NULL, (struct place){0}, NULL, &problems);
    if (!expression)
        fail_msg("%s: %s", text, problems.items[0].message);
    return expression;
}

static const struct expression *compile_known(const char *text)
{
    const struct expression *expression = compile(text);
    expression_know(expression, &arena, "shelf", shelf_of_two(&arena));
    return expression;
}

/* The value, and how many of the steps are left. */
static const char *outcome(const struct expression *expression, int64_t added, uint32_t steps)
{
    struct evaluation evaluation = {.context = &added, .scratch = &arena, .steps_left = steps};
    const struct expression_value value = term_evaluate(&evaluation, expression->term);
    return arena_printf(&arena, "%s, %u steps left", expression_value_text(&arena, value),
                        evaluation.steps_left);
}

static void values_and_steps_are_the_same(void **state)
{
    static const char *const texts[] = {
        "shelf.small.number",
        "shelf['large box'].number * 2 + shelf.small.number",
        "shelf.lost.number",
        "shelf['lost'].number == 1 || shelf.small.number == 1",
        "has(shelf.small) && !has(shelf.lost)",
        "'small' in shelf && shelf.size() == 2",
        "shelf.all(b, shelf[b].number > 1)",
        "[{'small': 3}].map(shelf, shelf.small)",
        "shelf.map(b, shelf.filter(c, shelf[c].number > shelf.small.number).size())",
        "other.small.number - shelf.small.number",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        for (int64_t added = 0; added < 2; added++)
            for (uint32_t steps = 0; steps < STEPS_MOST; steps++)
                assert_string_equal(outcome(compile_known(texts[i]), added, steps),
                                    outcome(compile(texts[i]), added, steps));
}

static void the_variable_is_not_read(void **state)
{
    (void)state;
    const struct expression *expression =
        compile_known("shelf.small.number + shelf['large box'].number + shelf.size()");
    read_count = 0;
    assert_string_equal(outcome(expression, 0, STEPS_MOST), "5, 49 steps left");
    assert_string_equal(outcome(expression, 10, STEPS_MOST), "25, 49 steps left");
    assert_int_equal(read_count, 0);
    outcome(compile_known("other.small.number"), 0, STEPS_MOST);
    assert_int_equal(read_count, 1);
}

/* Reductions ask what is read, known or not. */
static void it_is_still_used(void **state)
{
    (void)state;
    const struct expression *expression = compile_known("shelf.small.number == 1");
    assert_true(expression_uses(expression, "shelf"));
    assert_false(expression_uses(expression, "other"));
    assert_true(expression_reads(expression, &box_class, "number"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_steps_are_the_same),
        cmocka_unit_test(the_variable_is_not_read),
        cmocka_unit_test(it_is_still_used),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
