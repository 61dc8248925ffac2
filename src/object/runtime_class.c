/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/policy.h"
#include "object/schemas.h"

static const struct field overhead_fields[] = {
    FIELD_RESOURCES("podFixed", runtime_class, overhead),
};
static const struct schema overhead_schema = SCHEMA(runtime_class, overhead_fields);

static const struct field scheduling_fields[] = {
    FIELD_LABELS("nodeSelector", runtime_class, node_selector),
    FIELD_LIST("tolerations", runtime_class, tolerations, toleration_count, 0, toleration_schema),
};
static const struct schema scheduling_schema = SCHEMA(runtime_class, scheduling_fields);

static const struct field fields[] = {
    FIELD_STRING("handler", runtime_class, handler, FIELD_REQUIRED),
    FIELD_STRUCT("metadata", runtime_class, meta, 0, object_meta_schema),
    FIELD_NESTED("overhead", 0, overhead_schema),
    FIELD_NESTED("scheduling", 0, scheduling_schema),
};
static const struct schema schema = SCHEMA(runtime_class, fields);

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct runtime_class *class = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path overhead = path_field(path, "overhead");
    const struct path pod_fixed = path_field(&overhead, "podFixed");
    const struct path scheduling = path_field(path, "scheduling");
    const struct path tolerations = path_field(&scheduling, "tolerations");
    object_meta_validate(reading, &metadata, &class->meta, NAME_DNS_SUBDOMAIN);
    resource_list_validate(reading, &pod_fixed, &class->overhead);
    tolerations_validate(reading, &tolerations, class->tolerations, class->toleration_count);
}

static const struct kind_version versions[] = {
    {"node.k8s.io/v1", &schema, NULL},
    {"node.k8s.io/v1beta1", &schema, NULL},
    {0},
};

const struct kind_type runtime_class_kind = {
    .versions = versions,
    .validate = validate,
};
