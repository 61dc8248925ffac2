/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/expression_value.h"

#include "base/saturating.h"
#include "base/text.h"
#include "expression/expression_type.h"
#include "expression/number_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES_MOST = 200 };

/* ---- making values ---- */

struct expression_value expression_of_quantity(struct arena *arena, struct quantity quantity)
{
    return (struct expression_value){.tag = VALUE_IS_QUANTITY,
                                     .quantity = arena_copy(arena, &quantity, sizeof(quantity))};
}

struct expression_value expression_of_labels(struct arena *arena, const struct labels *labels)
{
    struct expression_map *map = ARENA_NEW(arena, struct expression_map);
    map->labels = labels;
    return (struct expression_value){.tag = VALUE_IS_MAP, .map = map};
}

struct expression_value expression_of_list(struct arena *arena,
                                           const struct expression_value *items, uint32_t count)
{
    struct expression_list *list =
        arena_allocate_raw(arena, sizeof(*list), _Alignof(struct expression_list));
    *list = (struct expression_list){.items = items, .count = count};
    return (struct expression_value){.tag = VALUE_IS_LIST, .list = list};
}

struct expression_value expression_of_counted_bag(struct arena *arena,
                                                  const struct expression_list *bag)
{
    return (struct expression_value){.tag = VALUE_IS_LIST,
                                     .list = arena_copy(arena, bag, sizeof(*bag))};
}

struct expression_value expression_error(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct expression_value value = {.tag = VALUE_IS_ERROR,
                                     .text = arena_vprintf(arena, format, arguments)};
    va_end(arguments);
    return value;
}

/* ---- lists and maps ---- */

uint64_t expression_weight(struct expression_value value, uint64_t most)
{
    uint64_t weight = 1;
    if (value.tag == VALUE_IS_LIST)
        for (uint32_t i = 0; i < value.list->count && weight <= most; i++)
            weight += expression_weight(value.list->items[i], most);
    if (value.tag == VALUE_IS_MAP && !value.map->labels)
        for (uint32_t i = 0; i < value.map->count && weight <= most; i++)
            weight += 1 + expression_weight(value.map->values[i], most);
    return weight;
}

uint64_t expression_list_size(const struct expression_list *list)
{
    uint64_t size = 0;
    if (!list->counts && !list->counting)
        return list->count;
    for (uint32_t i = 0; i < list->count; i++)
        if (__builtin_add_overflow(size, expression_count_read(list, i, false), &size))
            return UINT64_MAX;
    return size;
}

uint32_t expression_map_size(const struct expression_map *map)
{
    return map->labels ? map->labels->count : map->count;
}

struct expression_value expression_map_key(const struct expression_map *map, uint32_t index)
{
    return map->labels ? expression_of_string(map->labels->items[index].key) : map->keys[index];
}

static struct expression_value map_value(const struct expression_map *map, uint32_t index)
{
    return map->labels ? expression_of_string(map->labels->items[index].value) : map->values[index];
}

/* Keys that a map is walked over by are found again without a look at their letters. Gives the
 * place behind the last one if there is none. */
static inline uint32_t find_same_text(const struct expression_map *map, struct expression_value key)
{
    const uint32_t end = map->count + map->alias_count;
    uint32_t at = key.tag == VALUE_IS_STRING ? 0 : end;
    while (at < end && (map->keys[at].tag != VALUE_IS_STRING || map->keys[at].text != key.text))
        at++;
    return at;
}

bool expression_map_find(const struct expression_map *map, struct expression_value key,
                         struct expression_value *found)
{
    if (map->labels) {
        const char *value = key.tag == VALUE_IS_STRING ? labels_find(map->labels, key.text) : NULL;
        *found = expression_of_string(value);
        return value != NULL;
    }
    uint32_t at = find_same_text(map, key);
    const uint32_t end = map->count + map->alias_count;
    if (at == end)
        for (at = 0; at < end && !expression_equal(map->keys[at], key);)
            at++;
    if (at == end)
        return false;
    *found = map->values[at];
    return true;
}

/* ---- equality and order ---- */

static enum expression_order reversed(enum expression_order order)
{
    return order == ORDER_LESS ? ORDER_GREATER : order == ORDER_GREATER ? ORDER_LESS : order;
}

static enum expression_order order_of(int sign)
{
    return sign < 0 ? ORDER_LESS : sign > 0 ? ORDER_GREATER : ORDER_EQUAL;
}

static enum expression_order compare_doubles(double left, double right)
{
    if (isnan(left) || isnan(right))
        return ORDER_NONE;
    return order_of((left > right) - (left < right));
}

/* A whole number is compared with a double as a double, although that may round it: CEL does. */
static enum expression_order compare_mixed(int64_t whole, double number)
{
    return compare_doubles((double)whole, number);
}

enum expression_order expression_compare(struct expression_value left,
                                         struct expression_value right)
{
    if (left.tag == VALUE_IS_INT && right.tag == VALUE_IS_DOUBLE)
        return compare_mixed(left.integer, right.number);
    if (left.tag == VALUE_IS_DOUBLE && right.tag == VALUE_IS_INT)
        return reversed(compare_mixed(right.integer, left.number));
    if (left.tag != right.tag)
        return ORDER_NONE;
    switch (left.tag) {
    case VALUE_IS_BOOL: return order_of((int)left.truth - (int)right.truth);
    case VALUE_IS_INT:
    case VALUE_IS_DURATION:
        return order_of((left.integer > right.integer) - (left.integer < right.integer));
    case VALUE_IS_DOUBLE: return compare_doubles(left.number, right.number);
    /* Bytes of UTF-8 are in the order of the characters. */
    case VALUE_IS_STRING: return order_of(strcmp(left.text, right.text));
    case VALUE_IS_QUANTITY: return order_of(quantity_compare(*left.quantity, *right.quantity));
    default: return ORDER_NONE;
    }
}

bool expression_is_opaque(struct expression_value value)
{
    if (value.tag == VALUE_IS_OBJECT || (value.tag == VALUE_IS_LIST && value.list->bag))
        return true;
    for (uint32_t i = 0; value.tag == VALUE_IS_LIST && i < value.list->count; i++)
        if (expression_is_opaque(value.list->items[i]))
            return true;
    for (uint32_t i = 0; value.tag == VALUE_IS_MAP && !value.map->labels && i < value.map->count;
         i++)
        if (expression_is_opaque(value.map->values[i]))
            return true;
    return false;
}

static bool lists_equal(const struct expression_list *left, const struct expression_list *right)
{
    if (left->count != right->count)
        return false;
    for (uint32_t i = 0; i < left->count; i++)
        if (!expression_equal(left->items[i], right->items[i]))
            return false;
    return true;
}

static bool maps_equal(const struct expression_map *left, const struct expression_map *right)
{
    if (expression_map_size(left) != expression_map_size(right))
        return false;
    for (uint32_t i = 0; i < expression_map_size(left); i++) {
        struct expression_value found;
        if (!expression_map_find(right, expression_map_key(left, i), &found) ||
            !expression_equal(map_value(left, i), found))
            return false;
    }
    return true;
}

bool expression_equal(struct expression_value left, struct expression_value right)
{
    if (left.tag == VALUE_IS_NULL || right.tag == VALUE_IS_NULL)
        return left.tag == right.tag;
    if (left.tag == VALUE_IS_LIST && right.tag == VALUE_IS_LIST)
        return lists_equal(left.list, right.list);
    if (left.tag == VALUE_IS_MAP && right.tag == VALUE_IS_MAP)
        return maps_equal(left.map, right.map);
    return expression_compare(left, right) == ORDER_EQUAL;
}

/* ---- words ---- */

static void append_value(struct text *text, struct expression_value value, size_t most);

/* The mark of what is left out: from so many bytes on nothing more is told. */
static bool is_enough(struct text *text, size_t most)
{
    if (text->length < most)
        return false;
    text_append_string(text, "...");
    return true;
}

static void append_list(struct text *text, const struct expression_list *list, size_t most)
{
    text_append_char(text, '[');
    for (uint32_t i = 0; i < list->count; i++) {
        text_append_string(text, i ? ", " : "");
        if (is_enough(text, most))
            break;
        append_value(text, list->items[i], most);
        if (expression_count_read(list, i, false) > 1)
            text_printf(text, " (%" PRIu64 " times)", expression_count_of(list, i));
    }
    text_append_char(text, ']');
}

static void append_map(struct text *text, const struct expression_map *map, size_t most)
{
    text_append_char(text, '{');
    for (uint32_t i = 0; i < expression_map_size(map); i++) {
        text_append_string(text, i ? ", " : "");
        if (is_enough(text, most))
            break;
        append_value(text, expression_map_key(map, i), most);
        text_append_string(text, ": ");
        append_value(text, map_value(map, i), most);
    }
    text_append_char(text, '}');
}

static void append_escaped(struct text *text, const char *content)
{
    static const char escaped[] = "\a\b\f\n\r\t\v\\'";
    static const char letters[] = "abfnrtv\\'";
    for (const char *at = content; *at; at++) {
        const char *found = strchr(escaped, *at);
        if (found)
            text_append_char(text, '\\');
        text_append_char(text, found ? letters[found - escaped] : *at);
    }
}

/* A whole number has a point, so that nobody takes it for an int. */
static void append_double(struct text *text, const char *digits)
{
    const bool is_special = strpbrk(digits, "IN") != NULL;
    text_printf(text, is_special ? "double('%s')" : "%s", digits);
    text_append_string(text, is_special || strpbrk(digits, ".e") ? "" : ".0");
}

/* Numbers that are written by functions of arenas. */
static void append_number(struct text *text, struct expression_value value)
{
    struct arena arena;
    arena_init(&arena, text->memory);
    if (value.tag == VALUE_IS_DOUBLE)
        append_double(text, number_text(&arena, value.number));
    else if (value.tag == VALUE_IS_DURATION)
        text_printf(text, "duration('%s')", number_text_of_duration(&arena, value.integer));
    else
        text_printf(text, "quantity('%s')", quantity_format_text(&arena, *value.quantity));
    arena_release(&arena);
}

static void append_string(struct text *text, const char *content)
{
    text_append_char(text, '\'');
    append_escaped(text, content);
    text_append_char(text, '\'');
}

static void append_value(struct text *text, struct expression_value value, size_t most)
{
    switch (value.tag) {
    case VALUE_IS_ERROR: text_printf(text, "error: %s", value.text); break;
    case VALUE_IS_NULL: text_append_string(text, "null"); break;
    case VALUE_IS_BOOL: text_append_string(text, value.truth ? "true" : "false"); break;
    case VALUE_IS_INT: text_printf(text, "%" PRId64, value.integer); break;
    case VALUE_IS_STRING: append_string(text, value.text); break;
    case VALUE_IS_DOUBLE:
    case VALUE_IS_DURATION:
    case VALUE_IS_QUANTITY: append_number(text, value); break;
    case VALUE_IS_LIST: append_list(text, value.list, most); break;
    case VALUE_IS_MAP: append_map(text, value.map, most); break;
    case VALUE_IS_OBJECT: text_printf(text, "a %s", value.object.class->name); break;
    }
}

static const char *text_up_to(struct arena *arena, struct expression_value value, size_t most)
{
    struct text text;
    text_init(&text, arena->memory);
    append_value(&text, value, most);
    return text_keep(&text, arena);
}

const char *expression_value_text(struct arena *arena, struct expression_value value)
{
    return text_up_to(arena, value, TEXT_BYTES_MOST);
}

const char *expression_value_whole_text(struct arena *arena, struct expression_value value)
{
    return text_up_to(arena, value, SIZE_MAX);
}
