/* SPDX-License-Identifier: Apache-2.0 */
/* CEL's library of sets: lists whose order and repetitions do not matter. */
#include "expression/expression_function.h"

static bool has(const struct expression_list *list, struct expression_value value)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (expression_equal(list->items[i], value))
            return true;
    return false;
}

/* How many items of the second list the first one has. */
static uint32_t common(const struct expression_list *list, const struct expression_list *of)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < of->count; i++)
        count += has(list, of->items[i]);
    return count;
}

/* Alike elements of a cluster cannot be told apart. Each item is compared with each other one. */
static bool are_sets(struct arena *arena, const struct expression_value *of, uint64_t *work_left,
                     struct expression_value *error)
{
    const uint64_t weight = expression_weight(of[0], *work_left);
    const uint64_t work = weight * expression_weight(of[1], *work_left / weight + 1);
    *work_left -= work < *work_left ? work : *work_left;
    if (expression_is_opaque(of[0]) || expression_is_opaque(of[1]))
        *error =
            expression_error(arena, "objects and bags cannot be compared; compare their fields");
    else if (*work_left > 0)
        return true;
    else
        *error = expression_absent();
    return false;
}

static struct expression_value contains(struct arena *arena, const struct expression_value *of,
                                        uint64_t *work_left)
{
    struct expression_value error = expression_absent();
    return are_sets(arena, of, work_left, &error)
               ? expression_of_bool(common(of[0].list, of[1].list) == of[1].list->count)
               : error;
}

static struct expression_value equivalent(struct arena *arena, const struct expression_value *of,
                                          uint64_t *work_left)
{
    struct expression_value error = expression_absent();
    return are_sets(arena, of, work_left, &error)
               ? expression_of_bool(common(of[0].list, of[1].list) == of[1].list->count &&
                                    common(of[1].list, of[0].list) == of[0].list->count)
               : error;
}

static struct expression_value intersects(struct arena *arena, const struct expression_value *of,
                                          uint64_t *work_left)
{
    struct expression_value error = expression_absent();
    return are_sets(arena, of, work_left, &error)
               ? expression_of_bool(common(of[0].list, of[1].list) > 0)
               : error;
}

#define LIST &expression_list_of_dyn
#define SETS(name, function)                                                       \
    {                                                                              \
        "sets." name, false, 2, {LIST, LIST}, &expression_bool, .search = function \
    }

static const struct expression_function rows[] = {
    SETS("contains", contains),
    SETS("equivalent", equivalent),
    SETS("intersects", intersects),
};

const struct expression_functions set_functions = {rows, sizeof(rows) / sizeof(rows[0])};
