/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/workload_parts.h"

static const struct enum_name strategies[] = {
    {"RollingUpdate", DEPLOYMENT_ROLLING_UPDATE},
    {"Recreate", DEPLOYMENT_RECREATE},
    {0},
};

static const struct field rolling_update_fields[] = {
    FIELD_INT_OR_PERCENT("maxSurge", deployment, max_surge),
    FIELD_INT_OR_PERCENT("maxUnavailable", deployment, max_unavailable),
};
static const struct schema rolling_update_schema =
    SCHEMA_COMPLETE(deployment, rolling_update_fields, nothing_unused);

static const struct field strategy_fields[] = {
    FIELD_NESTED("rollingUpdate", 0, rolling_update_schema),
    FIELD_ENUM("type", deployment, strategy, 0, strategies, DEPLOYMENT_ROLLING_UPDATE),
};
static const struct schema strategy_schema =
    SCHEMA_COMPLETE(deployment, strategy_fields, nothing_unused);

static const struct field deployment_spec_fields[] = {
    FIELD_INT32("minReadySeconds", deployment, min_ready_seconds, 0, 0, INT32_MAX, 0),
    FIELD_BOOLEAN("paused", deployment, paused, false),
    FIELD_INT32("progressDeadlineSeconds", deployment, progress_deadline_seconds, 0, 0, INT32_MAX,
                600),
    FIELD_INT32("replicas", deployment, replicas, 0, 0, INT32_MAX, 1),
    FIELD_INT32("revisionHistoryLimit", deployment, revision_history_limit, 0, 0, INT32_MAX, 10),
    FIELD_POINTER("selector", deployment, selector, FIELD_REQUIRED, label_selector_schema),
    FIELD_NESTED("strategy", 0, strategy_schema),
    FIELD_STRUCT("template", deployment, template, FIELD_REQUIRED, pod_template_schema),
};
static const struct schema deployment_spec_schema =
    SCHEMA_COMPLETE(deployment, deployment_spec_fields, nothing_unused);

static const struct field deployment_status_fields[] = {
    FIELD_INT32("availableReplicas", deployment_status, available_replicas, 0, 0, INT32_MAX, 0),
    FIELD_OPTIONAL_INT("collisionCount", deployment_status, collision_count, 0, INT32_MAX),
    FIELD_LIST("conditions", deployment_status, conditions.items, conditions.count, 0,
               condition_schema),
    FIELD_INT64("observedGeneration", deployment_status, observed_generation, 0, 0, INT64_MAX, 0),
    FIELD_INT32("readyReplicas", deployment_status, ready_replicas, 0, 0, INT32_MAX, 0),
    FIELD_INT32("replicas", deployment_status, replicas, 0, 0, INT32_MAX, 0),
    FIELD_OPTIONAL_INT("terminatingReplicas", deployment_status, terminating_replicas, 0,
                       INT32_MAX),
    FIELD_INT32("unavailableReplicas", deployment_status, unavailable_replicas, 0, 0, INT32_MAX, 0),
    FIELD_INT32("updatedReplicas", deployment_status, updated_replicas, 0, 0, INT32_MAX, 0),
};
static const struct schema deployment_status_schema =
    SCHEMA(deployment_status, deployment_status_fields);

static const struct field deployment_fields[] = {
    FIELD_STRUCT("metadata", deployment, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, deployment_spec_schema),
    FIELD_STRUCT("status", deployment, status, 0, deployment_status_schema),
};
static const struct schema deployment_schema =
    SCHEMA_COMPLETE(deployment, deployment_fields, object_unused);

static void deployment_set_defaults(struct arena *arena, void *object)
{
    static const struct int_or_percent quarter = {.set = true, .percent = true, .value = 25};
    struct deployment *deployment = object;
    pod_spec_set_defaults(arena, &deployment->template.spec);
    if (deployment->strategy != DEPLOYMENT_ROLLING_UPDATE)
        return;
    if (!deployment->max_unavailable.set)
        deployment->max_unavailable = quarter;
    if (!deployment->max_surge.set)
        deployment->max_surge = quarter;
}

static void strategy_validate(struct reading *reading, const struct path *path,
                              const struct deployment *deployment)
{
    const struct path strategy = path_field(path, "strategy");
    const struct path rolling_update = path_field(&strategy, "rollingUpdate");
    const struct path unavailable = path_field(&rolling_update, "maxUnavailable");
    if (deployment->strategy == DEPLOYMENT_RECREATE) {
        strategy_forbids(reading, &rolling_update, "type Recreate");
        return;
    }
    percent_most_validate(reading, &unavailable, deployment->max_unavailable);
    if (deployment->max_unavailable.value == 0 && deployment->max_surge.value == 0)
        reading_error(reading, &unavailable,
                      "expected maxUnavailable or maxSurge above 0, found 0 for both");
}

static void deployment_validate(struct reading *reading, const struct path *path,
                                const void *object)
{
    const struct deployment *deployment = object;
    const struct path meta = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path deadline = path_field(&spec, "progressDeadlineSeconds");
    object_meta_validate(reading, &meta, &deployment->meta, NAME_DNS_SUBDOMAIN);
    workload_selector_validate(reading, &spec, deployment->selector, &deployment->template);
    service_template_validate(reading, &spec, &deployment->template);
    strategy_validate(reading, &spec, deployment);
    if (deployment->progress_deadline_seconds <= deployment->min_ready_seconds)
        reading_error(reading, &deadline, "expected more than minReadySeconds, %d, found %d",
                      deployment->min_ready_seconds, deployment->progress_deadline_seconds);
}

static const struct kind_version deployment_versions[] = {
    {.api_version = "apps/v1", .schema = &deployment_schema}, {0}};
const struct kind_type deployment_kind = {
    .versions = deployment_versions,
    .namespaced = true,
    .set_defaults = deployment_set_defaults,
    .validate = deployment_validate,
};
