/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/expression_type.h"

#include <string.h>

const struct expression_type
    expression_dyn = {.kind = EXPRESSION_DYN},
    expression_null = {.kind = EXPRESSION_NULL}, expression_bool = {.kind = EXPRESSION_BOOL},
    expression_int = {.kind = EXPRESSION_INT}, expression_double = {.kind = EXPRESSION_DOUBLE},
    expression_string = {.kind = EXPRESSION_STRING},
    expression_duration = {.kind = EXPRESSION_DURATION},
    expression_quantity = {.kind = EXPRESSION_QUANTITY},
    expression_list_of_dyn = {.kind = EXPRESSION_LIST, .element = &expression_dyn},
    expression_list_of_int = {.kind = EXPRESSION_LIST, .element = &expression_int},
    expression_list_of_string = {.kind = EXPRESSION_LIST, .element = &expression_string},
    expression_map_of_dyn = {.kind = EXPRESSION_MAP, .element = &expression_dyn},
    expression_map_of_string = {.kind = EXPRESSION_MAP, .element = &expression_string},
    expression_any_bag = {.kind = EXPRESSION_BAG, .element = &expression_dyn};

const struct expression_field *expression_class_find(const struct expression_class *class,
                                                     const char *name)
{
    for (uint32_t i = 0; i < class->field_count; i++)
        if (strcmp(class->fields[i].name, name) == 0)
            return &class->fields[i];
    return NULL;
}

const char *expression_type_text(struct arena *arena, const struct expression_type *type)
{
    static const char *const names[] = {
        [EXPRESSION_DYN] = "dyn",           [EXPRESSION_NULL] = "null_type",
        [EXPRESSION_BOOL] = "bool",         [EXPRESSION_INT] = "int",
        [EXPRESSION_DOUBLE] = "double",     [EXPRESSION_STRING] = "string",
        [EXPRESSION_DURATION] = "duration", [EXPRESSION_QUANTITY] = "quantity",
        [EXPRESSION_LIST] = "list",         [EXPRESSION_BAG] = "bag",
        [EXPRESSION_MAP] = "map",
    };
    if (type->kind == EXPRESSION_OBJECT)
        return type->class->name;
    if (type->element == NULL)
        return names[type->kind];
    return arena_printf(arena, "%s(%s)", names[type->kind],
                        expression_type_text(arena, type->element));
}

bool expression_type_fits(const struct expression_type *wanted, const struct expression_type *found)
{
    if (wanted->kind == EXPRESSION_DYN || found->kind == EXPRESSION_DYN)
        return true;
    if (wanted->kind != found->kind || wanted->class != found->class)
        return false;
    return wanted->element == NULL || expression_type_fits(wanted->element, found->element);
}

const struct expression_type *expression_type_join(struct arena *arena,
                                                   const struct expression_type *left,
                                                   const struct expression_type *right)
{
    if (left == right || left->kind == EXPRESSION_DYN)
        return left;
    if (left->kind != right->kind || left->class != right->class)
        return &expression_dyn;
    if (left->element == NULL)
        return left;
    struct expression_type *joined = ARENA_NEW(arena, struct expression_type);
    joined->kind = left->kind;
    joined->element = expression_type_join(arena, left->element, right->element);
    return joined;
}
