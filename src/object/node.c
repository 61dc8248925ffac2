/* SPDX-License-Identifier: Apache-2.0 */
#include "object/node.h"

#include "object/kind.h"
#include "object/schemas.h"

static const struct field node_spec_fields[] = {
    FIELD_STRING("providerID", node_spec, provider_id, 0),
    FIELD_LIST("taints", node_spec, taints, taint_count, 0, taint_schema),
    FIELD_BOOLEAN("unschedulable", node_spec, unschedulable, false),
};
static const char *const node_spec_unused[] = {"configSource", "externalID", "podCIDR", "podCIDRs",
                                               NULL};
static const struct schema node_spec_schema =
    SCHEMA_COMPLETE(node_spec, node_spec_fields, node_spec_unused);

static const struct field image_fields[] = {
    FIELD_STRINGS("names", container_image, names, 0),
    FIELD_INT64("sizeBytes", container_image, size_bytes, 0, INT64_MIN, INT64_MAX, 0),
};
static const struct schema image_schema = SCHEMA(container_image, image_fields);

static const struct field node_info_fields[] = {
    FIELD_STRING("kubeletVersion", node_status, kubelet_version, 0),
};
static const struct schema node_info_schema = SCHEMA(node_status, node_info_fields);

static const struct field node_status_fields[] = {
    FIELD_RESOURCES("allocatable", node_status, allocatable),
    FIELD_RESOURCES("capacity", node_status, capacity),
    FIELD_LIST("conditions", node_status, conditions.items, conditions.count, 0, condition_schema),
    FIELD_STRINGS("declaredFeatures", node_status, declared_features, 0),
    FIELD_LIST("images", node_status, images, image_count, 0, image_schema),
    FIELD_NESTED("nodeInfo", 0, node_info_schema),
};
static const char *const node_status_unused[] = {
    "addresses",       "config",          "daemonEndpoints", "features", "phase",
    "runtimeHandlers", "volumesAttached", "volumesInUse",    NULL,
};
static const struct schema node_status_schema =
    SCHEMA_COMPLETE(node_status, node_status_fields, node_status_unused);

static const struct field node_fields[] = {
    FIELD_STRUCT("metadata", node, meta, 0, object_meta_schema),
    FIELD_STRUCT("spec", node, spec, 0, node_spec_schema),
    FIELD_STRUCT("status", node, status, 0, node_status_schema),
};
static const struct schema node_schema = SCHEMA_COMPLETE(node, node_fields, object_unused);

static void node_set_defaults(struct arena *arena, void *object)
{
    (void)arena;
    struct node_status *status = &((struct node *)object)->status;
    resource_list_round(&status->capacity);
    resource_list_round(&status->allocatable);
    if (!status->allocatable.count)
        status->allocatable = status->capacity;
}

static void node_validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct node *node = object;
    const struct path meta = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path taints = path_field(&spec, "taints");
    const struct path status = path_field(path, "status");
    const struct path capacity = path_field(&status, "capacity");
    const struct path allocatable = path_field(&status, "allocatable");
    object_meta_validate(reading, &meta, &node->meta, NAME_DNS_SUBDOMAIN);
    taints_validate(reading, &taints, node->spec.taints, node->spec.taint_count);
    resource_list_validate(reading, &capacity, &node->status.capacity);
    if (node->status.allocatable.items != node->status.capacity.items)
        resource_list_validate(reading, &allocatable, &node->status.allocatable);
}

static const struct kind_version node_versions[] = {{.api_version = "v1", .schema = &node_schema},
                                                    {0}};
const struct kind_type node_kind = {
    .versions = node_versions,
    .set_defaults = node_set_defaults,
    .validate = node_validate,
};
