/* SPDX-License-Identifier: Apache-2.0 */
/* DeschedulerPolicy: descheduler/v1alpha2, with profiles. */
#include "object/descheduler_policy.h"

#include "object/descheduler_arguments.h"
#include "object/descheduler_fields.h"
#include "object/descheduler_policy_v1alpha1.h"
#include "object/kind.h"
#include "object/names.h"
#include "object/schemas.h"

#include <string.h>

/* ---- enabled plugins ---- */

static const char *const point_names[] = {
    [DESCHEDULER_FILTER] = "filter",
    [DESCHEDULER_DESCHEDULE] = "deschedule",
    [DESCHEDULER_BALANCE] = "balance",
};

static void decode_enabled(struct reading *reading, const struct path *path,
                           const struct value *value, enum descheduler_point point,
                           struct descheduler_plugin_list *list)
{
    if (!sequence_expected(reading, path, value))
        return;
    list->count = 0;
    list->items = ARENA_ARRAY(reading->arena, enum descheduler_plugin, value->count);
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        const char *name = NULL;
        string_decode(reading, &item, &value->items[i], &name);
        if (name == NULL)
            continue;
        const enum descheduler_plugin plugin = descheduler_plugin_find(reading, &item, name);
        if (plugin == DESCHEDULER_PLUGIN_COUNT)
            continue;
        if (descheduler_arguments[plugin].point != point)
            reading_error(reading, &item, "%s is no %s plugin, but a %s plugin", name,
                          point_names[point], point_names[descheduler_arguments[plugin].point]);
        else
            list->items[list->count++] = plugin;
    }
}

static void encode_enabled(struct json_out *json, const char *key,
                           const struct descheduler_plugin_list *list)
{
    if (list->count == 0)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < list->count; i++)
        json_string(json, NULL, descheduler_plugin_name(list->items[i]));
    json_array_end(json);
}

static void decode_deschedule(struct reading *reading, const struct path *path,
                              const struct value *value, void *base)
{
    decode_enabled(reading, path, value, DESCHEDULER_DESCHEDULE,
                   &((struct descheduler_profile *)base)->deschedule);
}

static void encode_deschedule(struct arena *scratch, struct json_out *json, const char *key,
                              const void *base)
{
    (void)scratch;
    encode_enabled(json, key, &((const struct descheduler_profile *)base)->deschedule);
}

static void decode_balance(struct reading *reading, const struct path *path,
                           const struct value *value, void *base)
{
    decode_enabled(reading, path, value, DESCHEDULER_BALANCE,
                   &((struct descheduler_profile *)base)->balance);
}

static void encode_balance(struct arena *scratch, struct json_out *json, const char *key,
                           const void *base)
{
    (void)scratch;
    encode_enabled(json, key, &((const struct descheduler_profile *)base)->balance);
}

/* The default evictor is always enabled, and it is the only filter plugin. */
static void decode_filter(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    struct descheduler_plugin_list list = {0};
    (void)base;
    decode_enabled(reading, path, value, DESCHEDULER_FILTER, &list);
}

static const struct field_hook deschedule_hook = {decode_deschedule, encode_deschedule};
static const struct field_hook balance_hook = {decode_balance, encode_balance};
static const struct field_hook filter_hook = {decode_filter, encode_nothing};

/* The descheduler reads the list of disabled plugins and ignores it. */
static const char *const disabled_field[] = {"disabled", NULL};
static const struct field deschedule_fields[] = {FIELD_HOOK("enabled", deschedule_hook)};
static const struct schema deschedule_schema =
    SCHEMA_STRICT_COMPLETE(descheduler_profile, deschedule_fields, disabled_field);
static const struct field balance_fields[] = {FIELD_HOOK("enabled", balance_hook)};
static const struct schema balance_schema =
    SCHEMA_STRICT_COMPLETE(descheduler_profile, balance_fields, disabled_field);
static const struct field filter_fields[] = {FIELD_HOOK("enabled", filter_hook)};
static const struct schema filter_schema =
    SCHEMA_STRICT_COMPLETE(descheduler_profile, filter_fields, disabled_field);

static const struct field points_fields[] = {
    FIELD_NESTED("balance", 0, balance_schema),
    FIELD_NESTED("deschedule", 0, deschedule_schema),
    FIELD_NESTED("filter", 0, filter_schema),
    FIELD_NESTED("preevictionfilter", 0, filter_schema),
};
static const char *const sort_fields[] = {"presort", "sort", NULL};
static const struct schema points_schema =
    SCHEMA_STRICT_COMPLETE(descheduler_profile, points_fields, sort_fields);

/* ---- arguments ---- */

struct plugin_config {
    const char *name;
};

static const struct field config_fields[] = {
    FIELD_STRING("name", plugin_config, name, FIELD_REQUIRED),
};
static const char *const args_field[] = {"args", NULL};
static const struct schema config_schema =
    SCHEMA_STRICT_COMPLETE(plugin_config, config_fields, args_field);

static void decode_plugin_config(struct reading *reading, const struct path *path,
                                 const struct value *value, void *base)
{
    struct descheduler_profile *profile = base;
    if (!sequence_expected(reading, path, value))
        return;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        const struct path name = path_field(&item, "name");
        const struct path args = path_field(&item, "args");
        const struct value *arguments = value_find(&value->items[i], "args");
        struct plugin_config config = {0};
        schema_decode(reading, &item, &config_schema, &value->items[i], &config);
        if (config.name == NULL)
            continue;
        const enum descheduler_plugin plugin = descheduler_plugin_find(reading, &name, config.name);
        if (plugin == DESCHEDULER_PLUGIN_COUNT)
            continue;
        const struct descheduler_arguments *row = &descheduler_arguments[plugin];
        if (profile->configured[plugin])
            reading_error(reading, &name, "%s is configured already", config.name);
        else if (!value_is_null(arguments))
            schema_decode(reading, &args, row->schema, arguments, (char *)profile + row->offset);
        profile->configured[plugin] = true;
    }
}

static void encode_plugin_config(struct arena *scratch, struct json_out *json, const char *key,
                                 const void *base)
{
    const struct descheduler_profile *profile = base;
    json_array_begin(json, key);
    for (int i = 0; i < DESCHEDULER_PLUGIN_COUNT; i++) {
        if (!profile->configured[i])
            continue;
        json_object_begin(json, NULL);
        json_string(json, "name", descheduler_arguments[i].plugin);
        schema_encode(scratch, json, "args", descheduler_arguments[i].schema,
                      (const char *)base + descheduler_arguments[i].offset);
        json_object_end(json);
    }
    json_array_end(json);
}

static const struct field_hook plugin_config_hook = {decode_plugin_config, encode_plugin_config};

/* ---- profiles ---- */

static const struct field profile_fields[] = {
    FIELD_STRING("name", descheduler_profile, name, 0),
    FIELD_HOOK("pluginConfig", plugin_config_hook),
    FIELD_NESTED("plugins", 0, points_schema),
};
static const struct schema profile_schema = SCHEMA_STRICT(descheduler_profile, profile_fields);

static void decode_profiles(struct reading *reading, const struct path *path,
                            const struct value *value, void *base)
{
    struct descheduler_policy *policy = base;
    if (!sequence_expected(reading, path, value))
        return;
    policy->profiles = ARENA_ARRAY(reading->arena, struct descheduler_profile, value->count);
    policy->profile_count = value->count;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        descheduler_arguments_init(&policy->profiles[i]);
        schema_decode(reading, &item, &profile_schema, &value->items[i], &policy->profiles[i]);
    }
}

static void encode_profiles(struct arena *scratch, struct json_out *json, const char *key,
                            const void *base)
{
    const struct descheduler_policy *policy = base;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < policy->profile_count; i++)
        schema_encode(scratch, json, NULL, &profile_schema, &policy->profiles[i]);
    json_array_end(json);
}

static const struct field_hook profiles_hook = {decode_profiles, encode_profiles};

static const struct field fields[] = {
    FIELD_NOT_MODELLED("gracePeriodSeconds", "not modelled: evicted pods keep their own grace "
                                             "period"),
    DESCHEDULER_LIMIT_FIELDS,
    LATER("maxNoOfPodsToEvictTotal"),
    FIELD_HOOK("nodeSelector", descheduler_nodes_hook),
    FIELD_HOOK("profiles", profiles_hook),
};
static const char *const unused_fields[] = {"apiVersion",
                                            "evictionFailureEventNotification",
                                            "kind",
                                            "metadata",
                                            "metricsCollector",
                                            "metricsProviders",
                                            NULL};
static const struct schema schema =
    SCHEMA_STRICT_COMPLETE(descheduler_policy, fields, unused_fields);

/* ---- validation ---- */

static void warn_unless_configured(struct reading *reading, const struct path *path,
                                   const struct descheduler_profile *profile,
                                   const struct descheduler_plugin_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!profile->configured[list->items[i]])
            reading_warning(reading, path,
                            "%s is enabled but has no entry under pluginConfig; the descheduler "
                            "runs nothing of such a profile",
                            descheduler_plugin_name(list->items[i]));
}

static void validate_arguments(struct reading *reading, const struct path *path, const char *name,
                               const struct descheduler_profile *profile)
{
    for (int i = 0; i < DESCHEDULER_PLUGIN_COUNT; i++) {
        const struct descheduler_arguments *row = &descheduler_arguments[i];
        if (strcmp(row->plugin, name) == 0)
            row->validate(reading, path, (const char *)profile + row->offset);
    }
}

static void validate_profile(struct reading *reading, const struct path *path,
                             const struct descheduler_profile *profile)
{
    const struct path plugins = path_field(path, "plugins");
    const struct path configs = path_field(path, "pluginConfig");
    const struct value *list = path_value(reading->root, &configs);
    warn_unless_configured(reading, &plugins, profile, &profile->deschedule);
    warn_unless_configured(reading, &plugins, profile, &profile->balance);
    struct name_set seen;
    name_set_init(&seen, reading->arena);
    for (uint32_t i = 0; list != NULL && list->kind == VALUE_SEQUENCE && i < list->count; i++) {
        const struct path item = path_item(&configs, i);
        const struct path args = path_field(&item, "args");
        const char *name = value_find_string(&list->items[i], "name");
        /* Only the first entry of a plugin was read. */
        if (name != NULL && name_set_add(&seen, name))
            validate_arguments(reading, &args, name, profile);
    }
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct descheduler_policy *policy = object;
    const struct path profiles = path_field(path, "profiles");
    const struct value *list = path_value(reading->root, &profiles);
    /* Strategies of the old form were validated when they were converted. */
    for (uint32_t i = 0; list != NULL && i < policy->profile_count; i++) {
        const struct path profile = path_item(&profiles, i);
        validate_profile(reading, &profile, &policy->profiles[i]);
    }
}

static const struct kind_version versions[] = {
    {"descheduler/v1alpha2", &schema, NULL},
    {"descheduler/v1alpha1", &descheduler_policy_v1alpha1_schema,
     descheduler_policy_convert_v1alpha1},
    {0},
};

const struct kind_type descheduler_policy_kind = {
    .versions = versions,
    .nameless = true,
    .validate = validate,
};
