/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one encoder: struct to JSON in Kubernetes' words.
 *
 * What is absent is left out, and so are mappings that turn out to have nothing
 * in them, unless the struct says by a pointer that they were there: `{}` and
 * nothing are different selectors.
 */
#include "object/schema.h"

#include "object/time.h"

/* Numbers are left out only where leaving them out means the same. */
static void encode_integer(struct json_out *json, const struct field *field, int64_t value)
{
    if (value != 0 || field->fallback != 0 || (field->flags & FIELD_REQUIRED))
        json_integer(json, field->name, value);
}

static void encode_enum(struct json_out *json, const struct field *field, unsigned value)
{
    for (const struct enum_name *row = field->names; row->name; row++) {
        if ((unsigned)row->value == value) {
            json_string(json, field->name, row->name);
            return;
        }
    }
}

static void encode_string(struct json_out *json, const struct field *field, const char *value)
{
    if (value && (*value || field->flags & FIELD_KEEP_EMPTY ||
                  !(field->flags & (FIELD_NEVER_NULL | FIELD_REQUIRED))))
        json_string(json, field->name, value);
}

static void encode_resources(struct arena *scratch, struct json_out *json, const char *key,
                             const struct resource_list *list)
{
    if (!list->count)
        return;
    json_object_begin(json, key);
    for (uint32_t i = 0; i < list->count; i++)
        json_string(json, list->items[i].name,
                    quantity_format_text(scratch, list->items[i].quantity));
    json_object_end(json);
}

static void encode_labels(struct json_out *json, const char *key, const struct labels *labels)
{
    if (!labels->count)
        return;
    json_object_begin(json, key);
    for (uint32_t i = 0; i < labels->count; i++)
        json_string(json, labels->items[i].key, labels->items[i].value);
    json_object_end(json);
}

static void encode_strings(struct json_out *json, const char *key, const struct string_list *list)
{
    if (!list->count)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < list->count; i++)
        json_string(json, NULL, list->items[i]);
    json_array_end(json);
}

static void encode_int_or_percent(struct arena *scratch, struct json_out *json, const char *key,
                                  struct int_or_percent value)
{
    if (!value.set)
        return;
    if (value.percent)
        json_string(json, key, arena_printf(scratch, "%lld%%", (long long)value.value));
    else
        json_integer(json, key, value.value);
}

/* A mapping that is dropped again if nothing was written into it. */
static void encode_struct(struct arena *scratch, struct json_out *json, const struct field *field,
                          const void *base)
{
    const struct json_out before = *json;
    const size_t length = json->text->length;
    json_object_begin(json, field->name);
    schema_encode_fields(scratch, json, field->schema, base);
    if (json->filled[json->depth]) {
        json_object_end(json);
        return;
    }
    *json = before;
    json->text->length = length;
    json->text->content[length] = '\0';
}

static void encode_list(struct arena *scratch, struct json_out *json, const struct field *field,
                        const char *base)
{
    const char *items = *(const char *const *)(base + field->offset);
    const uint32_t count = *(const uint32_t *)(base + field->count_offset);
    if (!count)
        return;
    json_array_begin(json, field->name);
    for (uint32_t i = 0; i < count; i++)
        schema_encode(scratch, json, NULL, field->schema, items + i * field->schema->size);
    json_array_end(json);
}

static void encode_instant(struct arena *scratch, struct json_out *json, const char *key,
                           int64_t value)
{
    if (value != TIME_NONE)
        json_string(json, key, time_format(scratch, value));
}

static void encode_duration(struct arena *scratch, struct json_out *json, const struct field *field,
                            int64_t value)
{
    if (value != 0 || field->fallback != 0)
        json_string(json, field->name, duration_format(scratch, value));
}

static void encode_optional_int(struct json_out *json, const char *key, struct optional_int value)
{
    if (value.set)
        json_integer(json, key, value.value);
}

static void encode_boolean(struct json_out *json, const struct field *field, bool value)
{
    if (value || field->fallback)
        json_boolean(json, field->name, value);
}

static void encode_tristate(struct json_out *json, const char *key, enum tristate value)
{
    if (value != TRISTATE_UNSET)
        json_boolean(json, key, value == TRISTATE_TRUE);
}

static void encode_quantity(struct arena *scratch, struct json_out *json, const char *key,
                            const struct quantity *value)
{
    if (value)
        json_string(json, key, quantity_format_text(scratch, *value));
}

static void encode_field(struct arena *scratch, struct json_out *json, const struct field *field,
                         const char *base)
{
    const char *key = field->name;
    const void *source = base + field->offset;
    switch (field->type) {
    case FIELD_TYPE_STRING: encode_string(json, field, *(const char *const *)source); break;
    case FIELD_TYPE_BOOLEAN: encode_boolean(json, field, *(const bool *)source); break;
    case FIELD_TYPE_TRISTATE: encode_tristate(json, key, *(const enum tristate *)source); break;
    case FIELD_TYPE_INT32: encode_integer(json, field, *(const int32_t *)source); break;
    case FIELD_TYPE_INT64: encode_integer(json, field, *(const int64_t *)source); break;
    case FIELD_TYPE_OPTIONAL_INT:
        encode_optional_int(json, key, *(const struct optional_int *)source);
        break;
    case FIELD_TYPE_DOUBLE: json_number(json, key, *(const double *)source); break;
    case FIELD_TYPE_QUANTITY: encode_quantity(scratch, json, key, source); break;
    case FIELD_TYPE_QUANTITY_POINTER:
        encode_quantity(scratch, json, key, *(const struct quantity *const *)source);
        break;
    case FIELD_TYPE_RESOURCES: encode_resources(scratch, json, key, source); break;
    case FIELD_TYPE_LABELS: encode_labels(json, key, source); break;
    case FIELD_TYPE_STRINGS: encode_strings(json, key, source); break;
    case FIELD_TYPE_ENUM: encode_enum(json, field, *(const unsigned *)source); break;
    case FIELD_TYPE_INSTANT: encode_instant(scratch, json, key, *(const int64_t *)source); break;
    case FIELD_TYPE_DURATION:
        encode_duration(scratch, json, field, *(const int64_t *)source);
        break;
    case FIELD_TYPE_INT_OR_PERCENT:
        encode_int_or_percent(scratch, json, key, *(const struct int_or_percent *)source);
        break;
    case FIELD_TYPE_STRUCT: encode_struct(scratch, json, field, source); break;
    case FIELD_TYPE_POINTER:
        if (*(const void *const *)source)
            schema_encode(scratch, json, key, field->schema, *(const void *const *)source);
        break;
    case FIELD_TYPE_LIST: encode_list(scratch, json, field, base); break;
    case FIELD_TYPE_HOOK: field->hook->encode(scratch, json, key, base); break;
    case FIELD_TYPE_NOT_MODELLED:
    case FIELD_TYPE_REFUSED: break;
    }
}

void schema_encode_fields(struct arena *scratch, struct json_out *json, const struct schema *schema,
                          const void *base)
{
    for (uint32_t i = 0; i < schema->field_count; i++)
        encode_field(scratch, json, &schema->fields[i], base);
}

void schema_encode(struct arena *scratch, struct json_out *json, const char *key,
                   const struct schema *schema, const void *base)
{
    json_object_begin(json, key);
    schema_encode_fields(scratch, json, schema, base);
    json_object_end(json);
}

void encode_nothing(struct arena *scratch, struct json_out *json, const char *key, const void *base)
{
    (void)scratch;
    (void)json;
    (void)key;
    (void)base;
}
