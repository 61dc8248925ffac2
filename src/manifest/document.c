/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest/document.h"

#include "base/text.h"
#include "base/utf8.h"
#include "manifest/scalar.h"

#include <assert.h>
#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct value) == 32, "values are many");

struct place value_place(const struct value *value)
{
    return (struct place){.file = value->file, .line = value->line, .column = value->column};
}

struct place member_place(const struct value *mapping, const struct member *member)
{
    return (struct place){
        .file = mapping->file, .line = member->key_line, .column = member->key_column};
}

const struct member *value_find_member(const struct value *mapping, const char *key)
{
    if (!mapping || mapping->kind != VALUE_MAPPING)
        return NULL;
    VALUE_EACH_MEMBER(mapping, member)
    if (strcmp(member->key, key) == 0)
        return member;
    return NULL;
}

const struct value *value_find(const struct value *mapping, const char *key)
{
    const struct member *member = value_find_member(mapping, key);
    return member ? &member->value : NULL;
}

const char *value_find_string(const struct value *mapping, const char *key)
{
    const struct value *value = value_find(mapping, key);
    return value && value->kind == VALUE_STRING ? value->text : NULL;
}

bool value_read_boolean(const struct value *value, bool *result)
{
    if (!value || value->kind != VALUE_BOOLEAN)
        return false;
    *result = value->truth;
    return true;
}

static bool integer_of_float(double number, int64_t *result)
{
    /* 2^63 is the first double that is too large. */
    const double beyond = 9223372036854775808.0;
    if (number != trunc(number) || number < -beyond || number >= beyond)
        return false;
    *result = (int64_t)number;
    return true;
}

bool value_read_integer(const struct value *value, int64_t *result)
{
    if (!value || (value->kind != VALUE_INTEGER && value->kind != VALUE_FLOAT))
        return false;
    const struct scalar_number number = scalar_number(value->text, value->count);
    if (!number.is_integer)
        return integer_of_float(number.approximate, result);
    if (number.magnitude > (uint64_t)INT64_MAX + number.negative)
        return false;
    *result = number.negative ? (int64_t)(0 - number.magnitude) : (int64_t)number.magnitude;
    return true;
}

bool value_read_number(const struct value *value, double *result)
{
    if (!value || (value->kind != VALUE_INTEGER && value->kind != VALUE_FLOAT))
        return false;
    *result = scalar_number(value->text, value->count).approximate;
    return true;
}

bool value_read_string(const struct value *value, const char **result)
{
    if (!value || value->kind != VALUE_STRING)
        return false;
    *result = value->text;
    return true;
}

const char *value_kind_name(enum value_kind kind)
{
    switch (kind) {
    case VALUE_NULL: return "null";
    case VALUE_BOOLEAN: return "a boolean";
    case VALUE_INTEGER:
    case VALUE_FLOAT: return "a number";
    case VALUE_STRING: return "a string";
    case VALUE_SEQUENCE: return "a list";
    case VALUE_MAPPING: return "a mapping";
    }
    bug("value of kind %d", (int)kind);
}

/* Long enough to recognise the text, short enough for one line. */
enum { DESCRIBED_CHARACTERS_MOST = 40 };

static const char *describe_string(struct arena *arena, const char *bytes, size_t length)
{
    size_t shown = 0;
    for (int i = 0; i < DESCRIBED_CHARACTERS_MOST && shown < length; i++)
        shown += utf8_length(bytes + shown, length - shown);
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    json_string_of(&json, NULL, bytes, shown);
    const char *described =
        arena_printf(arena, "%s%s", text_content(&text), shown < length ? "..." : "");
    text_release(&text);
    return described;
}

const char *value_describe(struct arena *arena, const struct value *value)
{
    switch ((enum value_kind)value->kind) {
    case VALUE_STRING: return describe_string(arena, value->text, value->count);
    case VALUE_BOOLEAN: return value->truth ? "true" : "false";
    case VALUE_INTEGER:
    case VALUE_FLOAT:
        return arena_printf(arena, "%.*s%s", DESCRIBED_CHARACTERS_MOST, value->text,
                            value->count > DESCRIBED_CHARACTERS_MOST ? "..." : "");
    case VALUE_NULL:
    case VALUE_SEQUENCE:
    case VALUE_MAPPING: break;
    }
    return value_kind_name(value->kind);
}

void value_expected(struct problems *problems, const struct value *value, const char *path,
                    const char *wanted)
{
    problem_error(problems, value_place(value), path, "expected %s, found %s", wanted,
                  value_describe(problems->arena, value));
}

static bool numbers_equal(const struct value *left, const struct value *right)
{
    const struct scalar_number a = scalar_number(left->text, left->count);
    const struct scalar_number b = scalar_number(right->text, right->count);
    if (a.is_integer && b.is_integer)
        return a.negative == b.negative && a.magnitude == b.magnitude;
    return a.approximate == b.approximate;
}

static bool members_equal(const struct value *left, const struct value *right)
{
    for (uint32_t i = 0; i < left->count; i++)
        if (strcmp(left->members[i].key, right->members[i].key) != 0 ||
            !value_equal(&left->members[i].value, &right->members[i].value))
            return false;
    return true;
}

static bool items_equal(const struct value *left, const struct value *right)
{
    for (uint32_t i = 0; i < left->count; i++)
        if (!value_equal(&left->items[i], &right->items[i]))
            return false;
    return true;
}

static bool is_number(const struct value *value)
{
    return value->kind == VALUE_INTEGER || value->kind == VALUE_FLOAT;
}

bool value_equal(const struct value *left, const struct value *right)
{
    if (is_number(left) && is_number(right))
        return numbers_equal(left, right);
    if (left->kind != right->kind)
        return false;
    if (left->kind == VALUE_NULL)
        return true;
    if (left->kind == VALUE_BOOLEAN)
        return left->truth == right->truth;
    if (left->count != right->count)
        return false;
    if (left->kind == VALUE_STRING)
        return memcmp(left->text, right->text, left->count) == 0;
    return left->kind == VALUE_MAPPING ? members_equal(left, right) : items_equal(left, right);
}

static void write_number(struct json_out *json, const char *key, const struct value *value)
{
    const struct scalar_number number = scalar_number(value->text, value->count);
    if (!number.is_integer)
        json_number(json, key, number.approximate);
    else if (number.negative)
        json_integer(json, key, (int64_t)(0 - number.magnitude));
    else
        json_unsigned(json, key, number.magnitude);
}

void value_write_json(struct json_out *json, const char *key, const struct value *value)
{
    switch ((enum value_kind)value->kind) {
    case VALUE_NULL: json_null(json, key); break;
    case VALUE_BOOLEAN: json_boolean(json, key, value->truth); break;
    case VALUE_INTEGER:
    case VALUE_FLOAT: write_number(json, key, value); break;
    case VALUE_STRING: json_string_of(json, key, value->text, value->count); break;
    case VALUE_SEQUENCE:
        json_array_begin(json, key);
        VALUE_EACH_ITEM(value, item)
        value_write_json(json, NULL, item);
        json_array_end(json);
        break;
    case VALUE_MAPPING:
        json_object_begin(json, key);
        VALUE_EACH_MEMBER(value, member)
        value_write_json(json, member->key, &member->value);
        json_object_end(json);
        break;
    }
}
