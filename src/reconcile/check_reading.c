/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/check_reading.h"

#include "base/suggest.h"
#include "reconcile/shapes.h"

#include <string.h>

enum { BUDGET_MOST = 20 };

const char *reading_text(const struct check_reading *reading, const struct path *path)
{
    return path_text(reading->arena, path);
}

const struct value *reading_find(const struct check_reading *reading, const struct path *path)
{
    return path_value(reading->root, path);
}

static void complain_unknown(const struct check_reading *reading, const struct value *mapping,
                             const struct member *member, const struct path *path,
                             const char *const *known)
{
    struct suggestion suggestion = {.word = member->key};
    for (const char *const *name = known; *name; name++)
        suggestion_offer(&suggestion, *name);
    const struct path field = path_field(path, member->key);
    problem_error(reading->problems, member_place(mapping, member), reading_text(reading, &field),
                  "unknown field%s%s%s", suggestion.nearest ? "; did you mean \"" : "",
                  suggestion.nearest ? suggestion.nearest : "", suggestion.nearest ? "\"?" : "");
}

/* A mapping with no other members than these. NULL if it is not there or wrong. */
const struct value *reading_mapping(const struct check_reading *reading, const struct path *path,
                                    const char *const *known)
{
    const struct value *value = reading_find(reading, path);
    if (value_is_null(value))
        return NULL;
    if (value->kind != VALUE_MAPPING) {
        value_expected(reading->problems, value, reading_text(reading, path), "a mapping");
        return NULL;
    }
    VALUE_EACH_MEMBER(value, member)
    {
        bool is_known = !known;
        for (const char *const *name = known; known && *name && !is_known; name++)
            is_known = strcmp(*name, member->key) == 0;
        if (!is_known)
            complain_unknown(reading, value, member, path, known);
    }
    return value;
}

const struct value *reading_sequence(const struct check_reading *reading, const struct path *path)
{
    const struct value *value = reading_find(reading, path);
    if (value_is_null(value))
        return NULL;
    if (value->kind != VALUE_SEQUENCE) {
        value_expected(reading->problems, value, reading_text(reading, path), "a list");
        return NULL;
    }
    return value;
}

const char *reading_string(const struct check_reading *reading, const struct path *parent,
                           const char *name, const char *fallback)
{
    const struct path path = path_field(parent, name);
    const struct value *value = reading_find(reading, &path);
    const char *text = fallback;
    if (!value_is_null(value) && !value_read_string(value, &text))
        value_expected(reading->problems, value, reading_text(reading, &path), "a string");
    return text;
}

bool reading_boolean(const struct check_reading *reading, const struct path *parent,
                     const char *name, bool fallback)
{
    const struct path path = path_field(parent, name);
    const struct value *value = reading_find(reading, &path);
    bool truth = fallback;
    if (!value_is_null(value) && !value_read_boolean(value, &truth))
        value_expected(reading->problems, value, reading_text(reading, &path), "true or false");
    return truth;
}

uint32_t reading_budget(const struct check_reading *reading, const struct path *parent,
                        const char *name)
{
    const struct path path = path_field(parent, name);
    const struct value *value = reading_find(reading, &path);
    int64_t number = 0;
    if (value_is_null(value))
        return 0;
    if (!value_read_integer(value, &number) || number < 0 || number > BUDGET_MOST) {
        value_expected(reading->problems, value, reading_text(reading, &path),
                       "a whole number from 0 to 20");
        return 0;
    }
    return (uint32_t)number;
}

const struct datum *reading_datum(const struct check_reading *reading, const struct value *value)
{
    return value_is_null(value) ? NULL : datum_of_value(reading->arena, value, reading->problems);
}

struct place reading_place(const struct check_reading *reading, const struct path *path)
{
    return path_place(reading->root, path);
}
