/* SPDX-License-Identifier: Apache-2.0 */
#include "object/check_library.h"

#include "base/suggest.h"

#include <string.h>

/* "a, b and c" */
static const char *join(struct arena *arena, const char *list, const char *word, bool last)
{
    if (list == NULL)
        return word;
    return arena_printf(arena, "%s%s%s", list, last ? " and " : ", ", word);
}

static const char *entry_names(struct arena *arena, const struct library *library)
{
    const char *list = NULL;
    for (uint32_t i = 0; i < library->entry_count; i++)
        list = join(arena, list, library->entries[i].name, i + 1 == library->entry_count);
    return list;
}

static const char *parameter_names(struct arena *arena, const struct library *library,
                                   unsigned takes)
{
    const char *list = NULL;
    for (uint32_t i = 0; i < library->parameter_count; i++) {
        const unsigned bit = library->parameters[i].bit;
        if (!(takes & bit))
            continue;
        takes &= ~bit;
        list = join(arena, list, library->parameters[i].name, takes == 0);
    }
    return list;
}

static void report_name(struct reading *reading, const struct path *path,
                        const struct library *library, const char *name)
{
    struct arena *arena = reading->problems->arena;
    struct suggestion suggestion = {.word = name};
    for (uint32_t i = 0; i < library->entry_count; i++)
        suggestion_offer(&suggestion, library->entries[i].name);
    const char *hint = "";
    if (suggestion.nearest != NULL)
        hint = arena_printf(arena, ", did you mean \"%s\"?", suggestion.nearest);
    reading_error(reading, path, "unknown %s \"%s\"%s (there are %s)", library->what, name, hint,
                  entry_names(arena, library));
}

static void report_parameter(struct reading *reading, const struct path *path,
                             const struct value *mapping, const struct member *member,
                             const struct library *library, const struct library_entry *entry)
{
    struct arena *arena = reading->problems->arena;
    struct suggestion suggestion = {.word = member->key};
    for (uint32_t i = 0; i < library->parameter_count; i++)
        if (entry->takes & library->parameters[i].bit)
            suggestion_offer(&suggestion, library->parameters[i].name);
    const char *hint = "";
    if (suggestion.nearest != NULL)
        hint = arena_printf(arena, ", did you mean \"%s\"?", suggestion.nearest);
    const char *names = parameter_names(arena, library, entry->takes);
    const char *takes = names == NULL ? "it takes none" : arena_printf(arena, "it takes %s", names);
    const struct path field = path_field(path, member->key);
    problem_error(reading->problems, member_place(mapping, member), path_text(arena, &field),
                  "unknown parameter of %s%s (%s)", entry->name, hint, takes);
}

static const struct library_parameter *find_parameter(const struct library *library,
                                                      const char *name)
{
    for (uint32_t i = 0; i < library->parameter_count; i++)
        if (strcmp(library->parameters[i].name, name) == 0)
            return &library->parameters[i];
    return NULL;
}

static const struct field *find_field(const struct library *library, const char *name)
{
    for (uint32_t i = 0; i < library->schema->field_count; i++)
        if (strcmp(library->schema->fields[i].name, name) == 0)
            return &library->schema->fields[i];
    return NULL;
}

static void decode_parameters(struct reading *reading, const struct path *path,
                              const struct value *value, const struct library *library,
                              const struct library_entry *entry, void *base)
{
    unsigned missing = entry->needs;
    VALUE_EACH_MEMBER(value, member)
    {
        const struct library_parameter *parameter = find_parameter(library, member->key);
        const struct path field = path_field(path, member->key);
        if (strcmp(member->key, "name") == 0)
            continue;
        if (parameter == NULL || !(entry->takes & parameter->bit)) {
            report_parameter(reading, path, value, member, library, entry);
        } else if (!value_is_null(&member->value)) {
            field_decode(reading, &field, find_field(library, member->key), &member->value, base);
            missing &= ~parameter->bit;
        }
    }
    for (uint32_t i = 0; i < library->parameter_count; i++) {
        const struct path field = path_field(path, library->parameters[i].name);
        if (missing & library->parameters[i].bit)
            reading_missing(reading, &field);
    }
}

bool library_decode(struct reading *reading, const struct path *path, const struct value *value,
                    const struct library *library, uint32_t *entry, void *base)
{
    const struct path name_path = path_field(path, "name");
    const struct value *name_value;
    const char *name = NULL;
    if (!mapping_expected(reading, path, value))
        return false;
    name_value = value_find(value, "name");
    if (value_is_null(name_value)) {
        reading_missing(reading, &name_path);
        return false;
    }
    string_decode(reading, &name_path, name_value, &name);
    if (name == NULL)
        return false;
    for (uint32_t i = 0; i < library->entry_count; i++) {
        if (strcmp(library->entries[i].name, name) != 0)
            continue;
        *entry = i;
        decode_parameters(reading, path, value, library, &library->entries[i], base);
        return true;
    }
    report_name(reading, &name_path, library, name);
    return false;
}

void library_encode(struct arena *scratch, struct json_out *json, const struct library *library,
                    uint32_t entry, const void *base)
{
    json_object_begin(json, NULL);
    json_string(json, "name", library->entries[entry].name);
    for (uint32_t i = 0; i < library->parameter_count; i++) {
        if (!(library->entries[entry].takes & library->parameters[i].bit))
            continue;
        struct schema one = *library->schema;
        one.fields = find_field(library, library->parameters[i].name);
        one.field_count = 1;
        schema_encode_fields(scratch, json, &one, base);
    }
    json_object_end(json);
}
