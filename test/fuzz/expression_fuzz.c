/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as an expression: it is refused with a reason, or evaluated within its limits, and the
 * same value comes out each time. */
#include "harness.h"

#include "expression/expression.h"

#include <string.h>

static struct expression_value read_numbers(void *context, struct arena *scratch)
{
    static const uint64_t counts[] = {1, 3, UINT64_MAX};
    struct expression_value *items = ARENA_ARRAY(scratch, struct expression_value, 3);
    (void)context;
    for (uint32_t i = 0; i < 3; i++)
        items[i] = expression_of_int((int64_t)i - 1);
    return expression_of_bag(scratch, items, counts, 3);
}

static const struct expression_type numbers_type = {.kind = EXPRESSION_BAG,
                                                    .element = &expression_int};
static const struct expression_variable variables[] = {
    {"pods", &numbers_type, read_numbers, "some numbers"}};
static const struct expression_environment environment = {variables, 1};

void fuzz_one(struct arena *arena, const char *bytes, size_t count)
{
    const char *text = arena_strndup(arena, bytes, strnlen(bytes, count));
    struct expression_part parts[4];
    struct problems problems;
    problems_init(&problems, arena);
    const struct expression *expression =
        expression_compile(arena, text, &environment, NULL, (struct place){0}, NULL, &problems);
    FUZZ_REQUIRE((expression == NULL) == (problems.errors > 0));
    if (!expression)
        return;
    const char *first = expression_value_text(arena, expression_evaluate(expression, NULL, arena));
    const char *second = expression_value_text(arena, expression_evaluate(expression, NULL, arena));
    FUZZ_REQUIRE(strcmp(first, second) == 0);
    FUZZ_REQUIRE(expression_parts(expression, NULL, arena, parts, 4) <= 4);
}
