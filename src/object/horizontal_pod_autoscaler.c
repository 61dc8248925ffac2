/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HorizontalPodAutoscaler: autoscaling/v2 and v2beta2, which have the same
 * fields, and v1, which has only a target for CPU.
 */
#include "object/autoscaler.h"

#include "object/kind.h"
#include "object/names.h"
#include "object/schemas.h"

#include <string.h>

enum { PERIOD_SECONDS_MOST = 1800, WINDOW_SECONDS_MOST = 3600, CPU_UTILIZATION_DEFAULT = 80 };

/* ---- metrics ---- */

static const struct enum_name metric_source_names[] = {
    {"Resource", METRIC_RESOURCE}, {"ContainerResource", METRIC_CONTAINER_RESOURCE},
    {"Pods", METRIC_PODS},         {"Object", METRIC_OBJECT},
    {"External", METRIC_EXTERNAL}, {NULL, 0},
};

/* The field that holds the source of each type. */
static const char *const source_fields[] = {
    [METRIC_RESOURCE] = "resource", [METRIC_CONTAINER_RESOURCE] = "containerResource",
    [METRIC_PODS] = "pods",         [METRIC_OBJECT] = "object",
    [METRIC_EXTERNAL] = "external",
};

enum { SOURCE_COUNT = sizeof(source_fields) / sizeof(source_fields[0]) };

static const struct enum_name target_type_names[] = {
    {"Utilization", METRIC_UTILIZATION},
    {"AverageValue", METRIC_AVERAGE_VALUE},
    {"Value", METRIC_VALUE},
    {NULL, 0},
};

static const struct field target_fields[] = {
    FIELD_OPTIONAL_INT("averageUtilization", metric_target, average_utilization, 1, INT32_MAX),
    FIELD_QUANTITY_POINTER("averageValue", metric_target, average_value),
    FIELD_ENUM("type", metric_target, type, FIELD_REQUIRED, target_type_names, METRIC_UTILIZATION),
    FIELD_QUANTITY_POINTER("value", metric_target, value),
};
static const struct schema target_schema = SCHEMA(metric_target, target_fields);

static const struct field reference_fields[] = {
    FIELD_STRING("apiVersion", object_reference, api_version, 0),
    FIELD_STRING("kind", object_reference, kind, FIELD_REQUIRED),
    FIELD_STRING("name", object_reference, name, FIELD_REQUIRED),
};
static const struct schema reference_schema = SCHEMA(object_reference, reference_fields);

static const struct field identifier_fields[] = {
    FIELD_STRING("name", metric_spec, metric, FIELD_REQUIRED),
    FIELD_POINTER("selector", metric_spec, metric_selector, 0, label_selector_schema),
};
static const struct schema identifier_schema = SCHEMA(metric_spec, identifier_fields);

static const struct field resource_fields[] = {
    FIELD_STRING("name", metric_spec, resource, FIELD_REQUIRED),
    FIELD_STRUCT("target", metric_spec, target, FIELD_REQUIRED, target_schema),
};
static const struct schema resource_schema = SCHEMA(metric_spec, resource_fields);

static const struct field container_resource_fields[] = {
    FIELD_STRING("container", metric_spec, container, FIELD_REQUIRED),
    FIELD_STRING("name", metric_spec, resource, FIELD_REQUIRED),
    FIELD_STRUCT("target", metric_spec, target, FIELD_REQUIRED, target_schema),
};
static const struct schema container_resource_schema =
    SCHEMA(metric_spec, container_resource_fields);

/* Pods and External have the same fields. */
static const struct field pods_fields[] = {
    FIELD_NESTED("metric", FIELD_REQUIRED, identifier_schema),
    FIELD_STRUCT("target", metric_spec, target, FIELD_REQUIRED, target_schema),
};
static const struct schema pods_schema = SCHEMA(metric_spec, pods_fields);

static const struct field object_fields[] = {
    FIELD_STRUCT("describedObject", metric_spec, described_object, FIELD_REQUIRED,
                 reference_schema),
    FIELD_NESTED("metric", FIELD_REQUIRED, identifier_schema),
    FIELD_STRUCT("target", metric_spec, target, FIELD_REQUIRED, target_schema),
};
static const struct schema object_schema = SCHEMA(metric_spec, object_fields);

static const struct schema *const source_schemas[] = {
    [METRIC_RESOURCE] = &resource_schema, [METRIC_CONTAINER_RESOURCE] = &container_resource_schema,
    [METRIC_PODS] = &pods_schema,         [METRIC_OBJECT] = &object_schema,
    [METRIC_EXTERNAL] = &pods_schema,
};

/* The sources share members, so only the one that `type` names may be written. */
static void encode_source(struct arena *scratch, struct json_out *json, const char *key,
                          const void *base)
{
    const struct metric_spec *metric = base;
    if (strcmp(source_fields[metric->source], key) == 0)
        schema_encode(scratch, json, key, source_schemas[metric->source], metric);
}

static void decode_source(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    for (int i = 0; i < SOURCE_COUNT; i++)
        if (strcmp(source_fields[i], path->name) == 0)
            schema_decode(reading, path, source_schemas[i], value, base);
}

static const struct field_hook source_hook = {decode_source, encode_source};

static const struct field metric_fields[] = {
    FIELD_HOOK("containerResource", source_hook),
    FIELD_HOOK("external", source_hook),
    FIELD_HOOK("object", source_hook),
    FIELD_HOOK("pods", source_hook),
    FIELD_HOOK("resource", source_hook),
    FIELD_ENUM("type", metric_spec, source, FIELD_REQUIRED, metric_source_names, METRIC_RESOURCE),
};
static const struct schema metric_schema = SCHEMA(metric_spec, metric_fields);

/* ---- behavior ---- */

static const struct enum_name policy_type_names[] = {
    {"Pods", SCALING_PODS}, {"Percent", SCALING_PERCENT}, {NULL, 0}};

static const struct enum_name select_names[] = {{"Max", SCALING_SELECT_MAX},
                                                {"Min", SCALING_SELECT_MIN},
                                                {"Disabled", SCALING_SELECT_DISABLED},
                                                {NULL, 0}};

static const struct field policy_fields[] = {
    FIELD_INT32("periodSeconds", scaling_policy, period_seconds, FIELD_REQUIRED, 1,
                PERIOD_SECONDS_MOST, 0),
    FIELD_ENUM("type", scaling_policy, type, FIELD_REQUIRED, policy_type_names, SCALING_PODS),
    FIELD_INT32("value", scaling_policy, value, FIELD_REQUIRED, 1, INT32_MAX, 0),
};
static const struct schema policy_schema = SCHEMA(scaling_policy, policy_fields);

static const struct field rules_fields[] = {
    FIELD_LIST("policies", scaling_rules, policies, policy_count, 0, policy_schema),
    FIELD_ENUM("selectPolicy", scaling_rules, select_policy, 0, select_names, SCALING_SELECT_MAX),
    FIELD_OPTIONAL_INT("stabilizationWindowSeconds", scaling_rules, stabilization_window_seconds, 0,
                       WINDOW_SECONDS_MOST),
    FIELD_QUANTITY_POINTER("tolerance", scaling_rules, tolerance),
};
static const struct schema rules_schema = SCHEMA(scaling_rules, rules_fields);

static const struct field behavior_fields[] = {
    FIELD_STRUCT("scaleDown", horizontal_pod_autoscaler, scale_down, 0, rules_schema),
    FIELD_STRUCT("scaleUp", horizontal_pod_autoscaler, scale_up, 0, rules_schema),
};
static const struct schema behavior_schema = SCHEMA(horizontal_pod_autoscaler, behavior_fields);

static void decode_behavior(struct reading *reading, const struct path *path,
                            const struct value *value, void *base)
{
    struct horizontal_pod_autoscaler *autoscaler = base;
    autoscaler->has_behavior = true;
    schema_decode(reading, path, &behavior_schema, value, base);
}

static void encode_behavior(struct arena *scratch, struct json_out *json, const char *key,
                            const void *base)
{
    const struct horizontal_pod_autoscaler *autoscaler = base;
    if (autoscaler->has_behavior)
        schema_encode(scratch, json, key, &behavior_schema, base);
}

static const struct field_hook behavior_hook = {decode_behavior, encode_behavior};

/* ---- the object ---- */

static const struct field current_value_fields[] = {
    FIELD_OPTIONAL_INT("averageUtilization", current_metric, average_utilization, 0, INT32_MAX),
    FIELD_QUANTITY_POINTER("averageValue", current_metric, average_value),
};
static const struct schema current_value_schema = SCHEMA(current_metric, current_value_fields);

static const struct field current_resource_fields[] = {
    FIELD_NESTED("current", 0, current_value_schema),
    FIELD_STRING("name", current_metric, resource, 0),
};
static const struct schema current_resource_schema =
    SCHEMA(current_metric, current_resource_fields);

static const struct field current_metric_fields[] = {
    FIELD_NESTED("resource", 0, current_resource_schema),
};
static const struct schema current_metric_schema = SCHEMA(current_metric, current_metric_fields);

static const struct field status_fields[] = {
    FIELD_LIST("conditions", horizontal_pod_autoscaler_status, conditions.items, conditions.count,
               0, condition_schema),
    FIELD_OPTIONAL_INT("currentCPUUtilizationPercentage", horizontal_pod_autoscaler_status,
                       cpu_utilization, 0, INT32_MAX),
    FIELD_LIST("currentMetrics", horizontal_pod_autoscaler_status, current_metrics,
               current_metric_count, 0, current_metric_schema),
    FIELD_INT32("currentReplicas", horizontal_pod_autoscaler_status, current_replicas, 0, 0,
                INT32_MAX, 0),
    FIELD_INT32("desiredReplicas", horizontal_pod_autoscaler_status, desired_replicas, 0, 0,
                INT32_MAX, 0),
    FIELD_INSTANT("lastScaleTime", horizontal_pod_autoscaler_status, last_scale_time),
    FIELD_INT64("observedGeneration", horizontal_pod_autoscaler_status, observed_generation, 0,
                INT64_MIN, INT64_MAX, 0),
};
static const struct schema status_schema = SCHEMA(horizontal_pod_autoscaler_status, status_fields);

#define MAX_REPLICAS_FIELD                                                                 \
    FIELD_INT32("maxReplicas", horizontal_pod_autoscaler, max_replicas, FIELD_REQUIRED, 1, \
                INT32_MAX, 0)
#define MIN_REPLICAS_FIELD \
    FIELD_INT32("minReplicas", horizontal_pod_autoscaler, min_replicas, 0, 0, INT32_MAX, 1)
#define SCALE_TARGET_FIELD                                                                  \
    FIELD_STRUCT("scaleTargetRef", horizontal_pod_autoscaler, scale_target, FIELD_REQUIRED, \
                 reference_schema)

static const struct field spec_fields[] = {
    FIELD_HOOK("behavior", behavior_hook),
    MAX_REPLICAS_FIELD,
    FIELD_LIST("metrics", horizontal_pod_autoscaler, metrics, metric_count, 0, metric_schema),
    MIN_REPLICAS_FIELD,
    SCALE_TARGET_FIELD,
};
static const struct schema spec_schema = SCHEMA(horizontal_pod_autoscaler, spec_fields);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", horizontal_pod_autoscaler, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, spec_schema),
    FIELD_STRUCT("status", horizontal_pod_autoscaler, status, 0, status_schema),
};
static const struct schema schema = SCHEMA(horizontal_pod_autoscaler, fields);

/* ---- autoscaling/v1 ---- */

static void set_cpu_utilization(struct arena *arena, struct horizontal_pod_autoscaler *autoscaler,
                                int64_t percent)
{
    autoscaler->metrics = ARENA_NEW(arena, struct metric_spec);
    autoscaler->metric_count = 1;
    *autoscaler->metrics = (struct metric_spec){
        .source = METRIC_RESOURCE,
        .resource = "cpu",
        .target = {.type = METRIC_UTILIZATION, .average_utilization = {true, percent}},
    };
}

static void decode_target_cpu(struct reading *reading, const struct path *path,
                              const struct value *value, void *base)
{
    int64_t percent;
    if (!value_read_integer(value, &percent) || percent < 1 || percent > INT32_MAX)
        reading_expected(reading, path, value, "a number of at least 1");
    else
        set_cpu_utilization(reading->arena, base, percent);
}

/* What is written is always v2. */
static const struct field_hook target_cpu_hook = {decode_target_cpu, encode_nothing};

static const struct field spec_v1_fields[] = {
    MAX_REPLICAS_FIELD,
    MIN_REPLICAS_FIELD,
    SCALE_TARGET_FIELD,
    FIELD_HOOK("targetCPUUtilizationPercentage", target_cpu_hook),
};
static const struct schema spec_v1_schema = SCHEMA(horizontal_pod_autoscaler, spec_v1_fields);

static const struct field v1_fields[] = {
    FIELD_STRUCT("metadata", horizontal_pod_autoscaler, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, spec_v1_schema),
    FIELD_STRUCT("status", horizontal_pod_autoscaler, status, 0, status_schema),
};
static const struct schema v1_schema = SCHEMA(horizontal_pod_autoscaler, v1_fields);

/* The API server keeps what v1 has no fields for in annotations. They are not
 * written by hand, so they only get a warning. */
static void warn_about_annotations(struct reading *reading, const struct path *path, void *object)
{
    static const char *const keys[] = {"autoscaling.alpha.kubernetes.io/behavior",
                                       "autoscaling.alpha.kubernetes.io/metrics"};
    const struct horizontal_pod_autoscaler *autoscaler = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path annotations = path_field(&metadata, "annotations");
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const struct path annotation = path_field(&annotations, keys[i]);
        if (labels_find(&autoscaler->meta.annotations, keys[i]) != NULL)
            reading_warning(reading, &annotation,
                            "not looked at; write the autoscaler as autoscaling/v2 instead");
    }
}

/* ---- defaults ---- */

static const struct scaling_policy scale_up_policies[] = {{SCALING_PODS, 4, 15},
                                                          {SCALING_PERCENT, 100, 15}};
static const struct scaling_policy scale_down_policies[] = {{SCALING_PERCENT, 100, 15}};

static void set_default_policies(struct arena *arena, struct scaling_rules *rules,
                                 const struct scaling_policy *policies, uint32_t count)
{
    if (rules->policy_count > 0)
        return;
    rules->policies = arena_copy(arena, policies, count * sizeof(*policies));
    rules->policy_count = count;
}

static void set_defaults(struct arena *arena, void *object)
{
    struct horizontal_pod_autoscaler *autoscaler = object;
    if (autoscaler->metric_count == 0)
        set_cpu_utilization(arena, autoscaler, CPU_UTILIZATION_DEFAULT);
    if (!autoscaler->has_behavior)
        return;
    set_default_policies(arena, &autoscaler->scale_up, scale_up_policies, 2);
    set_default_policies(arena, &autoscaler->scale_down, scale_down_policies, 1);
    /* Going down, the window comes from the controller's flag. */
    autoscaler->scale_up.stabilization_window_seconds.set = true;
}

/* ---- validation ---- */

static bool is_present(const struct reading *reading, const struct path *path)
{
    return !value_is_null(path_value(reading->root, path));
}

static void validate_segment(struct reading *reading, const struct path *parent, const char *name,
                             const char *text)
{
    const struct path path = path_field(parent, name);
    if (text != NULL &&
        (strcmp(text, ".") == 0 || strcmp(text, "..") == 0 || strpbrk(text, "/%") != NULL))
        reading_error(reading, &path, "expected a name without / and %%, found \"%s\"", text);
}

static void validate_reference(struct reading *reading, const struct path *path,
                               const struct object_reference *reference)
{
    validate_segment(reading, path, "kind", reference->kind);
    validate_segment(reading, path, "name", reference->name);
}

static void validate_positive(struct reading *reading, const struct path *parent, const char *name,
                              const struct quantity *quantity)
{
    const struct path path = path_field(parent, name);
    if (quantity != NULL && quantity->nanos <= 0)
        reading_error(reading, &path, "expected a quantity above 0, found %s",
                      quantity_format_text(reading->problems->arena, *quantity));
}

/* Which of the three values the source needs, and whether one of two or just one. */
static void validate_target(struct reading *reading, const struct path *source,
                            const struct metric_spec *metric)
{
    const struct path path = path_field(source, "target");
    const struct metric_target *target = &metric->target;
    validate_positive(reading, &path, "value", target->value);
    validate_positive(reading, &path, "averageValue", target->average_value);
    const bool utilization = target->average_utilization.set;
    const bool average = target->average_value != NULL;
    const bool value = target->value != NULL;
    switch (metric->source) {
    case METRIC_RESOURCE:
    case METRIC_CONTAINER_RESOURCE:
        if (utilization == average)
            reading_error(reading, &path, "expected averageUtilization or averageValue, found %s",
                          average ? "both" : "neither");
        break;
    case METRIC_PODS:
        if (!average)
            reading_error(reading, &path, "expected averageValue, which is missing");
        break;
    case METRIC_OBJECT:
        if (!value && !average)
            reading_error(reading, &path, "expected value or averageValue, found neither");
        break;
    case METRIC_EXTERNAL:
        if (value == average)
            reading_error(reading, &path, "expected value or averageValue, found %s",
                          value ? "both" : "neither");
        break;
    }
}

static void validate_identifier(struct reading *reading, const struct path *source,
                                const struct metric_spec *metric)
{
    const struct path path = path_field(source, "metric");
    validate_segment(reading, &path, "name", metric->metric);
    if (metric->metric_selector != NULL) {
        const struct path selector = path_field(&path, "selector");
        label_selector_validate(reading, &selector, metric->metric_selector);
    }
}

static void validate_metric(struct reading *reading, const struct path *path,
                            const struct metric_spec *metric)
{
    const struct path type = path_field(path, "type");
    if (!reading_is_sound(reading, &type))
        return;
    const struct path source = path_field(path, source_fields[metric->source]);
    for (int i = 0; i < SOURCE_COUNT; i++) {
        const struct path other = path_field(path, source_fields[i]);
        if (i != (int)metric->source && is_present(reading, &other))
            reading_error(reading, &other, "must not be given for a metric of type %s",
                          metric_source_names[metric->source].name);
    }
    if (!is_present(reading, &source)) {
        reading_missing(reading, &source);
        return;
    }
    validate_target(reading, &source, metric);
    if (metric->source == METRIC_CONTAINER_RESOURCE) {
        const struct path container = path_field(&source, "container");
        dns_label_validate(reading, &container, metric->container);
    }
    if (metric->source >= METRIC_PODS)
        validate_identifier(reading, &source, metric);
    if (metric->source == METRIC_OBJECT) {
        const struct path described = path_field(&source, "describedObject");
        validate_reference(reading, &described, &metric->described_object);
    }
}

/* A list that is there but empty is not the same as none. */
static void validate_rules(struct reading *reading, const struct path *parent, const char *name)
{
    const struct path rules = path_field(parent, name);
    const struct path policies = path_field(&rules, "policies");
    const struct value *list = path_value(reading->root, &policies);
    if (list != NULL && list->kind == VALUE_SEQUENCE && list->count == 0)
        reading_error(reading, &policies, "expected at least one policy, found none");
}

static void validate_replicas(struct reading *reading, const struct path *spec,
                              const struct horizontal_pod_autoscaler *autoscaler)
{
    const struct path max = path_field(spec, "maxReplicas");
    const struct path min = path_field(spec, "minReplicas");
    if (reading_is_sound(reading, &min) && autoscaler->max_replicas < autoscaler->min_replicas)
        reading_error(reading, &max, "expected at least minReplicas, which is %d, found %d",
                      autoscaler->min_replicas, autoscaler->max_replicas);
    bool scales_to_zero = false;
    for (uint32_t i = 0; i < autoscaler->metric_count; i++)
        scales_to_zero = scales_to_zero || autoscaler->metrics[i].source == METRIC_OBJECT ||
                         autoscaler->metrics[i].source == METRIC_EXTERNAL;
    /* The controller handles 0, and recorded clusters have it, so it is only a warning. */
    if (autoscaler->min_replicas == 0 && !scales_to_zero)
        reading_warning(reading, &min,
                        "the API server takes 0 only with a metric of type Object or External");
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct horizontal_pod_autoscaler *autoscaler = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    object_meta_validate(reading, &metadata, &autoscaler->meta, NAME_DNS_SUBDOMAIN);
    validate_replicas(reading, &spec, autoscaler);
    const struct path target = path_field(&spec, "scaleTargetRef");
    validate_reference(reading, &target, &autoscaler->scale_target);
    const struct path metrics = path_field(&spec, "metrics");
    for (uint32_t i = 0; is_present(reading, &metrics) && i < autoscaler->metric_count; i++) {
        const struct path metric = path_item(&metrics, i);
        validate_metric(reading, &metric, &autoscaler->metrics[i]);
    }
    const struct path behavior = path_field(&spec, "behavior");
    validate_rules(reading, &behavior, "scaleUp");
    validate_rules(reading, &behavior, "scaleDown");
}

static const struct kind_version versions[] = {
    {"autoscaling/v2", &schema, NULL},
    {"autoscaling/v2beta2", &schema, NULL},
    {"autoscaling/v1", &v1_schema, warn_about_annotations},
    {0},
};

const struct kind_type horizontal_pod_autoscaler_kind = {
    .versions = versions,
    .namespaced = true,
    .set_defaults = set_defaults,
    .validate = validate,
};
