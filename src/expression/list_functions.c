/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of lists, bags and maps: CEL's size, and Kubernetes' list library. In a bag each
 * element counts as often as it is there. */
#include "expression/expression_function.h"

#include <inttypes.h>

static struct expression_value size_of_list(struct arena *arena, const struct expression_value *of)
{
    const uint64_t size = expression_list_size(of[0].list);
    (void)arena;
    return expression_of_int(size > INT64_MAX ? INT64_MAX : (int64_t)size);
}

static struct expression_value size_of_map(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_int(expression_map_size(of[0].map));
}

/* ---- sums ---- */

/* `sum` plus `count` times the item, which is of the same type. */
static struct expression_value add_times(struct arena *arena, struct expression_value sum,
                                         struct expression_value item, uint64_t count)
{
    int64_t product;
    if (item.tag == VALUE_IS_DOUBLE)
        return expression_of_double(sum.number + item.number * (double)count);
    if (item.tag == VALUE_IS_QUANTITY) {
        struct quantity quantity = *item.quantity;
        if (__builtin_mul_overflow(quantity.nanos, (quantity_nanos)count, &quantity.nanos))
            return expression_error(arena, "the sum of quantities is too large");
        return expression_of_quantity(arena, quantity_add(*sum.quantity, quantity));
    }
    if (count > INT64_MAX || __builtin_mul_overflow(item.integer, (int64_t)count, &product) ||
        __builtin_add_overflow(sum.integer, product, &sum.integer))
        return expression_error(arena, "integer overflow");
    return sum;
}

static struct expression_value nothing_of(struct arena *arena, struct expression_value item)
{
    if (item.tag == VALUE_IS_DOUBLE)
        return expression_of_double(0);
    if (item.tag == VALUE_IS_QUANTITY)
        return expression_of_quantity(arena, quantity_of(0));
    return item.tag == VALUE_IS_DURATION ? expression_of_duration(0) : expression_of_int(0);
}

static struct expression_value sum(struct arena *arena, const struct expression_value *of)
{
    const struct expression_list *list = of[0].list;
    struct expression_value total =
        list->count ? nothing_of(arena, list->items[0]) : expression_of_int(0);
    for (uint32_t i = 0; i < list->count && total.tag != VALUE_IS_ERROR; i++)
        total = add_times(arena, total, list->items[i], expression_count_read(list, i, false));
    return total;
}

/* An empty list of quantities or doubles has a sum of its own type. */
static struct expression_value sum_of_quantities(struct arena *arena,
                                                 const struct expression_value *of)
{
    return of[0].list->count ? sum(arena, of) : expression_of_quantity(arena, quantity_of(0));
}

static struct expression_value sum_of_doubles(struct arena *arena,
                                              const struct expression_value *of)
{
    return of[0].list->count ? sum(arena, of) : expression_of_double(0);
}

static struct expression_value sum_of_durations(struct arena *arena,
                                                const struct expression_value *of)
{
    return of[0].list->count ? sum(arena, of) : expression_of_duration(0);
}

/* ---- extremes and places ---- */

static struct expression_value extreme(struct arena *arena, const struct expression_list *list,
                                       enum expression_order wanted, const char *name)
{
    if (list->count == 0)
        return expression_error(arena, "%s() of an empty list", name);
    struct expression_value best = list->items[0];
    for (uint32_t i = 1; i < list->count; i++) {
        const enum expression_order order = expression_compare(list->items[i], best);
        if (order == ORDER_NONE)
            return expression_error(arena, "%s() takes values that can be compared", name);
        best = order == wanted ? list->items[i] : best;
    }
    return best;
}

static struct expression_value least(struct arena *arena, const struct expression_value *of)
{
    return extreme(arena, of[0].list, ORDER_LESS, "min");
}

static struct expression_value greatest(struct arena *arena, const struct expression_value *of)
{
    return extreme(arena, of[0].list, ORDER_GREATER, "max");
}

static struct expression_value is_sorted(struct arena *arena, const struct expression_value *of)
{
    for (uint32_t i = 1; i < of[0].list->count; i++) {
        const enum expression_order order =
            expression_compare(of[0].list->items[i - 1], of[0].list->items[i]);
        if (order == ORDER_NONE)
            return expression_error(arena, "isSorted() takes values that can be compared");
        if (order == ORDER_GREATER)
            return expression_of_bool(false);
    }
    return expression_of_bool(true);
}

static struct expression_value index_of(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    for (uint32_t i = 0; i < of[0].list->count; i++)
        if (expression_equal(of[0].list->items[i], of[1]))
            return expression_of_int(i);
    return expression_of_int(-1);
}

static struct expression_value last_index_of(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    for (uint32_t i = of[0].list->count; i > 0; i--)
        if (expression_equal(of[0].list->items[i - 1], of[1]))
            return expression_of_int(i - 1);
    return expression_of_int(-1);
}

static const struct expression_type
    bag_of_int = {.kind = EXPRESSION_BAG, .element = &expression_int},
    bag_of_quantity = {.kind = EXPRESSION_BAG, .element = &expression_quantity},
    bag_of_double = {.kind = EXPRESSION_BAG, .element = &expression_double},
    bag_of_duration = {.kind = EXPRESSION_BAG, .element = &expression_duration},
    list_of_quantity = {.kind = EXPRESSION_LIST, .element = &expression_quantity},
    list_of_double = {.kind = EXPRESSION_LIST, .element = &expression_double},
    list_of_duration = {.kind = EXPRESSION_LIST, .element = &expression_duration};

#define LIST &expression_list_of_dyn
#define BAG  &expression_any_bag
#define MAP  &expression_map_of_dyn
#define EACH(name, first, result, from, function)                            \
    {                                                                        \
        name, true, 1, {first}, result, from, function, .walks_values = true \
    }

static const struct expression_function rows[] = {
    {"size", false, 1, {LIST}, &expression_int, 0, size_of_list},
    {"size", false, 1, {BAG}, &expression_int, 0, size_of_list},
    {"size", false, 1, {MAP}, &expression_int, 0, size_of_map},
    {"size", true, 1, {LIST}, &expression_int, 0, size_of_list},
    {"size", true, 1, {BAG}, &expression_int, 0, size_of_list},
    {"size", true, 1, {MAP}, &expression_int, 0, size_of_map},
    EACH("sum", &expression_list_of_int, &expression_int, RESULT_AS_GIVEN, sum),
    EACH("sum", &bag_of_int, &expression_int, RESULT_AS_GIVEN, sum),
    EACH("sum", &list_of_quantity, &expression_quantity, RESULT_AS_GIVEN, sum_of_quantities),
    EACH("sum", &bag_of_quantity, &expression_quantity, RESULT_AS_GIVEN, sum_of_quantities),
    EACH("sum", &list_of_double, &expression_double, RESULT_AS_GIVEN, sum_of_doubles),
    EACH("sum", &bag_of_double, &expression_double, RESULT_AS_GIVEN, sum_of_doubles),
    EACH("sum", &list_of_duration, &expression_duration, RESULT_AS_GIVEN, sum_of_durations),
    EACH("sum", &bag_of_duration, &expression_duration, RESULT_AS_GIVEN, sum_of_durations),
    EACH("min", LIST, &expression_dyn, RESULT_ELEMENT, least),
    EACH("min", BAG, &expression_dyn, RESULT_ELEMENT, least),
    EACH("max", LIST, &expression_dyn, RESULT_ELEMENT, greatest),
    EACH("max", BAG, &expression_dyn, RESULT_ELEMENT, greatest),
    EACH("isSorted", LIST, &expression_bool, RESULT_AS_GIVEN, is_sorted),
    {"indexOf",
     true,
     2,
     {LIST, &expression_dyn},
     &expression_int,
     0,
     index_of,
     .walks_values = true},
    {"lastIndexOf",
     true,
     2,
     {LIST, &expression_dyn},
     &expression_int,
     0,
     last_index_of,
     .walks_values = true},
};

const struct expression_functions list_functions = {rows, sizeof(rows) / sizeof(rows[0])};
