/* SPDX-License-Identifier: Apache-2.0 */
/* From a document to an object: which kind it is. */
#include "object/object.h"

#include "object/typed_object.h"

#include <stdlib.h>
#include <string.h>

bool api_version_is_foreign(const char *api_version)
{
    const char *slash = strchr(api_version, '/');
    const char *dot = strchr(api_version, '.');
    if (!slash || !dot || dot > slash)
        return false;
    static const char own[] = ".k8s.io";
    const size_t length = (size_t)(slash - api_version);
    return length < sizeof(own) || strncmp(slash - (sizeof(own) - 1), own, sizeof(own) - 1) != 0;
}

/* Is it of a kind that is not modelled, but an object that somebody reads? The cluster autoscaler
 * reads the priorities of its groups, and limits for volumes (setup/volume_limits.h) are in
 * CSINodes. */
static bool is_read_as_it_is(const struct object *object)
{
    if (strcmp(object->kind_name, "CSINode") == 0)
        return true;
    return strcmp(object->kind_name, "ConfigMap") == 0 && object->meta->name &&
           strcmp(object->meta->name, "cluster-autoscaler-priority-expander") == 0;
}

/* VerticalPodAutoscaler of autoscaling.k8s.io is no mistake for HorizontalPodAutoscaler. */
static bool is_version_of(const char *api_version, const char *kind)
{
    const struct kind_type *type = kind_type_find(kind_parse(kind));
    return type && kind_version_find(type, api_version);
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
    if (is_read_as_it_is(object))
        return;
    const char *nearest = kind_suggest(object->kind_name);
    if (nearest && is_version_of(object->api_version, nearest))
        reading_warning(reading, &kind,
                        "%s is not modelled; the object is left out, did you mean "
                        "\"%s\"?",
                        object->kind_name, nearest);
    else
        reading_warning(reading, &kind, "%s is not modelled; the object is left out",
                        object->kind_name);
}

/* The kind is the one that the value names. */
static void decode_named(struct reading *reading, const struct path *path,
                         const struct value *value, const struct object_options *options,
                         struct object *object)
{
    object->kind_name = type_field_read(reading, path, value, "kind");
    object->api_version = type_field_read(reading, path, value, "apiVersion");
    if (!object->kind_name || !object->api_version)
        return;
    object->kind = kind_parse(object->kind_name);
    const struct kind_type *type = kind_type_find(object->kind);
    if (!type || (api_version_is_foreign(object->api_version) &&
                  !kind_version_find(type, object->api_version)))
        decode_other(reading, path, value, object);
    else
        typed_object_decode(reading, path, value, type, options, object);
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

/* Decoding and validation walk the object in different orders, but messages
 * should come in the order of the file. */
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
    /* A key that is given twice, which was reported before, hides one of its values
     * from the path. */
    if (!value)
        return false;
    reading_init(&reading, arena, root, problems);
    reading.unvalidated = options && options->unvalidated;
    *object = (struct object){.kind = kind, .place = value_place(value)};
    const bool is_mapping = mapping_expected(&reading, path, value);
    if (is_mapping && kind == OBJECT_OTHER)
        decode_named(&reading, path, value, options, object);
    else if (is_mapping)
        typed_object_decode(&reading, path, value, kind_type_find(kind), options, object);
    sort_problems(problems, first);
    return problems->errors == errors;
}

void object_encode(struct arena *scratch, struct json_out *json, const char *key,
                   const struct object *object)
{
    const struct kind_type *type = kind_type_find(object->kind);
    if (!type)
        bug("object_encode: a %s has no schema", object->kind_name);
    typed_object_encode(scratch, json, key, object->kind, type, object->as.any);
}
