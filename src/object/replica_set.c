/* SPDX-License-Identifier: Apache-2.0 */
/* ReplicaSet, and the ReplicationController that it came from. */
#include "object/kind.h"
#include "object/workload_parts.h"

static const struct field replica_set_spec_fields[] = {
    FIELD_INT32("minReadySeconds", replica_set, min_ready_seconds, 0, 0, INT32_MAX, 0),
    FIELD_INT32("replicas", replica_set, replicas, 0, 0, INT32_MAX, 1),
    FIELD_POINTER("selector", replica_set, selector, FIELD_REQUIRED, label_selector_schema),
    FIELD_STRUCT("template", replica_set, template, FIELD_REQUIRED, pod_template_schema),
};
static const struct schema replica_set_spec_schema =
    SCHEMA_COMPLETE(replica_set, replica_set_spec_fields, nothing_unused);

static const struct field replica_set_status_fields[] = {
    FIELD_INT32("availableReplicas", replica_set_status, available_replicas, 0, 0, INT32_MAX, 0),
    FIELD_LIST("conditions", replica_set_status, conditions.items, conditions.count, 0,
               condition_schema),
    FIELD_INT32("fullyLabeledReplicas", replica_set_status, fully_labeled_replicas, 0, 0, INT32_MAX,
                0),
    FIELD_INT64("observedGeneration", replica_set_status, observed_generation, 0, 0, INT64_MAX, 0),
    FIELD_INT32("readyReplicas", replica_set_status, ready_replicas, 0, 0, INT32_MAX, 0),
    FIELD_INT32("replicas", replica_set_status, replicas, 0, 0, INT32_MAX, 0),
    FIELD_OPTIONAL_INT("terminatingReplicas", replica_set_status, terminating_replicas, 0,
                       INT32_MAX),
};
static const struct schema replica_set_status_schema =
    SCHEMA(replica_set_status, replica_set_status_fields);

static const struct field replica_set_fields[] = {
    FIELD_STRUCT("metadata", replica_set, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, replica_set_spec_schema),
    FIELD_STRUCT("status", replica_set, status, 0, replica_set_status_schema),
};
static const struct schema replica_set_schema =
    SCHEMA_COMPLETE(replica_set, replica_set_fields, object_unused);

static void replica_set_set_defaults(struct arena *arena, void *object)
{
    pod_spec_set_defaults(arena, &((struct replica_set *)object)->template.spec);
}

static void replica_set_validate(struct reading *reading, const struct path *path,
                                 const void *object)
{
    const struct replica_set *replica_set = object;
    const struct path meta = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    object_meta_validate(reading, &meta, &replica_set->meta, NAME_DNS_SUBDOMAIN);
    workload_selector_validate(reading, &spec, replica_set->selector, &replica_set->template);
    service_template_validate(reading, &spec, &replica_set->template);
}

static const struct kind_version replica_set_versions[] = {
    {.api_version = "apps/v1", .schema = &replica_set_schema}, {0}};
const struct kind_type replica_set_kind = {
    .versions = replica_set_versions,
    .namespaced = true,
    .set_defaults = replica_set_set_defaults,
    .validate = replica_set_validate,
};

static const struct field replication_controller_spec_fields[] = {
    FIELD_INT32("minReadySeconds", replication_controller, min_ready_seconds, 0, 0, INT32_MAX, 0),
    FIELD_INT32("replicas", replication_controller, replicas, 0, 0, INT32_MAX, 1),
    FIELD_LABELS("selector", replication_controller, selector),
    FIELD_STRUCT("template", replication_controller, template, FIELD_REQUIRED, pod_template_schema),
};
static const struct schema replication_controller_spec_schema =
    SCHEMA_COMPLETE(replication_controller, replication_controller_spec_fields, nothing_unused);

static const struct field replication_controller_fields[] = {
    FIELD_STRUCT("metadata", replication_controller, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, replication_controller_spec_schema),
};
static const char *const replication_controller_unused[] = {"apiVersion", "kind", "status", NULL};
static const struct schema replication_controller_schema = SCHEMA_COMPLETE(
    replication_controller, replication_controller_fields, replication_controller_unused);

static void replication_controller_set_defaults(struct arena *arena, void *object)
{
    struct replication_controller *controller = object;
    pod_spec_set_defaults(arena, &controller->template.spec);
    if (!controller->selector.count)
        controller->selector = controller->template.meta.labels;
    if (!controller->meta.labels.count)
        controller->meta.labels = controller->template.meta.labels;
}

static void replication_controller_validate(struct reading *reading, const struct path *path,
                                            const void *object)
{
    const struct replication_controller *controller = object;
    const struct label_selector selector = {.match_labels = controller->selector};
    const struct path meta = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    object_meta_validate(reading, &meta, &controller->meta, NAME_DNS_SUBDOMAIN);
    workload_selector_validate(reading, &spec, &selector, &controller->template);
    service_template_validate(reading, &spec, &controller->template);
}

static const struct kind_version replication_controller_versions[] = {
    {.api_version = "v1", .schema = &replication_controller_schema}, {0}};
const struct kind_type replication_controller_kind = {
    .versions = replication_controller_versions,
    .namespaced = true,
    .set_defaults = replication_controller_set_defaults,
    .validate = replication_controller_validate,
};
