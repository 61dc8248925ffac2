/* SPDX-License-Identifier: Apache-2.0 */
/* The controllers of a Check, and their configuration. */
#include "object/check_controllers.h"

#include "manifest/document.h"
#include "object/check_node_groups.h"
#include "object/check_values.h"
#include "object/json_schema.h"
#include "object/time.h"
#include "object/typed_object.h"

#define SECOND INT64_C(1000000000)
#define MINUTE (60 * SECOND)

/* An object of a known kind inside the check, with its own list of problems.
 * NULL if there is an error in it. */
static void *decode_inline(struct reading *reading, const struct path *path, enum object_kind kind,
                           const struct kind_type *type)
{
    const uint32_t errors = reading->problems->errors;
    const struct value *value = path_value(reading->root, path);
    struct object object = {.kind = kind};
    struct reading own;
    reading_init(&own, reading->arena, reading->root, reading->problems);
    /* A key that is given twice, which was reported before, hides one of its values
     * from the path. */
    if (value == NULL || !mapping_expected(&own, path, value))
        return NULL;
    typed_object_decode(&own, path, value, type, NULL, &object);
    return reading->problems->errors == errors ? object.as.any : NULL;
}

static void encode_inline(struct arena *scratch, struct json_out *json, const char *key,
                          enum object_kind kind, const struct kind_type *type, const void *content)
{
    if (content != NULL)
        typed_object_encode(scratch, json, key, kind, type, content);
}

/* ---- scheduler, descheduler ---- */

static void decode_configuration(struct reading *reading, const struct path *path,
                                 const struct value *value, void *base)
{
    (void)value;
    ((struct check_scheduler *)base)->configuration =
        decode_inline(reading, path, OBJECT_SCHEDULER_CONFIGURATION, &scheduler_configuration_kind);
}

static void encode_configuration(struct arena *scratch, struct json_out *json, const char *key,
                                 const void *base)
{
    encode_inline(scratch, json, key, OBJECT_SCHEDULER_CONFIGURATION, &scheduler_configuration_kind,
                  ((const struct check_scheduler *)base)->configuration);
}

static void decode_policy(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    (void)value;
    ((struct check_descheduler *)base)->policy =
        decode_inline(reading, path, OBJECT_DESCHEDULER_POLICY, &descheduler_policy_kind);
}

static void encode_policy(struct arena *scratch, struct json_out *json, const char *key,
                          const void *base)
{
    encode_inline(scratch, json, key, OBJECT_DESCHEDULER_POLICY, &descheduler_policy_kind,
                  ((const struct check_descheduler *)base)->policy);
}

static const struct field_hook configuration_hook = {.decode = decode_configuration,
                                                     .encode = encode_configuration,
                                                     .kind = &scheduler_configuration_kind};
static const struct field_hook policy_hook = {
    .decode = decode_policy, .encode = encode_policy, .kind = &descheduler_policy_kind};

static const struct field scheduler_fields[] = {
    FIELD_HOOK("configuration", configuration_hook),
    FIELD_BOOLEAN("separate", check_scheduler, separate, false),
};
static const struct schema scheduler_schema = SCHEMA_STRICT(check_scheduler, scheduler_fields);

static const struct field descheduler_fields[] = {
    FIELD_DURATION("interval", check_descheduler, interval_ns, 5 * MINUTE),
    {.name = "policy", .type = FIELD_TYPE_HOOK, .flags = FIELD_REQUIRED, .hook = &policy_hook},
    FIELD_STRING("version", check_descheduler, version, 0),
};
static const struct schema descheduler_schema =
    SCHEMA_STRICT(check_descheduler, descheduler_fields);

/* ---- autoscalers ---- */

static void decode_tolerance(struct reading *reading, const struct path *path,
                             const struct value *value, void *base)
{
    number_decode(reading, path, value, 0, &((struct check_autoscaler *)base)->tolerance);
}

static void encode_tolerance(struct arena *scratch, struct json_out *json, const char *key,
                             const void *base)
{
    (void)scratch;
    json_number(json, key, ((const struct check_autoscaler *)base)->tolerance);
}

static const struct field_hook tolerance_hook = {.decode = decode_tolerance,
                                                 .encode = encode_tolerance,
                                                 .shape = "{\"type\":\"number\",\"minimum\":0}"};

static const struct field autoscaler_fields[] = {
    FIELD_DURATION("downscaleStabilization", check_autoscaler, downscale_stabilization_ns,
                   5 * MINUTE),
    FIELD_DURATION("syncPeriod", check_autoscaler, sync_period_ns, 15 * SECOND),
    FIELD_HOOK("tolerance", tolerance_hook),
};
static const struct schema autoscaler_schema = SCHEMA_STRICT(check_autoscaler, autoscaler_fields);

/* Rows of fractions have no fallback, so it is set here. */
static void decode_autoscaler(struct reading *reading, const struct path *path,
                              const struct value *value, void *base)
{
    struct check_autoscaler *autoscaler = schema_new(reading->arena, &autoscaler_schema);
    autoscaler->tolerance = 0.1;
    schema_decode(reading, path, &autoscaler_schema, value, autoscaler);
    ((struct check_controllers *)base)->horizontal_pod_autoscaler = autoscaler;
}

static void encode_autoscaler(struct arena *scratch, struct json_out *json, const char *key,
                              const void *base)
{
    const struct check_controllers *controllers = base;
    if (controllers->horizontal_pod_autoscaler != NULL)
        schema_encode(scratch, json, key, &autoscaler_schema,
                      controllers->horizontal_pod_autoscaler);
}

static const struct field_hook autoscaler_hook = {
    .decode = decode_autoscaler, .encode = encode_autoscaler, .schema = &autoscaler_schema};

/* ---- groups of the cluster autoscaler ---- */

static void decode_price(struct reading *reading, const struct path *path,
                         const struct value *value, void *base)
{
    struct autoscaled_group *group = base;
    group->has_price = true;
    number_decode(reading, path, value, 0, &group->price);
}

static void encode_price(struct arena *scratch, struct json_out *json, const char *key,
                         const void *base)
{
    const struct autoscaled_group *group = base;
    (void)scratch;
    if (group->has_price)
        json_number(json, key, group->price);
}

static void decode_template(struct reading *reading, const struct path *path,
                            const struct value *value, void *base)
{
    struct autoscaled_group *group = base;
    group->template = node_of_group_decode(reading, path, value);
}

static void encode_template(struct arena *scratch, struct json_out *json, const char *key,
                            const void *base)
{
    const struct autoscaled_group *group = base;
    if (group->template)
        node_of_group_encode(scratch, json, key, group->template);
}

static void decode_own_options(struct reading *reading, const struct path *path,
                               const struct value *value, void *base)
{
    if (mapping_expected(reading, path, value))
        ((struct autoscaled_group *)base)->options = value;
}

static void encode_own_options(struct arena *scratch, struct json_out *json, const char *key,
                               const void *base)
{
    const struct autoscaled_group *group = base;
    (void)scratch;
    if (group->options)
        value_write_json(json, key, group->options);
}

static const struct field_hook price_hook = {decode_price, encode_price};
static const struct field_hook template_hook = {decode_template, encode_template};
static const struct field_hook own_options_hook = {decode_own_options, encode_own_options};

static const struct field autoscaled_group_fields[] = {
    FIELD_INT32("max", autoscaled_group, count.max, FIELD_REQUIRED, 0, INT32_MAX, 0),
    FIELD_INT32("min", autoscaled_group, count.min, 0, 0, INT32_MAX, 0),
    FIELD_HOOK("options", own_options_hook),
    FIELD_HOOK("price", price_hook),
    FIELD_HOOK("template", template_hook),
};
static const struct schema autoscaled_group_schema =
    SCHEMA_STRICT(autoscaled_group, autoscaled_group_fields);

static void decode_groups(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    struct check_cluster_autoscaler *autoscaler = base;
    if (!mapping_expected(reading, path, value))
        return;
    autoscaler->group_count = 0;
    autoscaler->groups = ARENA_ARRAY(reading->arena, struct autoscaled_group, value->count);
    VALUE_EACH_MEMBER(value, member)
    {
        const struct path entry = path_field(path, member->key);
        struct autoscaled_group *group = &autoscaler->groups[autoscaler->group_count++];
        group->name = member->key;
        if (member->value.kind != VALUE_MAPPING) {
            count_range_decode(reading, &entry, &member->value, false, &group->count);
            continue;
        }
        group->count.given = true;
        schema_decode(reading, &entry, &autoscaled_group_schema, &member->value, group);
        if (group->count.min > group->count.max)
            reading_error(reading, &entry, "expected min to be at most max, found %d and %d",
                          group->count.min, group->count.max);
    }
}

static void encode_groups(struct arena *scratch, struct json_out *json, const char *key,
                          const void *base)
{
    const struct check_cluster_autoscaler *autoscaler = base;
    json_object_begin(json, key);
    for (uint32_t i = 0; i < autoscaler->group_count; i++)
        schema_encode(scratch, json, autoscaler->groups[i].name, &autoscaled_group_schema,
                      &autoscaler->groups[i]);
    json_object_end(json);
}

static const struct field_hook groups_hook = {
    .decode = decode_groups,
    .encode = encode_groups,
    .shape = "{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[" SHAPE_COUNT_RANGE
             ",{\"type\":\"object\",\"required\":[\"max\"],\"additionalProperties\":false,"
             "\"properties\":{\"min\":{\"type\":\"integer\",\"minimum\":0},\"max\":{\"type\":"
             "\"integer\",\"minimum\":0},\"price\":{\"type\":\"number\",\"minimum\":0},"
             "\"template\":{\"type\":\"object\"},\"options\":{\"type\":\"object\"}}}]}}"};

/* What the flags are is known to those who decide by them. */
static void decode_flags(struct reading *reading, const struct path *path,
                         const struct value *value, void *base)
{
    if (mapping_expected(reading, path, value))
        ((struct check_cluster_autoscaler *)base)->flags = value;
}

static void encode_flags(struct arena *scratch, struct json_out *json, const char *key,
                         const void *base)
{
    const struct check_cluster_autoscaler *autoscaler = base;
    (void)scratch;
    if (autoscaler->flags != NULL)
        value_write_json(json, key, autoscaler->flags);
}

static const struct field_hook flags_hook = {
    .decode = decode_flags, .encode = encode_flags, .shape = "{\"type\":\"object\"}"};

static const struct field cluster_autoscaler_fields[] = {
    FIELD_HOOK("flags", flags_hook),
    FIELD_HOOK("groups", groups_hook),
    FIELD_DURATION("unneededTime", check_cluster_autoscaler, unneeded_time_ns, 10 * MINUTE),
};
static const struct schema cluster_autoscaler_schema =
    SCHEMA_STRICT(check_cluster_autoscaler, cluster_autoscaler_fields);

/* ---- all of them ---- */

static const struct field controllers_fields[] = {
    FIELD_POINTER("clusterAutoscaler", check_controllers, cluster_autoscaler, 0,
                  cluster_autoscaler_schema),
    FIELD_POINTER("descheduler", check_controllers, descheduler, 0, descheduler_schema),
    FIELD_HOOK("horizontalPodAutoscaler", autoscaler_hook),
    FIELD_POINTER("scheduler", check_controllers, scheduler, 0, scheduler_schema),
};
const struct schema check_controllers_schema = SCHEMA_STRICT(check_controllers, controllers_fields);

static void validate_duration(struct reading *reading, const struct path *parent, const char *name,
                              int64_t duration_ns, int64_t least_ns)
{
    const struct path path = path_field(parent, name);
    if (duration_ns < least_ns)
        reading_error(reading, &path, "expected a duration %s, found %s",
                      least_ns > 0 ? "above 0s" : "of at least 0s",
                      duration_format(reading->problems->arena, duration_ns));
}

void check_controllers_validate(struct reading *reading, const struct path *path,
                                const struct check *check)
{
    const struct check_controllers *controllers = &check->controllers;
    if (controllers->descheduler != NULL) {
        const struct path descheduler = path_field(path, "descheduler");
        validate_duration(reading, &descheduler, "interval", controllers->descheduler->interval_ns,
                          1);
    }
    if (controllers->horizontal_pod_autoscaler != NULL) {
        const struct check_autoscaler *autoscaler = controllers->horizontal_pod_autoscaler;
        const struct path hpa = path_field(path, "horizontalPodAutoscaler");
        validate_duration(reading, &hpa, "syncPeriod", autoscaler->sync_period_ns, 1);
        validate_duration(reading, &hpa, "downscaleStabilization",
                          autoscaler->downscale_stabilization_ns, 0);
    }
    if (controllers->cluster_autoscaler != NULL) {
        const struct check_cluster_autoscaler *autoscaler = controllers->cluster_autoscaler;
        const struct path cluster = path_field(path, "clusterAutoscaler");
        const struct path groups = path_field(&cluster, "groups");
        validate_duration(reading, &cluster, "unneededTime", autoscaler->unneeded_time_ns, 0);
        for (uint32_t i = 0; i < autoscaler->group_count; i++) {
            const struct path group = path_field(&groups, autoscaler->groups[i].name);
            group_name_validate(reading, &group, check, autoscaler->groups[i].name);
        }
    }
}
