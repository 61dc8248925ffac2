/* SPDX-License-Identifier: Apache-2.0 */
/* + - * / % and the minus in front. Whole numbers and durations fail where they would overflow. */
#include "expression/expression_function.h"

#include "base/vec.h"

#include <string.h>

static struct expression_value overflow(struct arena *arena)
{
    return expression_error(arena, "integer overflow");
}

/* ---- whole numbers ---- */

static struct expression_value add_int(struct arena *arena, const struct expression_value *of)
{
    int64_t sum;
    if (__builtin_add_overflow(of[0].integer, of[1].integer, &sum))
        return overflow(arena);
    return expression_of_int(sum);
}

static struct expression_value subtract_int(struct arena *arena, const struct expression_value *of)
{
    int64_t difference;
    if (__builtin_sub_overflow(of[0].integer, of[1].integer, &difference))
        return overflow(arena);
    return expression_of_int(difference);
}

static struct expression_value multiply_int(struct arena *arena, const struct expression_value *of)
{
    int64_t product;
    if (__builtin_mul_overflow(of[0].integer, of[1].integer, &product))
        return overflow(arena);
    return expression_of_int(product);
}

static struct expression_value divide_int(struct arena *arena, const struct expression_value *of)
{
    if (of[1].integer == 0)
        return expression_error(arena, "division by zero");
    if (of[0].integer == INT64_MIN && of[1].integer == -1)
        return overflow(arena);
    return expression_of_int(of[0].integer / of[1].integer);
}

static struct expression_value modulo_int(struct arena *arena, const struct expression_value *of)
{
    if (of[1].integer == 0)
        return expression_error(arena, "modulus by zero");
    if (of[0].integer == INT64_MIN && of[1].integer == -1)
        return overflow(arena);
    return expression_of_int(of[0].integer % of[1].integer);
}

static struct expression_value negate_int(struct arena *arena, const struct expression_value *of)
{
    return of[0].integer == INT64_MIN ? overflow(arena) : expression_of_int(-of[0].integer);
}

/* ---- doubles ---- */

static struct expression_value add_double(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_double(of[0].number + of[1].number);
}

static struct expression_value subtract_double(struct arena *arena,
                                               const struct expression_value *of)
{
    (void)arena;
    return expression_of_double(of[0].number - of[1].number);
}

static struct expression_value multiply_double(struct arena *arena,
                                               const struct expression_value *of)
{
    (void)arena;
    return expression_of_double(of[0].number * of[1].number);
}

/* By zero it is infinite, or no number, as IEEE 754 has it. */
__attribute__((no_sanitize("float-divide-by-zero"))) static struct expression_value
divide_double(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_double(of[0].number / of[1].number);
}

static struct expression_value negate_double(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_double(-of[0].number);
}

/* ---- durations, strings, lists ---- */

static struct expression_value as_duration(struct expression_value value)
{
    if (value.tag == VALUE_IS_INT)
        value.tag = VALUE_IS_DURATION;
    return value;
}

static struct expression_value add_duration(struct arena *arena, const struct expression_value *of)
{
    return as_duration(add_int(arena, of));
}

static struct expression_value subtract_duration(struct arena *arena,
                                                 const struct expression_value *of)
{
    return as_duration(subtract_int(arena, of));
}

static struct expression_value negate_duration(struct arena *arena,
                                               const struct expression_value *of)
{
    return as_duration(negate_int(arena, of));
}

static struct expression_value add_string(struct arena *arena, const struct expression_value *of)
{
    return expression_of_string(arena_printf(arena, "%s%s", of[0].text, of[1].text));
}

/* The items of both, with their counts. */
static struct expression_value add_list(struct arena *arena, const struct expression_value *of)
{
    const struct expression_list *left = of[0].list;
    const struct expression_list *right = of[1].list;
    const uint32_t count = left->count + right->count;
    struct expression_value *items = ARENA_ARRAY(arena, struct expression_value, count + 1);
    uint64_t *counts = ARENA_ARRAY(arena, uint64_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct expression_list *from = i < left->count ? left : right;
        const uint32_t item = i < left->count ? i : i - left->count;
        items[i] = from->items[item];
        counts[i] = expression_count_read(from, item, false);
    }
    return left->bag ? expression_of_bag(arena, items, counts, count)
                     : expression_of_list(arena, items, count);
}

#define TWO(sign, type, function)                                                                 \
    {                                                                                             \
        sign, false, 2, {&expression_##type, &expression_##type}, &expression_##type, 0, function \
    }
#define ONE(sign, type, function)                                             \
    {                                                                         \
        sign, false, 1, {&expression_##type}, &expression_##type, 0, function \
    }

static const struct expression_function rows[] = {
    TWO("_+_", int, add_int),
    TWO("_+_", double, add_double),
    TWO("_+_", string, add_string),
    TWO("_+_", duration, add_duration),
    {"_+_",
     false,
     2,
     {&expression_list_of_dyn, &expression_list_of_dyn},
     &expression_list_of_dyn,
     RESULT_BOTH,
     add_list},
    {"_+_",
     false,
     2,
     {&expression_any_bag, &expression_any_bag},
     &expression_any_bag,
     RESULT_BOTH,
     add_list},
    TWO("_-_", int, subtract_int),
    TWO("_-_", double, subtract_double),
    TWO("_-_", duration, subtract_duration),
    TWO("_*_", int, multiply_int),
    TWO("_*_", double, multiply_double),
    TWO("_/_", int, divide_int),
    TWO("_/_", double, divide_double),
    TWO("_%_", int, modulo_int),
    ONE("-_", int, negate_int),
    ONE("-_", double, negate_double),
    ONE("-_", duration, negate_duration),
};

const struct expression_functions arithmetic_functions = {rows, sizeof(rows) / sizeof(rows[0])};
