/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities, as Kubernetes' own library of CEL functions has them. */
#include "expression/expression_function.h"

#include <limits.h>

static struct expression_value quantity(struct arena *arena, const struct expression_value *of)
{
    struct quantity parsed;
    const char *why = NULL;
    if (!quantity_parse(of[0].text, &parsed, &why))
        return expression_error(arena, "'%s' is no quantity: %s", of[0].text, why);
    return expression_of_quantity(arena, parsed);
}

static struct expression_value is_quantity(struct arena *arena, const struct expression_value *of)
{
    struct quantity parsed;
    (void)arena;
    return expression_of_bool(quantity_parse(of[0].text, &parsed, NULL));
}

static int64_t compare(const struct expression_value *of)
{
    const int order = quantity_compare(*of[0].quantity, *of[1].quantity);
    return (order > 0) - (order < 0);
}

static struct expression_value compare_to(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_int(compare(of));
}

static struct expression_value is_less(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_bool(compare(of) < 0);
}

static struct expression_value is_greater(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_bool(compare(of) > 0);
}

static struct expression_value sign(struct arena *arena, const struct expression_value *of)
{
    const quantity_nanos nanos = of[0].quantity->nanos;
    (void)arena;
    return expression_of_int((nanos > 0) - (nanos < 0));
}

/* ---- sums ---- */

static struct expression_value add(struct arena *arena, const struct expression_value *of)
{
    return expression_of_quantity(arena, quantity_add(*of[0].quantity, *of[1].quantity));
}

static struct expression_value subtract(struct arena *arena, const struct expression_value *of)
{
    struct quantity negative = *of[1].quantity;
    negative.nanos = -negative.nanos;
    return expression_of_quantity(arena, quantity_add(*of[0].quantity, negative));
}

static struct expression_value with_int(struct arena *arena, struct expression_value value)
{
    return expression_of_quantity(arena, quantity_of(value.integer));
}

static struct expression_value add_int(struct arena *arena, const struct expression_value *of)
{
    const struct expression_value both[] = {of[0], with_int(arena, of[1])};
    return add(arena, both);
}

static struct expression_value subtract_int(struct arena *arena, const struct expression_value *of)
{
    const struct expression_value both[] = {of[0], with_int(arena, of[1])};
    return subtract(arena, both);
}

/* ---- as numbers ---- */

static bool fits_int(struct quantity quantity)
{
    const quantity_nanos unit = 1000000000;
    return quantity.nanos % unit == 0 && quantity.nanos / unit <= INT64_MAX &&
           quantity.nanos / unit >= INT64_MIN;
}

static struct expression_value is_integer(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_bool(fits_int(*of[0].quantity));
}

static struct expression_value as_integer(struct arena *arena, const struct expression_value *of)
{
    if (!fits_int(*of[0].quantity))
        return expression_error(arena, "the quantity is no whole number of 64 bits");
    return expression_of_int((int64_t)(of[0].quantity->nanos / 1000000000));
}

static struct expression_value as_float(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_double((double)of[0].quantity->nanos / 1e9);
}

#define Q &expression_quantity
#define METHOD(name, count, result, function, ...)                          \
    {                                                                       \
        name, true, count, {__VA_ARGS__}, &expression_##result, 0, function \
    }

static const struct expression_function rows[] = {
    {"quantity", false, 1, {&expression_string}, Q, 0, quantity},
    {"isQuantity", false, 1, {&expression_string}, &expression_bool, 0, is_quantity},
    METHOD("compareTo", 2, int, compare_to, Q, Q),
    METHOD("isLessThan", 2, bool, is_less, Q, Q),
    METHOD("isGreaterThan", 2, bool, is_greater, Q, Q),
    METHOD("sign", 1, int, sign, Q),
    METHOD("add", 2, quantity, add, Q, Q),
    METHOD("add", 2, quantity, add_int, Q, &expression_int),
    METHOD("sub", 2, quantity, subtract, Q, Q),
    METHOD("sub", 2, quantity, subtract_int, Q, &expression_int),
    METHOD("isInteger", 1, bool, is_integer, Q),
    METHOD("asInteger", 1, int, as_integer, Q),
    METHOD("asApproximateFloat", 1, double, as_float, Q),
};

const struct expression_functions kubernetes_functions = {rows, sizeof(rows) / sizeof(rows[0])};
