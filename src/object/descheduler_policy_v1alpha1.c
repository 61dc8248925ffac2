/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DeschedulerPolicy, descheduler/v1alpha1: strategies by name.
 *
 * Each enabled strategy becomes a profile of its own with one plugin and the
 * default evictor, as the descheduler itself converts it (v0.27.1,
 * pkg/api/v1alpha1). It does so in the random order of a Go map; here they come
 * in the order of their names.
 *
 * The parameters of all strategies share one mapping. A plugin's arguments are
 * read from it as they would be from `args`, and once more from the part of it
 * that is for this plugin alone (params.podLifeTime, ...).
 */
#include "object/descheduler_policy_v1alpha1.h"

#include "object/descheduler_arguments.h"
#include "object/descheduler_fields.h"
#include "object/schemas.h"

#include <stdlib.h>
#include <string.h>

/* The part of the parameters that a plugin has for itself; NULL: none. */
static const char *const own_parameters[DESCHEDULER_PLUGIN_COUNT] = {
    [DESCHEDULER_DUPLICATES] = "removeDuplicates",
    [DESCHEDULER_LOW_UTILIZATION] = "nodeResourceUtilizationThresholds",
    [DESCHEDULER_HIGH_UTILIZATION] = "nodeResourceUtilizationThresholds",
    [DESCHEDULER_RESTARTS] = "podsHavingTooManyRestarts",
    [DESCHEDULER_FAILED_PODS] = "failedPods",
    [DESCHEDULER_POD_LIFE_TIME] = "podLifeTime",
};

/* ---- the policy as a whole ---- */

static const struct field policy_fields[] = {
    DESCHEDULER_LIMIT_FIELDS,
    FIELD_HOOK("nodeSelector", descheduler_nodes_hook),
};
static const char *const policy_others[] = {"apiVersion",
                                            "evictFailedBarePods",
                                            "evictLocalStoragePods",
                                            "evictSystemCriticalPods",
                                            "ignorePvcPods",
                                            "kind",
                                            "metadata",
                                            "strategies",
                                            NULL};
const struct schema descheduler_policy_v1alpha1_schema =
    SCHEMA_STRICT_COMPLETE(descheduler_policy, policy_fields, policy_others);

/* The flags of the policy are those of every strategy's evictor. */
static const struct field flag_fields[] = {
    FIELD_BOOLEAN("evictFailedBarePods", default_evictor_arguments, evict_failed_bare_pods, false),
    FIELD_BOOLEAN("evictLocalStoragePods", default_evictor_arguments, evict_local_storage_pods,
                  false),
    FIELD_BOOLEAN("evictSystemCriticalPods", default_evictor_arguments, evict_system_critical_pods,
                  false),
    FIELD_BOOLEAN("ignorePvcPods", default_evictor_arguments, ignore_pvc_pods, false),
};
static const struct schema flag_schema = SCHEMA(default_evictor_arguments, flag_fields);

/* ---- parameters ---- */

/* Those that concern the evictor. */
static const struct field evictor_fields[] = {
    FIELD_BOOLEAN("nodeFit", default_evictor_arguments, node_fit, false),
    FIELD_OPTIONAL_INT("thresholdPriority", default_evictor_arguments, priority_threshold,
                       INT32_MIN, INT32_MAX),
    FIELD_STRING("thresholdPriorityClassName", default_evictor_arguments,
                 priority_threshold_class_name, 0),
};
static const char *const parameter_names[] = {"excludedTaints",
                                              "failedPods",
                                              "includePreferNoSchedule",
                                              "includeSoftConstraints",
                                              "labelSelector",
                                              "namespaces",
                                              "nodeAffinityType",
                                              "nodeResourceUtilizationThresholds",
                                              "podLifeTime",
                                              "podsHavingTooManyRestarts",
                                              "removeDuplicates",
                                              NULL};
static const struct schema evictor_schema =
    SCHEMA_STRICT_COMPLETE(default_evictor_arguments, evictor_fields, parameter_names);

/* What the two plugins for utilization call evictableNamespaces. */
static const struct field namespaces_fields[] = {
    FIELD_STRINGS("exclude", node_utilization_arguments, exclude_namespaces, 0),
};
static const struct schema namespaces_schema =
    SCHEMA(node_utilization_arguments, namespaces_fields);

struct strategy {
    const char *name;
    bool enabled;
    const struct value *params;
};

static void decode_params(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    if (mapping_expected(reading, path, value))
        ((struct strategy *)base)->params = value;
}

static const struct field_hook params_hook = {decode_params, NULL};

static const struct field strategy_fields[] = {
    FIELD_BOOLEAN("enabled", strategy, enabled, false),
    FIELD_HOOK("params", params_hook),
};
static const char *const strategy_others[] = {"weight", NULL};
static const struct schema strategy_schema =
    SCHEMA_STRICT_COMPLETE(strategy, strategy_fields, strategy_others);

/* Reads with the plugin's own schema; unknown names are ignored, since they are
 * parameters of other plugins. */
static void decode_some(struct reading *reading, const struct path *path,
                        const struct schema *schema, const struct value *value, void *arguments)
{
    struct schema lenient = *schema;
    lenient.strict = false;
    lenient.unused = NULL;
    if (!value_is_null(value))
        schema_decode(reading, path, &lenient, value, arguments);
}

static const struct field phases_row =
    FIELD_STRINGS("podStatusPhases", pod_life_time_arguments, states, 0);

/* podStatusPhases is the old name of states, and comes before them. */
static void join_phases(struct reading *reading, const struct path *path, const struct value *value,
                        struct pod_life_time_arguments *arguments)
{
    const struct path phases_path = path_field(path, "podStatusPhases");
    const struct value *phases_value = value_find(value, "podStatusPhases");
    struct pod_life_time_arguments phases = {0};
    if (value_is_null(phases_value))
        return;
    field_decode(reading, &phases_path, &phases_row, phases_value, &phases);
    const uint32_t count = phases.states.count + arguments->states.count;
    const char **joined = ARENA_ARRAY(reading->arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        joined[i] = i < phases.states.count ? phases.states.items[i]
                                            : arguments->states.items[i - phases.states.count];
    arguments->states = (struct string_list){joined, count};
}

static void decode_arguments(struct reading *reading, const struct path *path,
                             const struct strategy *strategy, enum descheduler_plugin plugin,
                             struct descheduler_profile *profile)
{
    const struct descheduler_arguments *row = &descheduler_arguments[plugin];
    void *arguments = (char *)profile + row->offset;
    const char *own = own_parameters[plugin];
    decode_some(reading, path, row->schema, strategy->params, arguments);
    if (own == NULL) {
        row->validate(reading, path, arguments);
        return;
    }
    const struct path own_path = path_field(path, own);
    const struct value *own_value = value_find(strategy->params, own);
    decode_some(reading, &own_path, row->schema, own_value, arguments);
    if (plugin == DESCHEDULER_POD_LIFE_TIME)
        join_phases(reading, &own_path, own_value, arguments);
    if (plugin == DESCHEDULER_LOW_UTILIZATION || plugin == DESCHEDULER_HIGH_UTILIZATION) {
        const struct path namespaces = path_field(path, "namespaces");
        decode_some(reading, &namespaces, &namespaces_schema,
                    value_find(strategy->params, "namespaces"), arguments);
    }
    row->validate(reading, &own_path, arguments);
}

static void decode_evictor(struct reading *reading, const struct path *path,
                           const struct strategy *strategy, enum descheduler_plugin plugin,
                           struct default_evictor_arguments *evictor)
{
    const struct path class_name = path_field(path, "thresholdPriorityClassName");
    if (strategy->params != NULL)
        schema_decode(reading, path, &evictor_schema, strategy->params, evictor);
    if (plugin == DESCHEDULER_POD_LIFE_TIME)
        evictor->node_fit = false;
    if (evictor->priority_threshold.set && evictor->priority_threshold_class_name != NULL)
        reading_error(reading, &class_name, "must not be given together with thresholdPriority");
}

static struct descheduler_plugin_list *list_of(struct descheduler_profile *profile,
                                               enum descheduler_plugin plugin)
{
    return descheduler_arguments[plugin].point == DESCHEDULER_BALANCE ? &profile->balance
                                                                      : &profile->deschedule;
}

static void add_profile(struct reading *reading, const struct path *path,
                        const struct strategy *strategy, enum descheduler_plugin plugin,
                        const struct default_evictor_arguments *flags,
                        struct descheduler_profile *profile)
{
    const struct path params = path_field(path, "params");
    descheduler_arguments_init(profile);
    profile->name = arena_printf(reading->arena, "strategy-%s-profile", strategy->name);
    profile->default_evictor = *flags;
    profile->configured[DESCHEDULER_DEFAULT_EVICTOR] = true;
    profile->configured[plugin] = true;
    decode_evictor(reading, &params, strategy, plugin, &profile->default_evictor);
    decode_arguments(reading, &params, strategy, plugin, profile);
    struct descheduler_plugin_list *list = list_of(profile, plugin);
    list->items = ARENA_NEW(reading->arena, enum descheduler_plugin);
    list->items[0] = plugin;
    list->count = 1;
}

static int compare_members(const void *left, const void *right)
{
    return strcmp((*(const struct member *const *)left)->key,
                  (*(const struct member *const *)right)->key);
}

static const struct member **sorted_members(struct arena *arena, const struct value *mapping)
{
    const struct member **members = ARENA_ARRAY(arena, const struct member *, mapping->count + 1);
    for (uint32_t i = 0; i < mapping->count; i++)
        members[i] = &mapping->members[i];
    qsort(members, mapping->count, sizeof(*members), compare_members);
    return members;
}

static void convert_strategies(struct reading *reading, const struct path *path,
                               const struct value *value, struct descheduler_policy *policy,
                               const struct default_evictor_arguments *flags)
{
    const struct member **members = sorted_members(reading->arena, value);
    policy->profiles = ARENA_ARRAY(reading->arena, struct descheduler_profile, value->count);
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path strategy_path = path_field(path, members[i]->key);
        struct strategy strategy = {.name = members[i]->key};
        const enum descheduler_plugin plugin =
            descheduler_plugin_find(reading, &strategy_path, strategy.name);
        if (plugin == DESCHEDULER_PLUGIN_COUNT || value_is_null(&members[i]->value))
            continue;
        schema_decode(reading, &strategy_path, &strategy_schema, &members[i]->value, &strategy);
        if (plugin == DESCHEDULER_DEFAULT_EVICTOR)
            reading_error(reading, &strategy_path, "no strategy, but set by the policy's flags");
        else if (strategy.enabled)
            add_profile(reading, &strategy_path, &strategy, plugin, flags,
                        &policy->profiles[policy->profile_count++]);
    }
}

void descheduler_policy_convert_v1alpha1(struct reading *reading, const struct path *path,
                                         void *object)
{
    struct default_evictor_arguments flags = {0};
    const struct path strategies = path_field(path, "strategies");
    const struct value *policy = path_value(reading->root, path);
    const struct value *value = value_find(policy, "strategies");
    if (policy == NULL || policy->kind != VALUE_MAPPING)
        return;
    schema_decode(reading, path, &flag_schema, policy, &flags);
    if (!value_is_null(value) && mapping_expected(reading, &strategies, value))
        convert_strategies(reading, &strategies, value, object, &flags);
}
