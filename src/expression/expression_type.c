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
    expression_map_of_dyn = {.kind = EXPRESSION_MAP,
                             .element = &expression_dyn,
                             .key = &expression_dyn},
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

const struct expression_type *expression_type_key(const struct expression_type *map)
{
    return map->key ? map->key : &expression_string;
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
    const char *element = expression_type_text(arena, type->element);
    if (type->kind != EXPRESSION_MAP)
        return arena_printf(arena, "%s(%s)", names[type->kind], element);
    return arena_printf(arena, "map(%s, %s)",
                        expression_type_text(arena, expression_type_key(type)), element);
}

bool expression_type_fits(const struct expression_type *wanted, const struct expression_type *found)
{
    if (wanted->kind == EXPRESSION_DYN || found->kind == EXPRESSION_DYN)
        return true;
    if (wanted->kind != found->kind || wanted->class != found->class)
        return false;
    if (wanted->kind == EXPRESSION_MAP &&
        !expression_type_fits(expression_type_key(wanted), expression_type_key(found)))
        return false;
    return wanted->element == NULL || expression_type_fits(wanted->element, found->element);
}

static bool list_has_type(const struct expression_list *list, const struct expression_type *type)
{
    if (list->bag != (type->kind == EXPRESSION_BAG))
        return false;
    for (uint32_t i = 0; type->element->kind != EXPRESSION_DYN && i < list->count; i++)
        if (!expression_type_has(type->element, list->items[i]))
            return false;
    return true;
}

static bool map_has_type(const struct expression_map *map, const struct expression_type *type)
{
    if (type->element->kind == EXPRESSION_DYN && expression_type_key(type)->kind == EXPRESSION_DYN)
        return true;
    for (uint32_t i = 0; i < expression_map_size(map); i++) {
        const struct expression_value key = expression_map_key(map, i);
        struct expression_value value;
        if (!expression_type_has(expression_type_key(type), key) ||
            !expression_map_find(map, key, &value) || !expression_type_has(type->element, value))
            return false;
    }
    return true;
}

bool expression_type_has(const struct expression_type *type, struct expression_value value)
{
    static const enum expression_tag tags[] = {
        [EXPRESSION_NULL] = VALUE_IS_NULL,         [EXPRESSION_BOOL] = VALUE_IS_BOOL,
        [EXPRESSION_INT] = VALUE_IS_INT,           [EXPRESSION_DOUBLE] = VALUE_IS_DOUBLE,
        [EXPRESSION_STRING] = VALUE_IS_STRING,     [EXPRESSION_DURATION] = VALUE_IS_DURATION,
        [EXPRESSION_QUANTITY] = VALUE_IS_QUANTITY, [EXPRESSION_LIST] = VALUE_IS_LIST,
        [EXPRESSION_BAG] = VALUE_IS_LIST,          [EXPRESSION_MAP] = VALUE_IS_MAP,
        [EXPRESSION_OBJECT] = VALUE_IS_OBJECT,
    };
    if (type->kind == EXPRESSION_DYN)
        return value.tag != VALUE_IS_ERROR;
    if (value.tag != tags[type->kind])
        return false;
    if (value.tag == VALUE_IS_LIST)
        return list_has_type(value.list, type);
    if (value.tag == VALUE_IS_MAP)
        return map_has_type(value.map, type);
    return value.tag != VALUE_IS_OBJECT || value.object.class == type->class;
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
    if (left->kind == EXPRESSION_MAP)
        joined->key =
            expression_type_join(arena, expression_type_key(left), expression_type_key(right));
    return joined;
}
