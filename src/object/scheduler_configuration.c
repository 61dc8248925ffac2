/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KubeSchedulerConfiguration: profiles, and the merging of their plugin sets
 * with the default ones, after pkg/scheduler/apis/config/v1 (v1.36; what came
 * after v1.26 does nothing in versions that do not have it).
 */
#include "object/scheduler_configuration.h"

#include "base/suggest.h"
#include "base/vec.h"
#include "object/kind.h"
#include "object/names.h"
#include "object/scheduler_arguments.h"
#include "object/schemas.h"

#include <string.h>

/* The plugins of kube-scheduler, modelled or not, in the order of the default
 * configuration. */
static const struct scheduler_plugin default_plugins[] = {
    {"PrioritySort", 0},
    {"NodeUnschedulable", 0},
    {"NodeName", 0},
    {"TaintToleration", 3},
    {"NodeAffinity", 2},
    {"NodePorts", 0},
    {"NodeResourcesFit", 1},
    {"VolumeRestrictions", 0},
    {"EBSLimits", 0},
    {"GCEPDLimits", 0},
    {"NodeVolumeLimits", 0},
    {"AzureDiskLimits", 0},
    {"VolumeBinding", 0},
    {"VolumeZone", 0},
    {"PodTopologySpread", 2},
    {"InterPodAffinity", 2},
    {"DynamicResources", 2},
    {"DefaultPreemption", 0},
    {"NodeResourcesBalancedAllocation", 1},
    {"ImageLocality", 1},
    {"DefaultBinder", 0},
    {"NodeDeclaredFeatures", 0},
};

enum { DEFAULT_PLUGIN_COUNT = sizeof(default_plugins) / sizeof(default_plugins[0]) };

/* Known, but not enabled by default. */
static const char *const optional_plugins[] = {"SelectorSpread", "CinderLimits", "SchedulingGates"};

/* ---- plugin sets ---- */

static const struct field plugin_fields[] = {
    FIELD_STRING("name", scheduler_plugin, name, FIELD_REQUIRED),
    FIELD_INT32("weight", scheduler_plugin, weight, 0, 0, INT32_MAX, 0),
};
static const struct schema plugin_schema = SCHEMA_STRICT(scheduler_plugin, plugin_fields);

static const struct field set_fields[] = {
    FIELD_LIST("disabled", scheduler_plugin_set, disabled, disabled_count, 0, plugin_schema),
    FIELD_LIST("enabled", scheduler_plugin_set, enabled, enabled_count, 0, plugin_schema),
};
static const struct schema set_schema = SCHEMA_STRICT(scheduler_plugin_set, set_fields);

#define POINT_FIELD(name, point) \
    FIELD_STRUCT(name, scheduler_profile, plugins[point], 0, set_schema)

static const struct field points_fields[] = {
    POINT_FIELD("bind", EXTENSION_BIND),
    POINT_FIELD("filter", EXTENSION_FILTER),
    POINT_FIELD("multiPoint", EXTENSION_MULTI_POINT),
    POINT_FIELD("permit", EXTENSION_PERMIT),
    POINT_FIELD("postBind", EXTENSION_POST_BIND),
    POINT_FIELD("postFilter", EXTENSION_POST_FILTER),
    POINT_FIELD("preBind", EXTENSION_PRE_BIND),
    POINT_FIELD("preEnqueue", EXTENSION_PRE_ENQUEUE),
    POINT_FIELD("preFilter", EXTENSION_PRE_FILTER),
    POINT_FIELD("preScore", EXTENSION_PRE_SCORE),
    POINT_FIELD("queueSort", EXTENSION_QUEUE_SORT),
    POINT_FIELD("reserve", EXTENSION_RESERVE),
    POINT_FIELD("score", EXTENSION_SCORE),
};
static const struct schema points_schema = SCHEMA_STRICT(scheduler_profile, points_fields);

/* ---- arguments ---- */

static bool is_known_plugin(const char *name)
{
    for (uint32_t i = 0; i < DEFAULT_PLUGIN_COUNT; i++)
        if (strcmp(default_plugins[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < sizeof(optional_plugins) / sizeof(optional_plugins[0]); i++)
        if (strcmp(optional_plugins[i], name) == 0)
            return true;
    return false;
}

/* A plugin that is not part of kube-scheduler may exist, so it is no error. */
static void warn_about_plugin(struct reading *reading, const struct path *path, const char *name)
{
    struct suggestion suggestion = {.word = name};
    for (uint32_t i = 0; i < DEFAULT_PLUGIN_COUNT; i++)
        suggestion_offer(&suggestion, default_plugins[i].name);
    if (suggestion.nearest != NULL)
        reading_warning(reading, path, "no plugin of kube-scheduler, did you mean \"%s\"?",
                        suggestion.nearest);
    else
        reading_warning(reading, path, "no plugin of kube-scheduler; what it does is not modelled");
}

static void decode_arguments(struct reading *reading, const struct path *path,
                             const struct plugin_arguments *row, const struct value *item,
                             struct scheduler_profile *profile)
{
    const struct path args = path_field(path, "args");
    const struct path kind = path_field(&args, "kind");
    const struct value *value = value_find(item, "args");
    const char *found = value_find_string(value, "kind");
    if (value_is_null(value))
        return;
    const char *wanted = arena_printf(reading->problems->arena, "%sArgs", row->plugin);
    if (found != NULL && strcmp(found, wanted) != 0)
        text_unexpected(reading, &kind, found, wanted);
    schema_decode(reading, &args, row->schema, value, (char *)profile + row->offset);
}

static const struct field config_fields[] = {
    FIELD_STRING("name", scheduler_plugin, name, FIELD_REQUIRED),
};
static const char *const args_field[] = {"args", NULL};
static const struct schema config_schema =
    SCHEMA_STRICT_COMPLETE(scheduler_plugin, config_fields, args_field);

/* The argument structs are part of the profile, so each item is looked at here. */
static void decode_plugin_config(struct reading *reading, const struct path *path,
                                 const struct value *value, void *base)
{
    struct name_set seen;
    name_set_init(&seen, reading->arena);
    if (!sequence_expected(reading, path, value))
        return;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        const struct path name = path_field(&item, "name");
        struct scheduler_plugin plugin = {0};
        schema_decode(reading, &item, &config_schema, &value->items[i], &plugin);
        if (plugin.name == NULL)
            continue;
        unique_name_validate(reading, &name, &seen, plugin.name);
        const struct plugin_arguments *row = plugin_arguments_find(plugin.name);
        if (row != NULL)
            decode_arguments(reading, &item, row, &value->items[i], base);
        else if (!is_known_plugin(plugin.name))
            warn_about_plugin(reading, &name, plugin.name);
    }
}

static void encode_plugin_config(struct arena *scratch, struct json_out *json, const char *key,
                                 const void *base)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < plugin_arguments_count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "name", plugin_arguments[i].plugin);
        schema_encode(scratch, json, "args", plugin_arguments[i].schema,
                      (const char *)base + plugin_arguments[i].offset);
        json_object_end(json);
    }
    json_array_end(json);
}

static const struct field_hook plugin_config_hook = {decode_plugin_config, encode_plugin_config};

/* ---- profiles ---- */

static const struct field profile_fields[] = {
    FIELD_OPTIONAL_INT("percentageOfNodesToScore", scheduler_profile, percentage_of_nodes_to_score,
                       0, 100),
    FIELD_HOOK("pluginConfig", plugin_config_hook),
    FIELD_NESTED("plugins", 0, points_schema),
    FIELD_STRING("schedulerName", scheduler_profile, scheduler_name, 0),
};
static const struct schema profile_schema = SCHEMA_STRICT(scheduler_profile, profile_fields);

/* The arguments have no rows of their own in the profile's schema. */
static void profile_init(struct scheduler_profile *profile)
{
    schema_init(&profile_schema, profile);
    for (uint32_t i = 0; i < plugin_arguments_count; i++)
        schema_init(plugin_arguments[i].schema, (char *)profile + plugin_arguments[i].offset);
}

static void decode_profiles(struct reading *reading, const struct path *path,
                            const struct value *value, void *base)
{
    struct scheduler_configuration *configuration = base;
    if (!sequence_expected(reading, path, value))
        return;
    configuration->profiles = ARENA_ARRAY(reading->arena, struct scheduler_profile, value->count);
    configuration->profile_count = value->count;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        profile_init(&configuration->profiles[i]);
        schema_decode(reading, &item, &profile_schema, &value->items[i],
                      &configuration->profiles[i]);
    }
}

static void encode_profiles(struct arena *scratch, struct json_out *json, const char *key,
                            const void *base)
{
    const struct scheduler_configuration *configuration = base;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < configuration->profile_count; i++)
        schema_encode(scratch, json, NULL, &profile_schema, &configuration->profiles[i]);
    json_array_end(json);
}

static const struct field_hook profiles_hook = {decode_profiles, encode_profiles};

static const struct field fields[] = {
    FIELD_NOT_MODELLED("extenders", "not modelled: what extenders filter, score and bind is left "
                                    "out"),
    FIELD_INT32("percentageOfNodesToScore", scheduler_configuration, percentage_of_nodes_to_score,
                0, 0, 100, 0),
    FIELD_INT64("podInitialBackoffSeconds", scheduler_configuration, pod_initial_backoff_seconds, 0,
                1, INT64_MAX, 1),
    FIELD_INT64("podMaxBackoffSeconds", scheduler_configuration, pod_max_backoff_seconds, 0, 1,
                INT64_MAX, 10),
    FIELD_HOOK("profiles", profiles_hook),
};
static const char *const unused_fields[] = {"apiVersion",
                                            "clientConnection",
                                            "delayCacheUntilActive",
                                            "enableContentionProfiling",
                                            "enableProfiling",
                                            "healthzBindAddress",
                                            "kind",
                                            "leaderElection",
                                            "metadata",
                                            "metricsBindAddress",
                                            "parallelism",
                                            NULL};
static const struct schema schema =
    SCHEMA_STRICT_COMPLETE(scheduler_configuration, fields, unused_fields);

/* ---- defaults ---- */

static const struct scheduler_plugin *find_plugin(const struct scheduler_plugin *plugins,
                                                  uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (plugins[i].name != NULL && strcmp(plugins[i].name, name) == 0)
            return &plugins[i];
    return NULL;
}

/* Default plugins keep their order; those that are listed again take the
 * settings from there, and what is not among the defaults follows. */
static void merge_default_plugins(struct arena *arena, struct scheduler_plugin_set *set)
{
    VEC(struct scheduler_plugin) merged = {0};
    const bool all_disabled = find_plugin(set->disabled, set->disabled_count, "*") != NULL;
    bool *replaces = ARENA_ARRAY(arena, bool, set->enabled_count + 1);
    for (uint32_t i = 0; i < DEFAULT_PLUGIN_COUNT && !all_disabled; i++) {
        const char *name = default_plugins[i].name;
        const struct scheduler_plugin *custom = find_plugin(set->enabled, set->enabled_count, name);
        if (find_plugin(set->disabled, set->disabled_count, name) != NULL)
            continue;
        if (custom != NULL)
            replaces[custom - set->enabled] = true;
        VEC_PUSH(arena, &merged, custom != NULL ? *custom : default_plugins[i]);
    }
    for (uint32_t i = 0; i < set->enabled_count; i++)
        if (!replaces[i])
            VEC_PUSH(arena, &merged, set->enabled[i]);
    set->enabled = merged.items;
    set->enabled_count = merged.count;
}

static void profile_set_defaults(struct arena *arena, struct scheduler_profile *profile)
{
    merge_default_plugins(arena, &profile->plugins[EXTENSION_MULTI_POINT]);
    for (uint32_t i = 0; i < plugin_arguments_count; i++)
        if (plugin_arguments[i].set_defaults != NULL)
            plugin_arguments[i].set_defaults(arena, (char *)profile + plugin_arguments[i].offset);
}

static void set_defaults(struct arena *arena, void *object)
{
    struct scheduler_configuration *configuration = object;
    if (configuration->profile_count == 0) {
        configuration->profiles = ARENA_NEW(arena, struct scheduler_profile);
        configuration->profile_count = 1;
        profile_init(configuration->profiles);
    }
    if (configuration->profile_count == 1 && configuration->profiles[0].scheduler_name == NULL)
        configuration->profiles[0].scheduler_name = "default-scheduler";
    for (uint32_t i = 0; i < configuration->profile_count; i++)
        profile_set_defaults(arena, &configuration->profiles[i]);
}

/* ---- validation ---- */

/* The merged sets are not as they are written, so names are checked in the document. */
static void validate_plugin_names(struct reading *reading, const struct path *profile)
{
    const struct path plugins = path_field(profile, "plugins");
    for (uint32_t i = 0; i < points_schema.field_count; i++) {
        const struct path point = path_field(&plugins, points_schema.fields[i].name);
        const struct path enabled = path_field(&point, "enabled");
        const struct value *list = path_value(reading->root, &enabled);
        if (list == NULL || list->kind != VALUE_SEQUENCE)
            continue;
        for (uint32_t j = 0; j < list->count; j++) {
            const struct path item = path_item(&enabled, j);
            const struct path path = path_field(&item, "name");
            const char *name = value_find_string(&list->items[j], "name");
            if (name != NULL && !is_known_plugin(name))
                warn_about_plugin(reading, &path, name);
        }
    }
}

static bool is_same_set(const struct scheduler_plugin_set *left,
                        const struct scheduler_plugin_set *right)
{
    if (left->enabled_count != right->enabled_count ||
        left->disabled_count != right->disabled_count)
        return false;
    for (uint32_t i = 0; i < left->enabled_count; i++)
        if (strcmp(left->enabled[i].name, right->enabled[i].name) != 0)
            return false;
    for (uint32_t i = 0; i < left->disabled_count; i++)
        if (strcmp(left->disabled[i].name, right->disabled[i].name) != 0)
            return false;
    return true;
}

/* There is one queue for all profiles. */
static void validate_queue_sort(struct reading *reading, const struct path *profile,
                                const struct scheduler_plugin_set *set,
                                const struct scheduler_plugin_set *first)
{
    const struct path plugins = path_field(profile, "plugins");
    const struct path sort = path_field(&plugins, "queueSort");
    const struct path enabled = path_field(&sort, "enabled");
    if (!reading_is_sound(reading, &plugins))
        return;
    if (set->enabled_count > 1)
        reading_error(reading, &enabled, "expected one plugin at most, found %u",
                      set->enabled_count);
    if (!is_same_set(set, first))
        reading_error(reading, &sort, "must be the same in all profiles");
}

static void validate_profile(struct reading *reading, const struct path *path,
                             const struct scheduler_profile *profile)
{
    const struct path name = path_field(path, "schedulerName");
    const struct path config = path_field(path, "pluginConfig");
    if (profile->scheduler_name == NULL)
        reading_missing(reading, &name);
    validate_plugin_names(reading, path);
    const struct value *list = path_value(reading->root, &config);
    if (list == NULL || list->kind != VALUE_SEQUENCE)
        return;
    struct name_set seen;
    name_set_init(&seen, reading->arena);
    for (uint32_t i = 0; i < list->count; i++) {
        const char *plugin = value_find_string(&list->items[i], "name");
        const struct plugin_arguments *row = plugin != NULL ? plugin_arguments_find(plugin) : NULL;
        const struct path item = path_item(&config, i);
        const struct path args = path_field(&item, "args");
        if (row != NULL && row->validate != NULL && name_set_add(&seen, plugin))
            row->validate(reading, &args, (const char *)profile + row->offset);
    }
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct scheduler_configuration *configuration = object;
    const struct path max_backoff = path_field(path, "podMaxBackoffSeconds");
    const struct path profiles = path_field(path, "profiles");
    if (configuration->pod_max_backoff_seconds < configuration->pod_initial_backoff_seconds)
        reading_error(reading, &max_backoff,
                      "expected at least podInitialBackoffSeconds, which is %lld, found %lld",
                      (long long)configuration->pod_initial_backoff_seconds,
                      (long long)configuration->pod_max_backoff_seconds);
    struct name_set names;
    name_set_init(&names, reading->arena);
    for (uint32_t i = 0; i < configuration->profile_count; i++) {
        const struct scheduler_profile *profile = &configuration->profiles[i];
        const struct path item = path_item(&profiles, i);
        const struct path name = path_field(&item, "schedulerName");
        validate_profile(reading, &item, profile);
        unique_name_validate(reading, &name, &names, profile->scheduler_name);
        validate_queue_sort(reading, &item, &profile->plugins[EXTENSION_QUEUE_SORT],
                            &configuration->profiles[0].plugins[EXTENSION_QUEUE_SORT]);
    }
}

static const struct kind_version versions[] = {
    {"kubescheduler.config.k8s.io/v1", &schema, NULL},
    {"kubescheduler.config.k8s.io/v1beta3", &schema, NULL},
    {0},
};

const struct kind_type scheduler_configuration_kind = {
    .versions = versions,
    .nameless = true,
    .set_defaults = set_defaults,
    .validate = validate,
};
