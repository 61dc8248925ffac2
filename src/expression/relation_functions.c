/* SPDX-License-Identifier: Apache-2.0 */
/* == != < <= > >= in, the index and `!`. */
#include "expression/expression_function.h"

/* Alike elements of a cluster cannot be told apart, so neither they nor bags of them are compared.
 */
static struct expression_value opaque_error(struct arena *arena)
{
    return expression_error(arena, "objects and bags cannot be compared; compare their fields");
}

static struct expression_value equal(struct arena *arena, const struct expression_value *of)
{
    if (expression_is_opaque(of[0]) || expression_is_opaque(of[1]))
        return opaque_error(arena);
    return expression_of_bool(expression_equal(of[0], of[1]));
}

static struct expression_value differ(struct arena *arena, const struct expression_value *of)
{
    if (expression_is_opaque(of[0]) || expression_is_opaque(of[1]))
        return opaque_error(arena);
    return expression_of_bool(!expression_equal(of[0], of[1]));
}

/* Is the order this one, or the other one? */
static struct expression_value has_order(struct arena *arena, const struct expression_value *of,
                                         enum expression_order wanted,
                                         enum expression_order or_this)
{
    const enum expression_order order = expression_compare(of[0], of[1]);
    if (order == ORDER_NONE)
        return expression_error(arena, "NaN has no order");
    return expression_of_bool(order == wanted || order == or_this);
}

static struct expression_value less(struct arena *arena, const struct expression_value *of)
{
    return has_order(arena, of, ORDER_LESS, ORDER_LESS);
}

static struct expression_value greater(struct arena *arena, const struct expression_value *of)
{
    return has_order(arena, of, ORDER_GREATER, ORDER_GREATER);
}

static struct expression_value at_most(struct arena *arena, const struct expression_value *of)
{
    return has_order(arena, of, ORDER_LESS, ORDER_EQUAL);
}

static struct expression_value at_least(struct arena *arena, const struct expression_value *of)
{
    return has_order(arena, of, ORDER_GREATER, ORDER_EQUAL);
}

static struct expression_value negate(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_bool(!of[0].truth);
}

/* ---- members ---- */

static struct expression_value in_list(struct arena *arena, const struct expression_value *of)
{
    bool found = false;
    if (expression_is_opaque(of[0]))
        return opaque_error(arena);
    for (uint32_t i = 0; i < of[1].list->count && !found; i++) {
        if (expression_is_opaque(of[1].list->items[i]))
            return opaque_error(arena);
        found = expression_equal(of[0], of[1].list->items[i]);
    }
    return expression_of_bool(found);
}

static struct expression_value in_map(struct arena *arena, const struct expression_value *of)
{
    struct expression_value found;
    (void)arena;
    return expression_of_bool(expression_map_find(of[1].map, of[0], &found));
}

/* Doubles that are whole numbers are indexes, too, where the type is known only now. */
static struct expression_value item_of_list(struct arena *arena, const struct expression_value *of)
{
    const struct expression_list *list = of[0].list;
    for (uint32_t i = 0; of[1].tag == VALUE_IS_DOUBLE && i < list->count; i++)
        if (of[1].number == i)
            return list->items[i];
    if (of[1].tag == VALUE_IS_INT && of[1].integer >= 0 && of[1].integer < list->count)
        return list->items[of[1].integer];
    return expression_error(arena, "index out of range: %s", expression_value_text(arena, of[1]));
}

static struct expression_value value_of_key(struct arena *arena, const struct expression_value *of)
{
    struct expression_value found;
    if (!expression_map_find(of[0].map, of[1], &found))
        return expression_error(arena, "no such key: %s", expression_value_text(arena, of[1]));
    return found;
}

#define RELATION(sign, left, right, function)                                                    \
    {                                                                                            \
        sign, false, 2, {&expression_##left, &expression_##right}, &expression_bool, 0, function \
    }
#define COMPARISON(sign, left, right, function)                                                   \
    {                                                                                             \
        sign, false, 2, {&expression_##left, &expression_##right}, &expression_bool, 0, function, \
            .compares = true                                                                      \
    }
/* Of values that may be lists and maps. */
#define COMPARISON_OF_MEMBERS(sign, function)                                              \
    {                                                                                      \
        sign, false, 2, {&expression_dyn, &expression_dyn}, &expression_bool, 0, function, \
            .compares = true, .walks_values = true                                         \
    }
#define MEMBERSHIP(right, function)                                                             \
    {                                                                                           \
        "@in", false, 2, {&expression_dyn, &expression_##right}, &expression_bool, 0, function, \
            .walks_values = true                                                                \
    }
#define ORDERED(sign, function)                                                         \
    COMPARISON(sign, int, int, function), RELATION(sign, double, double, function),     \
        RELATION(sign, int, double, function), RELATION(sign, double, int, function),   \
        RELATION(sign, string, string, function), RELATION(sign, bool, bool, function), \
        RELATION(sign, duration, duration, function)

static const struct expression_function rows[] = {
    COMPARISON_OF_MEMBERS("_==_", equal),
    COMPARISON_OF_MEMBERS("_!=_", differ),
    ORDERED("_<_", less),
    ORDERED("_<=_", at_most),
    ORDERED("_>_", greater),
    ORDERED("_>=_", at_least),
    MEMBERSHIP(list_of_dyn, in_list),
    MEMBERSHIP(any_bag, in_list),
    {"@in",
     false,
     2,
     {&expression_dyn, &expression_map_of_dyn},
     &expression_bool,
     0,
     in_map,
     .finds_keys = true},
    {"!_", false, 1, {&expression_bool}, &expression_bool, 0, negate},
    {"_[_]",
     false,
     2,
     {&expression_list_of_dyn, &expression_dyn},
     &expression_dyn,
     RESULT_ELEMENT,
     item_of_list},
    {"_[_]",
     false,
     2,
     {&expression_map_of_dyn, &expression_dyn},
     &expression_dyn,
     RESULT_ELEMENT,
     value_of_key,
     .finds_keys = true},
};

const struct expression_functions relation_functions = {rows, sizeof(rows) / sizeof(rows[0])};
