/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/workload_parts.h"

static const struct enum_name strategies[] = {
    {"RollingUpdate", UPDATE_ROLLING},
    {"OnDelete", UPDATE_ON_DELETE},
    {0},
};

static const struct field rolling_update_fields[] = {
    FIELD_INT_OR_PERCENT("maxSurge", daemon_set, max_surge),
    FIELD_INT_OR_PERCENT("maxUnavailable", daemon_set, max_unavailable),
};
static const struct schema rolling_update_schema =
    SCHEMA_COMPLETE(daemon_set, rolling_update_fields, nothing_unused);

static const struct field strategy_fields[] = {
    FIELD_NESTED("rollingUpdate", 0, rolling_update_schema),
    FIELD_ENUM("type", daemon_set, update_strategy, 0, strategies, UPDATE_ROLLING),
};
static const struct schema strategy_schema =
    SCHEMA_COMPLETE(daemon_set, strategy_fields, nothing_unused);

static const struct field daemon_set_spec_fields[] = {
    FIELD_INT32("minReadySeconds", daemon_set, min_ready_seconds, 0, 0, INT32_MAX, 0),
    FIELD_INT32("revisionHistoryLimit", daemon_set, revision_history_limit, 0, 0, INT32_MAX, 10),
    FIELD_POINTER("selector", daemon_set, selector, FIELD_REQUIRED, label_selector_schema),
    FIELD_STRUCT("template", daemon_set, template, FIELD_REQUIRED, pod_template_schema),
    FIELD_NESTED("updateStrategy", 0, strategy_schema),
};
static const struct schema daemon_set_spec_schema =
    SCHEMA_COMPLETE(daemon_set, daemon_set_spec_fields, nothing_unused);

static const struct field daemon_set_status_fields[] = {
    FIELD_INT32("currentNumberScheduled", daemon_set_status, current_number_scheduled, 0, 0,
                INT32_MAX, 0),
    FIELD_INT32("desiredNumberScheduled", daemon_set_status, desired_number_scheduled, 0, 0,
                INT32_MAX, 0),
    FIELD_INT32("numberAvailable", daemon_set_status, number_available, 0, 0, INT32_MAX, 0),
    FIELD_INT32("numberMisscheduled", daemon_set_status, number_misscheduled, 0, 0, INT32_MAX, 0),
    FIELD_INT32("numberReady", daemon_set_status, number_ready, 0, 0, INT32_MAX, 0),
    FIELD_INT32("numberUnavailable", daemon_set_status, number_unavailable, 0, 0, INT32_MAX, 0),
    FIELD_INT64("observedGeneration", daemon_set_status, observed_generation, 0, 0, INT64_MAX, 0),
    FIELD_INT32("updatedNumberScheduled", daemon_set_status, updated_number_scheduled, 0, 0,
                INT32_MAX, 0),
};
static const struct schema daemon_set_status_schema =
    SCHEMA(daemon_set_status, daemon_set_status_fields);

static const struct field daemon_set_fields[] = {
    FIELD_STRUCT("metadata", daemon_set, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, daemon_set_spec_schema),
    FIELD_STRUCT("status", daemon_set, status, 0, daemon_set_status_schema),
};
static const struct schema daemon_set_schema =
    SCHEMA_COMPLETE(daemon_set, daemon_set_fields, object_unused);

static void daemon_set_set_defaults(struct arena *arena, void *object)
{
    struct daemon_set *set = object;
    pod_spec_set_defaults(arena, &set->template.spec);
    if (set->update_strategy != UPDATE_ROLLING)
        return;
    if (!set->max_unavailable.set)
        set->max_unavailable = (struct int_or_percent){.set = true, .value = 1};
    if (!set->max_surge.set)
        set->max_surge = (struct int_or_percent){.set = true, .value = 0};
}

static void strategy_validate(struct reading *reading, const struct path *path,
                              const struct daemon_set *set)
{
    const struct path strategy = path_field(path, "updateStrategy");
    const struct path rolling_update = path_field(&strategy, "rollingUpdate");
    const struct path unavailable = path_field(&rolling_update, "maxUnavailable");
    const struct path surge = path_field(&rolling_update, "maxSurge");
    if (set->update_strategy != UPDATE_ROLLING)
        return;
    percent_most_validate(reading, &unavailable, set->max_unavailable);
    percent_most_validate(reading, &surge, set->max_surge);
    if (set->max_unavailable.value == 0 && set->max_surge.value == 0)
        reading_error(reading, &unavailable,
                      "expected maxUnavailable or maxSurge above 0, found 0 for both");
    if (set->max_unavailable.value != 0 && set->max_surge.value != 0)
        reading_error(reading, &surge,
                      "expected maxUnavailable or maxSurge to be 0, found both above it");
}

static void daemon_set_validate(struct reading *reading, const struct path *path,
                                const void *object)
{
    const struct daemon_set *set = object;
    const struct path meta = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    object_meta_validate(reading, &meta, &set->meta, NAME_DNS_SUBDOMAIN);
    workload_selector_validate(reading, &spec, set->selector, &set->template);
    service_template_validate(reading, &spec, &set->template);
    strategy_validate(reading, &spec, set);
}

static const struct kind_version daemon_set_versions[] = {
    {.api_version = "apps/v1", .schema = &daemon_set_schema}, {0}};
const struct kind_type daemon_set_kind = {
    .versions = daemon_set_versions,
    .namespaced = true,
    .set_defaults = daemon_set_set_defaults,
    .validate = daemon_set_validate,
};
