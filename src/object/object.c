/* SPDX-License-Identifier: Apache-2.0 */
/* From a document to an object: which kind it is, then what all kinds share. */
#include "object/object.h"

#include "object/kind.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_NAMESPACE "default"

static const struct object_options usual_options = {.namespace = DEFAULT_NAMESPACE};

/* A third party's group may use the name of one of Kubernetes' kinds. */
static bool is_foreign(const char *api_version)
{
    const char *slash = strchr(api_version, '/');
    const char *dot = strchr(api_version, '.');
    if (!slash || !dot || dot > slash)
        return false;
    static const char own[] = ".k8s.io";
    const size_t length = (size_t)(slash - api_version);
    return length < sizeof(own) || strncmp(slash - (sizeof(own) - 1), own, sizeof(own) - 1) != 0;
}

static const char *versions_wanted(struct arena *arena, const struct kind_version *versions)
{
    const char *wanted = versions[0].api_version;
    for (uint32_t i = 1; versions[i].api_version; i++)
        wanted = arena_printf(arena, "%s%s%s", wanted, versions[i + 1].api_version ? ", " : " or ",
                              versions[i].api_version);
    return wanted;
}

/* apiVersion or kind: a text that is not empty. NULL, with the error reported,
 * if it is anything else. */
static const char *type_text(struct reading *reading, const struct path *path,
                             const struct value *mapping, const char *name)
{
    const struct path field = path_field(path, name);
    const struct value *value = value_find(mapping, name);
    const char *text = NULL;
    if (value_is_null(value))
        reading_missing(reading, &field);
    else
        string_decode(reading, &field, value, &text);
    if (text && !*text) {
        reading_expected(reading, &field, value, "a name");
        text = NULL;
    }
    return text;
}

static const struct kind_version *version_find(const struct kind_type *type,
                                               const char *api_version)
{
    for (const struct kind_version *version = type->versions; version->api_version; version++)
        if (strcmp(version->api_version, api_version) == 0)
            return version;
    return NULL;
}

/* The name and namespace as the server would have set them. */
static void complete_meta(struct arena *arena, struct object_meta *meta, bool namespaced,
                          const struct object_options *options)
{
    if (!namespaced)
        meta->namespace = NULL;
    else if (!meta->namespace)
        meta->namespace = options->namespace ? options->namespace : DEFAULT_NAMESPACE;
    if (!meta->name && meta->generate_name)
        meta->name = arena_printf(arena, "%s%05u", meta->generate_name, options->ordinal + 1);
}

static void decode_known(struct reading *reading, const struct path *path,
                         const struct value *value, const struct kind_version *version,
                         const struct object_options *options, struct object *object)
{
    const struct kind_type *type = kind_type_find(object->kind);
    object->as.any = schema_new(reading->arena, version->schema);
    object->meta = object->as.any;
    schema_decode(reading, path, version->schema, value, object->as.any);
    if (!type->nameless)
        complete_meta(reading->arena, object->meta, type->namespaced, options);
    if (version->convert)
        version->convert(reading, path, object->as.any);
    if (type->set_defaults)
        type->set_defaults(reading->arena, object->as.any);
    if (type->validate)
        type->validate(reading, path, object->as.any);
}

/* Of kinds we do not know only the name is looked at. */
static void decode_other(struct reading *reading, const struct path *path,
                         const struct value *value, struct object *object)
{
    const struct value *meta = value_find(value, "metadata");
    const struct path kind = path_field(path, "kind");
    object->kind = OBJECT_OTHER;
    object->meta = ARENA_NEW(reading->arena, struct object_meta);
    object->meta->name = value_find_string(meta, "name");
    object->meta->generate_name = value_find_string(meta, "generateName");
    object->meta->namespace = value_find_string(meta, "namespace");
    object->meta->creation_time = TIME_NONE;
    object->meta->deletion_time = TIME_NONE;
    object->as.any = object->meta;
    const char *nearest = is_foreign(object->api_version) ? NULL : kind_suggest(object->kind_name);
    if (nearest)
        reading_warning(reading, &kind,
                        "%s is not modelled; the object is left out, did you mean "
                        "\"%s\"?",
                        object->kind_name, nearest);
    else
        reading_warning(reading, &kind, "%s is not modelled; the object is left out",
                        object->kind_name);
}

static void decode_value(struct reading *reading, const struct path *path,
                         const struct value *value, const struct object_options *options,
                         struct object *object)
{
    const bool fixed = object->kind != OBJECT_OTHER;
    const struct path version_path = path_field(path, "apiVersion");
    const struct path kind_path = path_field(path, "kind");
    if (!fixed || value_find(value, "kind"))
        object->kind_name = type_text(reading, path, value, "kind");
    else
        object->kind_name = object_kind_name(object->kind);
    if (!fixed || value_find(value, "apiVersion"))
        object->api_version = type_text(reading, path, value, "apiVersion");
    else
        object->api_version = kind_type_find(object->kind)->versions[0].api_version;
    if (!object->kind_name || !object->api_version)
        return;

    const enum object_kind kind = kind_parse(object->kind_name);
    if (fixed && kind != object->kind) {
        reading_error(reading, &kind_path, "expected %s, found \"%s\"",
                      object_kind_name(object->kind), object->kind_name);
        return;
    }
    object->kind = kind;
    const struct kind_type *type = kind_type_find(kind);
    if (!type ||
        (!fixed && is_foreign(object->api_version) && !version_find(type, object->api_version))) {
        decode_other(reading, path, value, object);
        return;
    }
    const struct kind_version *version = version_find(type, object->api_version);
    if (version)
        decode_known(reading, path, value, version, options, object);
    else
        reading_error(reading, &version_path, "expected %s for %s, found \"%s\"",
                      versions_wanted(reading->problems->arena, type->versions), object->kind_name,
                      object->api_version);
}

static int compare_numbers(uint32_t left, uint32_t right)
{
    return (left > right) - (left < right);
}

static int compare_problems(const void *left, const void *right)
{
    const struct problem *a = left;
    const struct problem *b = right;
    int order = compare_numbers(a->place.line, b->place.line);
    if (order == 0)
        order = compare_numbers(a->place.column, b->place.column);
    if (order == 0)
        order = strcmp(a->path ? a->path : "", b->path ? b->path : "");
    return order ? order : strcmp(a->message, b->message);
}

/* Decoding and validation each go their own way through the object; people
 * read the messages from top to bottom of their file. */
static void sort_problems(struct problems *problems, uint32_t first)
{
    if (problems->count > first + 1)
        qsort(problems->items + first, problems->count - first, sizeof(*problems->items),
              compare_problems);
}

bool object_decode_at(struct arena *arena, const struct value *root, const struct path *path,
                      enum object_kind kind, const struct object_options *options,
                      struct object *object, struct problems *problems)
{
    const uint32_t errors = problems->errors;
    const uint32_t first = problems->count;
    const struct value *value = path_value(root, path);
    struct reading reading;
    /* A key that is there twice, which is an error already, hides one of its
     * values from the path. */
    if (!value)
        return false;
    reading_init(&reading, arena, root, problems);
    *object = (struct object){.kind = kind, .place = value_place(value)};
    if (mapping_expected(&reading, path, value))
        decode_value(&reading, path, value, options ? options : &usual_options, object);
    sort_problems(problems, first);
    return problems->errors == errors;
}

void object_encode(struct arena *scratch, struct json_out *json, const char *key,
                   const struct object *object)
{
    const struct kind_type *type = kind_type_find(object->kind);
    if (!type)
        bug("object_encode: a %s has no schema", object->kind_name);
    json_object_begin(json, key);
    json_string(json, "apiVersion", type->versions[0].api_version);
    json_string(json, "kind", object_kind_name(object->kind));
    schema_encode_fields(scratch, json, type->versions[0].schema, object->as.any);
    json_object_end(json);
}
