/* SPDX-License-Identifier: Apache-2.0 */
/* The one decoder: document tree to struct, row by row of the schema. */
#include "object/schema.h"

#include "object/time.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mapping_expected(struct reading *reading, const struct path *path, const struct value *value)
{
    if (value->kind == VALUE_MAPPING)
        return true;
    reading_expected(reading, path, value, "a mapping");
    return false;
}

bool sequence_expected(struct reading *reading, const struct path *path, const struct value *value)
{
    if (value->kind == VALUE_SEQUENCE)
        return true;
    reading_expected(reading, path, value, "a list");
    return false;
}

void string_decode(struct reading *reading, const struct path *path, const struct value *value,
                   const char **target)
{
    if (!value_read_string(value, target))
        reading_expected(reading, path, value, "a string");
}

static void field_string(struct reading *reading, const struct path *path,
                         const struct field *field, const struct value *value, const char **target)
{
    string_decode(reading, path, value, target);
    if (*target && !**target && !(field->flags & (FIELD_KEEP_EMPTY | FIELD_NEVER_NULL)))
        *target = NULL;
}

static bool read_boolean(struct reading *reading, const struct path *path,
                         const struct value *value, bool *target)
{
    if (value_read_boolean(value, target))
        return true;
    reading_expected(reading, path, value, "true or false");
    return false;
}

/* The expected range in words: only its lower bound if the upper one is just that of the type. */
static const char *range_text(struct arena *arena, const struct field *field, int64_t number)
{
    const bool bounded = field->high != INT32_MAX && field->high != INT64_MAX;
    if (!bounded && number < field->low)
        return arena_printf(arena, "a number of at least %" PRId64, field->low);
    return arena_printf(arena, "a number from %" PRId64 " to %" PRId64, field->low, field->high);
}

/* A number in the row's range; rows without one take what the API's type takes. */
static bool read_integer(struct reading *reading, const struct path *path,
                         const struct field *field, const struct value *value, int64_t *target)
{
    int64_t number = 0;
    if (!value_read_integer(value, &number)) {
        const bool is_number = value->kind == VALUE_INTEGER || value->kind == VALUE_FLOAT;
        reading_expected(reading, path, value, is_number ? "a whole number" : "a number");
        return false;
    }
    if (number < field->low || number > field->high) {
        reading_expected(reading, path, value, range_text(reading->problems->arena, field, number));
        return false;
    }
    *target = number;
    return true;
}

static void field_number(struct reading *reading, const struct path *path,
                         const struct field *field, const struct value *value, void *target)
{
    int64_t number = 0;
    if (!read_integer(reading, path, field, value, &number))
        return;
    if (field->type == FIELD_TYPE_INT32)
        *(int32_t *)target = (int32_t)number;
    else if (field->type == FIELD_TYPE_INT64)
        *(int64_t *)target = number;
    else
        *(struct optional_int *)target = (struct optional_int){.set = true, .value = number};
}

static void field_tristate(struct reading *reading, const struct path *path,
                           const struct value *value, enum tristate *target)
{
    bool truth = false;
    if (read_boolean(reading, path, value, &truth))
        *target = truth ? TRISTATE_TRUE : TRISTATE_FALSE;
}

static void field_double(struct reading *reading, const struct path *path,
                         const struct value *value, double *target)
{
    if (!value_read_number(value, target))
        reading_expected(reading, path, value, "a number");
}

/* The text that the API server would parse: numbers go through JSON first. */
static bool quantity_text(const struct value *value, char *buffer, size_t size, const char **text)
{
    int64_t whole = 0;
    double number = 0;
    if (value_read_string(value, text))
        return true;
    *text = buffer;
    if (value_read_integer(value, &whole)) {
        snprintf(buffer, size, "%" PRId64, whole);
        return true;
    }
    if (!value_read_number(value, &number))
        return false;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buffer, size, "%.*g", digits, number);
        if (strtod(buffer, NULL) == number)
            break;
    }
    return true;
}

void quantity_decode(struct reading *reading, const struct path *path, const struct value *value,
                     struct quantity *target)
{
    char buffer[40];
    const char *text = NULL;
    const char *why = NULL;
    if (!quantity_text(value, buffer, sizeof(buffer), &text)) {
        reading_expected(reading, path, value, "a quantity such as 500m or 1Gi");
        return;
    }
    if (!quantity_parse(text, target, &why))
        reading_expected(reading, path, value, "a quantity such as 500m or 1Gi");
}

static int compare_resources(const void *left, const void *right)
{
    return strcmp(((const struct resource *)left)->name, ((const struct resource *)right)->name);
}

static void field_resources(struct reading *reading, const struct path *path,
                            const struct value *value, struct resource_list *target)
{
    if (!mapping_expected(reading, path, value) || !value->count)
        return;
    target->count = 0; /* a key that is there twice was complained about already */
    target->items = ARENA_ARRAY(reading->arena, struct resource, value->count);
    VALUE_EACH_MEMBER(value, member)
    {
        if (value_is_null(&member->value))
            continue;
        const struct path entry = path_field(path, member->key);
        struct resource *resource = &target->items[target->count++];
        resource->name = member->key;
        quantity_decode(reading, &entry, &member->value, &resource->quantity);
    }
    qsort(target->items, target->count, sizeof(*target->items), compare_resources);
}

static int compare_labels(const void *left, const void *right)
{
    return strcmp(((const struct label *)left)->key, ((const struct label *)right)->key);
}

static void field_labels(struct reading *reading, const struct path *path,
                         const struct value *value, struct labels *target)
{
    if (!mapping_expected(reading, path, value) || !value->count)
        return;
    target->count = 0;
    target->items = ARENA_ARRAY(reading->arena, struct label, value->count);
    VALUE_EACH_MEMBER(value, member)
    {
        struct label *label = &target->items[target->count];
        *label = (struct label){.key = member->key, .value = ""};
        if (!value_is_null(&member->value)) {
            const struct path entry = path_field(path, member->key);
            string_decode(reading, &entry, &member->value, &label->value);
        }
        target->count++;
    }
    qsort(target->items, target->count, sizeof(*target->items), compare_labels);
}

static void field_strings(struct reading *reading, const struct path *path,
                          const struct value *value, struct string_list *target)
{
    if (!sequence_expected(reading, path, value) || !value->count)
        return;
    target->items = ARENA_ARRAY(reading->arena, const char *, value->count);
    target->count = value->count;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        target->items[i] = "";
        if (!value_is_null(&value->items[i]))
            string_decode(reading, &item, &value->items[i], &target->items[i]);
    }
}

static const char *enum_wanted(struct arena *arena, const struct enum_name *names)
{
    const char *wanted = names[0].name;
    for (uint32_t i = 1; names[i].name; i++)
        wanted =
            arena_printf(arena, "%s%s%s", wanted, names[i + 1].name ? ", " : " or ", names[i].name);
    return wanted;
}

static void field_enum(struct reading *reading, const struct path *path, const struct field *field,
                       const struct value *value, unsigned *target)
{
    const char *text = NULL;
    if (value_read_string(value, &text)) {
        if (!*text && !(field->flags & FIELD_REQUIRED))
            return;
        for (const struct enum_name *row = field->names; row->name; row++) {
            if (strcmp(row->name, text) == 0) {
                *target = (unsigned)row->value;
                return;
            }
        }
    }
    reading_expected(reading, path, value, enum_wanted(reading->problems->arena, field->names));
}

static void field_instant(struct reading *reading, const struct path *path,
                          const struct value *value, int64_t *target)
{
    const char *text = NULL;
    if (!value_read_string(value, &text) || !time_parse(text, target, NULL))
        reading_expected(reading, path, value, "a time such as 2024-03-01T12:00:00Z");
}

static void field_duration(struct reading *reading, const struct path *path,
                           const struct value *value, int64_t *target)
{
    const char *text = NULL;
    if (!value_read_string(value, &text) || !duration_parse(text, target, NULL))
        reading_expected(reading, path, value, "a duration such as 5m30s");
}

/* Digits followed by a percent sign, nothing else: what the API server takes. */
static bool read_percent(const char *text, int64_t *target)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 9 || strcmp(text + digits, "%") != 0)
        return false;
    *target = strtoll(text, NULL, 10);
    return true;
}

static void field_int_or_percent(struct reading *reading, const struct path *path,
                                 const struct value *value, struct int_or_percent *target)
{
    const char *text = NULL;
    int64_t number = 0;
    if (value_read_string(value, &text)) {
        if (read_percent(text, &number)) {
            *target = (struct int_or_percent){.set = true, .percent = true, .value = number};
            return;
        }
    } else if (value_read_integer(value, &number) && number >= 0 && number <= INT32_MAX) {
        *target = (struct int_or_percent){.set = true, .value = number};
        return;
    }
    reading_expected(reading, path, value, "a number of at least 0 or a percentage such as 25%");
}

static void field_list(struct reading *reading, const struct path *path, const struct field *field,
                       const struct value *value, char *base)
{
    if (!sequence_expected(reading, path, value) || !value->count)
        return;
    const size_t size = field->schema->size;
    char *items = arena_allocate(reading->arena, size * value->count);
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        schema_init(field->schema, items + i * size);
        schema_decode(reading, &item, field->schema, &value->items[i], items + i * size);
    }
    *(void **)(base + field->offset) = items;
    *(uint32_t *)(base + field->count_offset) = value->count;
}

static void field_pointer(struct reading *reading, const struct path *path,
                          const struct field *field, const struct value *value, void **target)
{
    *target = schema_new(reading->arena, field->schema);
    schema_decode(reading, path, field->schema, value, *target);
}

static void field_quantity_pointer(struct reading *reading, const struct path *path,
                                   const struct value *value, struct quantity **target)
{
    *target = ARENA_NEW(reading->arena, struct quantity);
    quantity_decode(reading, path, value, *target);
}

void field_decode(struct reading *reading, const struct path *path, const struct field *field,
                  const struct value *value, void *base)
{
    void *target = (char *)base + field->offset;
    switch (field->type) {
    case FIELD_TYPE_STRING: field_string(reading, path, field, value, target); break;
    case FIELD_TYPE_BOOLEAN: read_boolean(reading, path, value, target); break;
    case FIELD_TYPE_TRISTATE: field_tristate(reading, path, value, target); break;
    case FIELD_TYPE_INT32:
    case FIELD_TYPE_INT64:
    case FIELD_TYPE_OPTIONAL_INT: field_number(reading, path, field, value, target); break;
    case FIELD_TYPE_DOUBLE: field_double(reading, path, value, target); break;
    case FIELD_TYPE_QUANTITY: quantity_decode(reading, path, value, target); break;
    case FIELD_TYPE_QUANTITY_POINTER: field_quantity_pointer(reading, path, value, target); break;
    case FIELD_TYPE_RESOURCES: field_resources(reading, path, value, target); break;
    case FIELD_TYPE_LABELS: field_labels(reading, path, value, target); break;
    case FIELD_TYPE_STRINGS: field_strings(reading, path, value, target); break;
    case FIELD_TYPE_ENUM: field_enum(reading, path, field, value, target); break;
    case FIELD_TYPE_INSTANT: field_instant(reading, path, value, target); break;
    case FIELD_TYPE_DURATION: field_duration(reading, path, value, target); break;
    case FIELD_TYPE_INT_OR_PERCENT: field_int_or_percent(reading, path, value, target); break;
    case FIELD_TYPE_STRUCT: schema_decode(reading, path, field->schema, value, target); break;
    case FIELD_TYPE_POINTER: field_pointer(reading, path, field, value, target); break;
    case FIELD_TYPE_LIST: field_list(reading, path, field, value, base); break;
    case FIELD_TYPE_HOOK: field->hook->decode(reading, path, value, base); break;
    case FIELD_TYPE_NOT_MODELLED: reading_warning(reading, path, "%s", field->why); break;
    case FIELD_TYPE_REFUSED: reading_error(reading, path, "%s", field->why); break;
    }
}

/* The row for a name. Members mostly come in the order of the rows, so the
 * search goes on from the last hit; `*next` is where. */
static const struct field *find_field(const struct schema *schema, const char *key, uint32_t *next)
{
    for (uint32_t tried = 0; tried < schema->field_count; tried++) {
        const uint32_t i = *next < schema->field_count ? *next : 0;
        *next = i + 1;
        if (schema->fields[i].name[0] == key[0] && strcmp(schema->fields[i].name, key) == 0)
            return &schema->fields[i];
    }
    return NULL;
}

static bool is_unused_name(const struct schema *schema, const char *key)
{
    for (const char *const *name = schema->unused; name && *name; name++)
        if (strcmp(*name, key) == 0)
            return true;
    return false;
}

static void report_missing(struct reading *reading, const struct path *path,
                           const struct schema *schema, const struct value *value)
{
    for (uint32_t i = 0; i < schema->field_count; i++) {
        const struct field *field = &schema->fields[i];
        if (!(field->flags & FIELD_REQUIRED))
            continue;
        const struct value *given = value_find(value, field->name);
        const struct path required = path_field(path, field->name);
        if (value_is_null(given))
            reading_missing(reading, &required);
        else if (given->count == 0 && given->kind == VALUE_SEQUENCE)
            reading_error(reading, &required, "expected at least one item, found none");
        else if (given->count == 0 && given->kind == VALUE_STRING)
            reading_error(reading, &required, "expected a text, found \"\"");
    }
}

/* Whoever reads objects relies on texts that the API server requires. Without its validation they
 * are "" where they are missing, as they are in the API server's own types. */
static void fill_missing(const struct schema *schema, void *base)
{
    for (uint32_t i = 0; i < schema->field_count; i++) {
        const struct field *field = &schema->fields[i];
        const char **text = (const char **)(void *)((char *)base + field->offset);
        if (field->type == FIELD_TYPE_STRING && field->flags & FIELD_REQUIRED && !*text)
            *text = "";
    }
}

void schema_decode(struct reading *reading, const struct path *path, const struct schema *schema,
                   const struct value *value, void *base)
{
    uint32_t next = 0;
    if (!value_is_null(value)) {
        if (!mapping_expected(reading, path, value))
            return;
        VALUE_EACH_MEMBER(value, member)
        {
            const struct field *field = find_field(schema, member->key, &next);
            if (field && !value_is_null(&member->value)) {
                const struct path child = path_field(path, member->key);
                field_decode(reading, &child, field, &member->value, base);
            } else if (!field && (schema->strict || schema->unused) &&
                       !is_unused_name(schema, member->key)) {
                unknown_field_report(reading, path, schema, value, member);
            }
        }
    }
    if (reading->unvalidated)
        fill_missing(schema, base);
    else
        report_missing(reading, path, schema, value);
}
