/* SPDX-License-Identifier: Apache-2.0 */
/* Data as JSON: the tagged form of the checker, the plain one of a real server. */
#include "base/json_out.h"
#include "kubeapi/datum.h"
#include "manifest/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Reading --- */

static const struct datum *read_value(struct arena *arena, enum datum_form form,
                                      const struct value *value, const char *path,
                                      struct problems *problems);

/* {"$rv":3} or {"$uid":3}. Whatever else has such a member is a mistake. */
static const struct datum *read_tag(struct arena *arena, const struct value *value,
                                    const char *path, struct problems *problems)
{
    const bool is_version = strcmp(value->members[0].key, "$rv") == 0;
    int64_t number = 0;
    if (value->count != 1 || !value_read_integer(&value->members[0].value, &number) || number < 0) {
        problem_error(problems, value_place(value), path,
                      "expected {\"%s\": a number} and nothing beside it",
                      is_version ? "$rv" : "$uid");
        return NULL;
    }
    return is_version ? datum_version(arena, (uint64_t)number) : datum_uid(arena, (uint64_t)number);
}

static bool is_tag(const struct value *value)
{
    VALUE_EACH_MEMBER(value, member)
    if (strcmp(member->key, "$rv") == 0 || strcmp(member->key, "$uid") == 0)
        return true;
    return false;
}

static const struct datum *read_mapping(struct arena *arena, enum datum_form form,
                                        const struct value *value, const char *path,
                                        struct problems *problems)
{
    if (form == DATUM_TAGGED && is_tag(value))
        return read_tag(arena, value, path, problems);
    struct datum_member *members =
        ARENA_ARRAY(arena, struct datum_member, value->count > 0 ? value->count : 1);
    for (uint32_t i = 0; i < value->count; i++) {
        members[i].key = value->members[i].key;
        const char *inner = *path ? arena_printf(arena, "%s.%s", path, members[i].key)
                                  : arena_strdup(arena, members[i].key);
        members[i].value = read_value(arena, form, &value->members[i].value, inner, problems);
    }
    return datum_object(arena, members, value->count);
}

static const struct datum *read_sequence(struct arena *arena, enum datum_form form,
                                         const struct value *value, const char *path,
                                         struct problems *problems)
{
    const struct datum **items =
        ARENA_ARRAY(arena, const struct datum *, value->count > 0 ? value->count : 1);
    for (uint32_t i = 0; i < value->count; i++) {
        const char *inner = arena_printf(arena, "%s[%" PRIu32 "]", path, i);
        if (value_is_null(&value->items[i])) {
            problem_error(problems, value_place(&value->items[i]), inner,
                          "expected a value, found null");
            items[i] = datum_bool(false);
            continue;
        }
        items[i] = read_value(arena, form, &value->items[i], inner, problems);
        if (!items[i])
            items[i] = datum_bool(false); /* reported already */
    }
    return datum_list(arena, items, value->count);
}

static const struct datum *read_value(struct arena *arena, enum datum_form form,
                                      const struct value *value, const char *path,
                                      struct problems *problems)
{
    int64_t integer = 0;
    double number = 0;
    switch ((enum value_kind)value->kind) {
    case VALUE_NULL: return NULL;
    case VALUE_BOOLEAN: return datum_bool(value->truth);
    case VALUE_INTEGER:
    case VALUE_FLOAT:
        if (value_read_integer(value, &integer))
            return datum_integer(arena, integer);
        value_read_number(value, &number);
        return datum_double(arena, number);
    case VALUE_STRING: return datum_string(arena, value->text);
    case VALUE_SEQUENCE: return read_sequence(arena, form, value, path, problems);
    case VALUE_MAPPING: return read_mapping(arena, form, value, path, problems);
    }
    bug("value of kind %d", (int)value->kind);
}

/* --- The strings of a real API server --- */

#define UID_PREFIX "00000000-0000-4000-8000-"
enum { UID_DIGITS = 12 };

static const struct datum *version_of_text(struct arena *arena, const struct datum *text)
{
    const char *digits = datum_text(text, "");
    if (strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 18 || !*digits ||
        (digits[0] == '0' && digits[1]))
        return text;
    return datum_version(arena, strtoull(digits, NULL, 10));
}

static const struct datum *uid_of_text(struct arena *arena, const struct datum *text)
{
    const char *digits = datum_text(text, "");
    if (strncmp(digits, UID_PREFIX, strlen(UID_PREFIX)) != 0)
        return text;
    digits += strlen(UID_PREFIX);
    if (strlen(digits) != UID_DIGITS || strspn(digits, "0123456789abcdef") != UID_DIGITS)
        return text;
    return datum_uid(arena, strtoull(digits, NULL, 16));
}

static const struct datum *real_metadata(struct arena *arena, const struct datum *object)
{
    const struct datum *metadata = datum_member(object, "metadata");
    if (!metadata || metadata->kind != DATUM_OBJECT)
        return object;
    const struct datum *changed = metadata;
    const struct datum *version = datum_member(metadata, "resourceVersion");
    changed = datum_with(arena, changed, "resourceVersion", version_of_text(arena, version));
    changed = datum_with(arena, changed, "uid", uid_of_text(arena, datum_member(metadata, "uid")));
    const struct datum *owners = datum_member(metadata, "ownerReferences");
    for (uint32_t i = 0; owners && owners->kind == DATUM_LIST && i < owners->count; i++)
        changed =
            datum_with(arena, changed, arena_printf(arena, "ownerReferences[%" PRIu32 "].uid", i),
                       uid_of_text(arena, datum_member(owners->items[i], "uid")));
    return datum_with(arena, object, "metadata", changed);
}

/* An object, or a list of them (`items`). */
static const struct datum *real_form(struct arena *arena, const struct datum *value)
{
    if (!value || value->kind != DATUM_OBJECT)
        return value;
    const struct datum *changed = real_metadata(arena, value);
    const struct datum *items = datum_member(value, "items");
    if (!items || items->kind != DATUM_LIST)
        return changed;
    const struct datum **each = ARENA_ARRAY(arena, const struct datum *, items->count + 1);
    for (uint32_t i = 0; i < items->count; i++)
        each[i] = real_metadata(arena, items->items[i]);
    return datum_with(arena, changed, "items", datum_list(arena, each, items->count));
}

const struct datum *datum_of_value(struct arena *arena, const struct value *value,
                                   struct problems *problems)
{
    return read_value(arena, DATUM_TAGGED, value, "", problems);
}

const struct datum *datum_read(struct arena *arena, enum datum_form form, struct place place,
                               const char *bytes, size_t count, struct problems *problems)
{
    struct manifest_reader *reader = manifest_reader_create(arena->memory);
    struct arena scratch;
    arena_init(&scratch, arena->memory);
    const struct place start = {.file = place.file,
                                .line = place.line > 0 ? place.line : 1,
                                .column = place.column > 0 ? place.column : 1};
    const struct document *document =
        manifest_reader_parse_json(reader, &scratch, start, bytes, count, problems);
    const struct datum *datum = NULL;
    if (document) {
        const uint32_t errors = problems->errors;
        datum = read_value(arena, form, &document->root, "", problems);
        if (problems->errors != errors)
            datum = NULL;
        else if (form == DATUM_REAL)
            datum = real_form(arena, datum);
    }
    arena_release(&scratch);
    manifest_reader_free(reader);
    return datum;
}

/* --- Writing --- */

static void write_number(struct json_out *json, const char *key, enum datum_form form,
                         const struct datum *value)
{
    const bool is_version = value->kind == DATUM_VERSION;
    if (form == DATUM_TAGGED) {
        json_object_begin(json, key);
        json_unsigned(json, is_version ? "$rv" : "$uid", value->number);
        json_object_end(json);
        return;
    }
    char text[sizeof(UID_PREFIX) + 20];
    if (is_version)
        snprintf(text, sizeof(text), "%" PRIu64, value->number);
    else
        snprintf(text, sizeof(text), UID_PREFIX "%0*" PRIx64, UID_DIGITS, value->number);
    json_string(json, key, text);
}

static void write_datum(struct json_out *json, const char *key, enum datum_form form,
                        const struct datum *value)
{
    if (!value) {
        json_null(json, key);
        return;
    }
    switch (value->kind) {
    case DATUM_FALSE:
    case DATUM_TRUE: json_boolean(json, key, value->kind == DATUM_TRUE); break;
    case DATUM_INTEGER: json_integer(json, key, value->integer); break;
    case DATUM_DOUBLE: json_number(json, key, value->real); break;
    case DATUM_STRING: json_string_of(json, key, value->text, value->count); break;
    case DATUM_VERSION:
    case DATUM_UID: write_number(json, key, form, value); break;
    case DATUM_LIST:
        json_array_begin(json, key);
        for (uint32_t i = 0; i < value->count; i++)
            write_datum(json, NULL, form, value->items[i]);
        json_array_end(json);
        break;
    case DATUM_OBJECT:
        json_object_begin(json, key);
        for (uint32_t i = 0; i < value->count; i++)
            write_datum(json, value->members[i].key, form, value->members[i].value);
        json_object_end(json);
        break;
    }
}

void datum_write(struct text *text, enum datum_form form, const struct datum *value)
{
    struct json_out json;
    json_out_init(&json, text, 0);
    write_datum(&json, NULL, form, value);
}
