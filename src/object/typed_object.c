/* SPDX-License-Identifier: Apache-2.0 */
#include "object/typed_object.h"

#include <string.h>

#define DEFAULT_NAMESPACE "default"

static const struct object_options usual_options = {.namespace = DEFAULT_NAMESPACE};

static const char *versions_wanted(struct arena *arena, const struct kind_version *versions)
{
    const char *wanted = versions[0].api_version;
    for (uint32_t i = 1; versions[i].api_version; i++)
        wanted = arena_printf(arena, "%s%s%s", wanted, versions[i + 1].api_version ? ", " : " or ",
                              versions[i].api_version);
    return wanted;
}

const char *type_field_read(struct reading *reading, const struct path *path,
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

const struct kind_version *kind_version_find(const struct kind_type *type, const char *api_version)
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
                         const struct value *value, const struct kind_type *type,
                         const struct kind_version *version, const struct object_options *options,
                         struct object *object)
{
    object->as.any = schema_new(reading->arena, version->schema);
    object->meta = object->as.any;
    schema_decode(reading, path, version->schema, value, object->as.any);
    if (!type->nameless)
        complete_meta(reading->arena, object->meta, type->namespaced, options);
    if (version->convert)
        version->convert(reading, path, object->as.any);
    if (type->set_defaults)
        type->set_defaults(reading->arena, object->as.any);
    if (type->validate && !reading->unvalidated)
        type->validate(reading, path, object->as.any);
}

void typed_object_decode(struct reading *reading, const struct path *path,
                         const struct value *value, const struct kind_type *type,
                         const struct object_options *options, struct object *object)
{
    const struct path version_path = path_field(path, "apiVersion");
    const struct path kind_path = path_field(path, "kind");
    object->kind_name = object_kind_name(object->kind);
    object->api_version = type->versions[0].api_version;
    if (value_find(value, "kind"))
        object->kind_name = type_field_read(reading, path, value, "kind");
    if (value_find(value, "apiVersion"))
        object->api_version = type_field_read(reading, path, value, "apiVersion");
    if (!object->kind_name || !object->api_version)
        return;
    const struct kind_version *version = kind_version_find(type, object->api_version);
    if (kind_parse(object->kind_name) != object->kind)
        reading_error(reading, &kind_path, "expected %s, found \"%s\"",
                      object_kind_name(object->kind), object->kind_name);
    else if (version)
        decode_known(reading, path, value, type, version, options ? options : &usual_options,
                     object);
    else
        reading_error(reading, &version_path, "expected %s for %s, found \"%s\"",
                      versions_wanted(reading->problems->arena, type->versions), object->kind_name,
                      object->api_version);
}

void typed_object_encode(struct arena *scratch, struct json_out *json, const char *key,
                         enum object_kind kind, const struct kind_type *type, const void *content)
{
    json_object_begin(json, key);
    json_string(json, "apiVersion", type->versions[0].api_version);
    json_string(json, "kind", object_kind_name(kind));
    schema_encode_fields(scratch, json, type->versions[0].schema, content);
    json_object_end(json);
}
