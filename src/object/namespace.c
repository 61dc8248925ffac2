/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/policy.h"
#include "object/schemas.h"

static const struct field namespace_fields[] = {
    FIELD_STRUCT("metadata", namespace_object, meta, 0, object_meta_schema),
};
static const char *const namespace_unused[] = {"apiVersion", "kind", "spec", "status", NULL};
static const struct schema namespace_schema =
    SCHEMA_COMPLETE(namespace_object, namespace_fields, namespace_unused);

/* The label by which selectors can name one namespace is always there. */
static void namespace_set_defaults(struct arena *arena, void *object)
{
    struct object_meta *meta = &((struct namespace_object *)object)->meta;
    if (meta->name)
        labels_set(arena, &meta->labels, "kubernetes.io/metadata.name", meta->name);
}

static void namespace_validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct namespace_object *namespace = object;
    const struct path meta = path_field(path, "metadata");
    object_meta_validate(reading, &meta, &namespace->meta, NAME_DNS_LABEL);
}

static const struct kind_version namespace_versions[] = {
    {.api_version = "v1", .schema = &namespace_schema}, {0}};
const struct kind_type namespace_kind = {
    .versions = namespace_versions,
    .set_defaults = namespace_set_defaults,
    .validate = namespace_validate,
};
