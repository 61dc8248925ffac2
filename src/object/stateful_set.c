/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/workload_parts.h"

#include <string.h>

static const struct enum_name management_policies[] = {
    {"OrderedReady", POD_MANAGEMENT_ORDERED_READY},
    {"Parallel", POD_MANAGEMENT_PARALLEL},
    {0},
};
static const struct enum_name strategies[] = {
    {"RollingUpdate", UPDATE_ROLLING},
    {"OnDelete", UPDATE_ON_DELETE},
    {0},
};

/* Of the claims that each pod gets only the names are kept. */
static void claims_decode(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    struct stateful_set *set = base;
    if (!sequence_expected(reading, path, value))
        return;
    set->volume_claim_template_count = value->count;
    set->volume_claim_template_names = ARENA_ARRAY(reading->arena, const char *, value->count);
    for (uint32_t i = 0; i < value->count; i++)
        set->volume_claim_template_names[i] =
            value_find_string(value_find(&value->items[i], "metadata"), "name");
}

static void claims_encode(struct arena *scratch, struct json_out *json, const char *key,
                          const void *base)
{
    (void)scratch;
    const struct stateful_set *set = base;
    if (!set->volume_claim_template_count)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < set->volume_claim_template_count; i++) {
        json_object_begin(json, NULL);
        json_object_end(json);
    }
    json_array_end(json);
}

static const struct field_hook claims_hook = {claims_decode, claims_encode, NULL};

static const struct field rolling_update_fields[] = {
    FIELD_INT_OR_PERCENT("maxUnavailable", stateful_set, max_unavailable),
    FIELD_INT32("partition", stateful_set, partition, 0, 0, INT32_MAX, 0),
};
static const struct schema rolling_update_schema =
    SCHEMA_COMPLETE(stateful_set, rolling_update_fields, nothing_unused);

static const struct field strategy_fields[] = {
    FIELD_NESTED("rollingUpdate", 0, rolling_update_schema),
    FIELD_ENUM("type", stateful_set, update_strategy, 0, strategies, UPDATE_ROLLING),
};
static const struct schema strategy_schema =
    SCHEMA_COMPLETE(stateful_set, strategy_fields, nothing_unused);

static const struct field ordinals_fields[] = {
    FIELD_INT32("start", stateful_set, start_ordinal, 0, 0, INT32_MAX, 0),
};
static const struct schema ordinals_schema =
    SCHEMA_COMPLETE(stateful_set, ordinals_fields, nothing_unused);

static const struct field stateful_set_spec_fields[] = {
    FIELD_INT32("minReadySeconds", stateful_set, min_ready_seconds, 0, 0, INT32_MAX, 0),
    FIELD_NESTED("ordinals", 0, ordinals_schema),
    FIELD_ENUM("podManagementPolicy", stateful_set, pod_management_policy, 0, management_policies,
               POD_MANAGEMENT_ORDERED_READY),
    FIELD_INT32("replicas", stateful_set, replicas, 0, 0, INT32_MAX, 1),
    FIELD_INT32("revisionHistoryLimit", stateful_set, revision_history_limit, 0, 0, INT32_MAX, 10),
    FIELD_POINTER("selector", stateful_set, selector, FIELD_REQUIRED, label_selector_schema),
    FIELD_STRING("serviceName", stateful_set, service_name, 0),
    FIELD_STRUCT("template", stateful_set, template, FIELD_REQUIRED, pod_template_schema),
    FIELD_NESTED("updateStrategy", 0, strategy_schema),
    FIELD_HOOK("volumeClaimTemplates", claims_hook),
};
static const char *const stateful_set_spec_unused[] = {"persistentVolumeClaimRetentionPolicy",
                                                       NULL};
static const struct schema stateful_set_spec_schema =
    SCHEMA_COMPLETE(stateful_set, stateful_set_spec_fields, stateful_set_spec_unused);

static const struct field stateful_set_status_fields[] = {
    FIELD_INT32("availableReplicas", stateful_set_status, available_replicas, 0, 0, INT32_MAX, 0),
    FIELD_OPTIONAL_INT("collisionCount", stateful_set_status, collision_count, 0, INT32_MAX),
    FIELD_INT32("currentReplicas", stateful_set_status, current_replicas, 0, 0, INT32_MAX, 0),
    FIELD_STRING("currentRevision", stateful_set_status, current_revision, 0),
    FIELD_INT64("observedGeneration", stateful_set_status, observed_generation, 0, 0, INT64_MAX, 0),
    FIELD_INT32("readyReplicas", stateful_set_status, ready_replicas, 0, 0, INT32_MAX, 0),
    FIELD_INT32("replicas", stateful_set_status, replicas, 0, 0, INT32_MAX, 0),
    FIELD_STRING("updateRevision", stateful_set_status, update_revision, 0),
    FIELD_INT32("updatedReplicas", stateful_set_status, updated_replicas, 0, 0, INT32_MAX, 0),
};
static const struct schema stateful_set_status_schema =
    SCHEMA(stateful_set_status, stateful_set_status_fields);

static const struct field stateful_set_fields[] = {
    FIELD_STRUCT("metadata", stateful_set, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, stateful_set_spec_schema),
    FIELD_STRUCT("status", stateful_set, status, 0, stateful_set_status_schema),
};
static const struct schema stateful_set_schema =
    SCHEMA_COMPLETE(stateful_set, stateful_set_fields, object_unused);

static bool has_claim_template(const struct stateful_set *set, const char *name)
{
    for (uint32_t i = 0; name && i < set->volume_claim_template_count; i++) {
        const char *other = set->volume_claim_template_names[i];
        if (other && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

/* A pod gets its own claim in the place of the template's volume of that name. */
static void replace_volumes(const struct stateful_set *set, struct pod_spec *spec)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < spec->volume_count; i++)
        if (!has_claim_template(set, spec->volumes[i].name))
            spec->volumes[kept++] = spec->volumes[i];
    spec->volume_count = kept;
}

static void stateful_set_set_defaults(struct arena *arena, void *object)
{
    struct stateful_set *set = object;
    replace_volumes(set, &set->template.spec);
    pod_spec_set_defaults(arena, &set->template.spec);
}

static void stateful_set_validate(struct reading *reading, const struct path *path,
                                  const void *object)
{
    const struct stateful_set *set = object;
    const struct path meta = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path strategy = path_field(&spec, "updateStrategy");
    const struct path rolling_update = path_field(&strategy, "rollingUpdate");
    const struct path unavailable = path_field(&rolling_update, "maxUnavailable");
    object_meta_validate(reading, &meta, &set->meta, NAME_DNS_SUBDOMAIN);
    workload_selector_validate(reading, &spec, set->selector, &set->template);
    service_template_validate(reading, &spec, &set->template);
    if (set->update_strategy == UPDATE_ON_DELETE)
        strategy_forbids(reading, &rolling_update, "type OnDelete");
    percent_most_validate(reading, &unavailable, set->max_unavailable);
    if (set->max_unavailable.set && set->max_unavailable.value == 0)
        reading_error(reading, &unavailable, "expected more than 0, found 0");
}

static const struct kind_version stateful_set_versions[] = {
    {.api_version = "apps/v1", .schema = &stateful_set_schema}, {0}};
const struct kind_type stateful_set_kind = {
    .versions = stateful_set_versions,
    .namespaced = true,
    .set_defaults = stateful_set_set_defaults,
    .validate = stateful_set_validate,
};
