/* SPDX-License-Identifier: Apache-2.0 */
#include "object/check_values.h"

#include "object/kind_names.h"

static const struct field range_fields[] = {
    FIELD_INT32("max", count_range, max, 0, 0, INT32_MAX, 0),
    FIELD_INT32("min", count_range, min, 0, 0, INT32_MAX, 0),
};
static const struct schema range_schema = SCHEMA_STRICT(count_range, range_fields);

void count_range_decode(struct reading *reading, const struct path *path, const struct value *value,
                        bool may_be_open, struct count_range *target)
{
    const struct path most = path_field(path, "max");
    int64_t number;
    struct count_range range = {.given = true};
    if (value->kind == VALUE_MAPPING) {
        schema_decode(reading, path, &range_schema, value, &range);
        range.open = !value_find(value, "max");
        if (range.open && !may_be_open)
            reading_missing(reading, &most);
        else if (!range.open && range.min > range.max)
            reading_error(reading, path, "expected min to be at most max, found %d and %d",
                          range.min, range.max);
    } else if (value_read_integer(value, &number) && number >= 0 && number <= INT32_MAX) {
        range.min = range.max = (int32_t)number;
    } else {
        reading_expected(reading, path, value, "a number of at least 0 or {min, max}");
        return;
    }
    *target = range;
}

void count_range_encode(struct json_out *json, const char *key, struct count_range range)
{
    if (!range.given)
        return;
    if (range.min == range.max && !range.open) {
        json_integer(json, key, range.min);
        return;
    }
    json_object_begin(json, key);
    if (!range.open)
        json_integer(json, "max", range.max);
    json_integer(json, "min", range.min);
    json_object_end(json);
}

void object_name_decode(struct reading *reading, const struct path *path, const struct value *value,
                        struct object_name *target)
{
    const char *text = NULL;
    struct object_name name;
    if (!value_read_string(value, &text) || !object_name_parse(reading->arena, text, &name)) {
        reading_expected(reading, path, value, "a name such as Deployment/default/web");
        return;
    }
    if (kind_parse(name.kind) == OBJECT_OTHER) {
        const char *nearest = kind_suggest(name.kind);
        if (nearest != NULL)
            reading_error(reading, path, "unknown kind \"%s\", did you mean \"%s\"?", name.kind,
                          nearest);
        else
            reading_error(reading, path, "unknown kind \"%s\"", name.kind);
        return;
    }
    *target = name;
}

void object_name_encode(struct arena *scratch, struct json_out *json, const char *key,
                        const struct object_name *name)
{
    if (name->name != NULL)
        json_string(json, key, object_name_format(scratch, name));
}

void number_decode(struct reading *reading, const struct path *path, const struct value *value,
                   double least, double *target)
{
    double number;
    if (value_read_number(value, &number) && number >= least)
        *target = number;
    else
        reading_expected(reading, path, value,
                         arena_printf(reading->problems->arena, "a number of at least %g", least));
}
