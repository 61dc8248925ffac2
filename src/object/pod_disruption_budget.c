/* SPDX-License-Identifier: Apache-2.0 */
/* PodDisruptionBudget: policy/v1, and v1beta1 with its other reading of `{}`. */
#include "object/kind.h"
#include "object/policy.h"
#include "object/schemas.h"
#include "object/time.h"

#include <stdlib.h>
#include <string.h>

static int compare_disrupted_pods(const void *left, const void *right)
{
    return strcmp(((const struct disrupted_pod *)left)->name,
                  ((const struct disrupted_pod *)right)->name);
}

static const struct field time_row = FIELD_INSTANT("", disrupted_pod, time);

static void decode_disrupted_pods(struct reading *reading, const struct path *path,
                                  const struct value *value, void *base)
{
    struct pod_disruption_budget_status *status = base;
    if (!mapping_expected(reading, path, value))
        return;
    status->disrupted_pod_count = 0;
    status->disrupted_pods = ARENA_ARRAY(reading->arena, struct disrupted_pod, value->count);
    VALUE_EACH_MEMBER(value, member)
    {
        const struct path entry = path_field(path, member->key);
        struct disrupted_pod *pod = &status->disrupted_pods[status->disrupted_pod_count++];
        *pod = (struct disrupted_pod){member->key, TIME_NONE};
        if (!value_is_null(&member->value))
            field_decode(reading, &entry, &time_row, &member->value, pod);
    }
    if (status->disrupted_pod_count > 0)
        qsort(status->disrupted_pods, status->disrupted_pod_count, sizeof(*status->disrupted_pods),
              compare_disrupted_pods);
}

static void encode_disrupted_pods(struct arena *scratch, struct json_out *json, const char *key,
                                  const void *base)
{
    const struct pod_disruption_budget_status *status = base;
    if (status->disrupted_pod_count == 0)
        return;
    json_object_begin(json, key);
    for (uint32_t i = 0; i < status->disrupted_pod_count; i++) {
        const struct disrupted_pod *pod = &status->disrupted_pods[i];
        if (pod->time == TIME_NONE)
            json_null(json, pod->name);
        else
            json_string(json, pod->name, time_format(scratch, pod->time));
    }
    json_object_end(json);
}

static const struct field_hook disrupted_pods_hook = {decode_disrupted_pods, encode_disrupted_pods};

#define COUNT_FIELD(key, member) \
    FIELD_INT32(key, pod_disruption_budget_status, member, 0, 0, INT32_MAX, 0)

static const struct field status_fields[] = {
    FIELD_LIST("conditions", pod_disruption_budget_status, conditions.items, conditions.count, 0,
               condition_schema),
    COUNT_FIELD("currentHealthy", current_healthy),
    FIELD_INT32("desiredHealthy", pod_disruption_budget_status, desired_healthy, 0, INT32_MIN,
                INT32_MAX, 0),
    FIELD_HOOK("disruptedPods", disrupted_pods_hook),
    COUNT_FIELD("disruptionsAllowed", disruptions_allowed),
    COUNT_FIELD("expectedPods", expected_pods),
    FIELD_INT64("observedGeneration", pod_disruption_budget_status, observed_generation, 0,
                INT64_MIN, INT64_MAX, 0),
};
static const struct schema status_schema = SCHEMA(pod_disruption_budget_status, status_fields);

static const struct enum_name eviction_policy_names[] = {
    {"IfHealthyBudget", UNHEALTHY_IF_HEALTHY_BUDGET},
    {"AlwaysAllow", UNHEALTHY_ALWAYS_ALLOW},
    {NULL, 0},
};

static const struct field spec_fields[] = {
    FIELD_INT_OR_PERCENT("maxUnavailable", pod_disruption_budget, max_unavailable),
    FIELD_INT_OR_PERCENT("minAvailable", pod_disruption_budget, min_available),
    FIELD_POINTER("selector", pod_disruption_budget, selector, 0, label_selector_schema),
    FIELD_ENUM("unhealthyPodEvictionPolicy", pod_disruption_budget, unhealthy_eviction_policy, 0,
               eviction_policy_names, UNHEALTHY_IF_HEALTHY_BUDGET),
};
static const struct schema spec_schema = SCHEMA(pod_disruption_budget, spec_fields);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", pod_disruption_budget, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", 0, spec_schema),
    FIELD_STRUCT("status", pod_disruption_budget, status, 0, status_schema),
};
static const struct schema schema = SCHEMA(pod_disruption_budget, fields);

/* An empty selector was no selector before policy/v1. */
static void convert_v1beta1(struct reading *reading, const struct path *path, void *object)
{
    struct pod_disruption_budget *budget = object;
    const struct label_selector *selector = budget->selector;
    if (selector == NULL || selector->match_labels.count > 0 ||
        selector->match_expression_count > 0)
        return;
    budget->selector = NULL;
    const struct path spec = path_field(path, "spec");
    const struct path field = path_field(&spec, "selector");
    reading_warning(reading, &field,
                    "in policy/v1beta1 an empty selector matches no pod; in policy/v1 it matches "
                    "all of the namespace");
}

static void validate_share(struct reading *reading, const struct path *spec, const char *name,
                           struct int_or_percent value)
{
    const struct path path = path_field(spec, name);
    if (value.set && value.percent && value.value > 100)
        reading_error(reading, &path, "expected at most 100%%, found %lld%%",
                      (long long)value.value);
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct pod_disruption_budget *budget = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path selector = path_field(&spec, "selector");
    const struct path max_unavailable = path_field(&spec, "maxUnavailable");
    object_meta_validate(reading, &metadata, &budget->meta, NAME_DNS_SUBDOMAIN);
    if (budget->min_available.set && budget->max_unavailable.set)
        reading_error(reading, &max_unavailable, "must not be given together with minAvailable");
    validate_share(reading, &spec, "minAvailable", budget->min_available);
    validate_share(reading, &spec, "maxUnavailable", budget->max_unavailable);
    if (budget->selector != NULL)
        label_selector_validate(reading, &selector, budget->selector);
}

static const struct kind_version versions[] = {
    {"policy/v1", &schema, NULL},
    {"policy/v1beta1", &schema, convert_v1beta1},
    {0},
};

const struct kind_type pod_disruption_budget_kind = {
    .versions = versions,
    .namespaced = true,
    .validate = validate,
};
