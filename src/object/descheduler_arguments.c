/* SPDX-License-Identifier: Apache-2.0 */
/* After pkg/framework/plugins of the descheduler, v0.27.1 to v0.28.1. */
#include "object/descheduler_arguments.h"

#include "base/suggest.h"
#include "object/descheduler_fields.h"
#include "object/descheduler_utilization.h"
#include "object/names.h"
#include "object/schemas.h"

#include <string.h>

/* ---- parts ---- */

static const struct field choice_fields[] = {
    FIELD_STRINGS("exclude", namespace_choice, exclude, 0),
    FIELD_STRINGS("include", namespace_choice, include, 0),
};
static const struct schema choice_schema = SCHEMA_STRICT(namespace_choice, choice_fields);

static void validate_namespaces(struct reading *reading, const struct path *parent,
                                const struct namespace_choice *choice)
{
    const struct path path = path_field(parent, "namespaces");
    if (choice->include.count > 0 && choice->exclude.count > 0)
        reading_error(reading, &path, "expected include or exclude, found both");
}

static void validate_selector(struct reading *reading, const struct path *parent,
                              const struct label_selector *selector)
{
    const struct path path = path_field(parent, "labelSelector");
    if (selector != NULL)
        label_selector_validate(reading, &path, selector);
}

/* ---- DefaultEvictor ---- */

static void evictor_decode_nodes(struct reading *reading, const struct path *path,
                                 const struct value *value, void *base)
{
    struct default_evictor_arguments *evictor = base;
    selector_text_decode(reading, path, value, &evictor->node_selector);
}

static void evictor_encode_nodes(struct arena *scratch, struct json_out *json, const char *key,
                                 const void *base)
{
    const struct default_evictor_arguments *evictor = base;
    selector_text_encode(scratch, json, key, evictor->node_selector);
}

static const struct field_hook evictor_nodes_hook = {evictor_decode_nodes, evictor_encode_nodes};

static const struct field threshold_fields[] = {
    FIELD_STRING("name", default_evictor_arguments, priority_threshold_class_name, 0),
    FIELD_OPTIONAL_INT("value", default_evictor_arguments, priority_threshold, INT32_MIN,
                       INT32_MAX),
};
static const struct schema threshold_schema =
    SCHEMA_STRICT(default_evictor_arguments, threshold_fields);

static const struct field evictor_fields[] = {
    LATER("evictDaemonSetPods"),
    FIELD_BOOLEAN("evictFailedBarePods", default_evictor_arguments, evict_failed_bare_pods, false),
    FIELD_BOOLEAN("evictLocalStoragePods", default_evictor_arguments, evict_local_storage_pods,
                  false),
    FIELD_BOOLEAN("evictSystemCriticalPods", default_evictor_arguments, evict_system_critical_pods,
                  false),
    LATER("ignorePodsWithoutPDB"),
    FIELD_BOOLEAN("ignorePvcPods", default_evictor_arguments, ignore_pvc_pods, false),
    FIELD_POINTER("labelSelector", default_evictor_arguments, label_selector, 0,
                  label_selector_schema),
    FIELD_DURATION("minPodAge", default_evictor_arguments, pod_age_least_ns, 0),
    FIELD_OPTIONAL_INT("minReplicas", default_evictor_arguments, replicas_least, 0, INT32_MAX),
    LATER("namespaceLabelSelector"),
    LATER("noEvictionPolicy"),
    FIELD_BOOLEAN("nodeFit", default_evictor_arguments, node_fit, false),
    FIELD_HOOK("nodeSelector", evictor_nodes_hook),
    LATER("podProtections"),
    FIELD_NESTED("priorityThreshold", 0, threshold_schema),
};
static const struct schema default_evictor_arguments_schema =
    SCHEMA_STRICT_COMPLETE(default_evictor_arguments, evictor_fields, descheduler_type_fields);

static void default_evictor_arguments_validate(struct reading *reading, const struct path *path,
                                               const void *arguments)
{
    const struct default_evictor_arguments *evictor = arguments;
    const struct path threshold = path_field(path, "priorityThreshold");
    if (evictor->priority_threshold.set && evictor->priority_threshold_class_name != NULL)
        reading_error(reading, &threshold, "expected value or name, found both");
    validate_selector(reading, path, evictor->label_selector);
}

/* ---- RemoveDuplicates ---- */

static const struct field duplicates_fields[] = {
    FIELD_STRINGS("excludeOwnerKinds", duplicates_arguments, exclude_owner_kinds, 0),
    FIELD_STRUCT("namespaces", duplicates_arguments, namespaces, 0, choice_schema),
};
static const struct schema duplicates_arguments_schema =
    SCHEMA_STRICT_COMPLETE(duplicates_arguments, duplicates_fields, descheduler_type_fields);

static void duplicates_arguments_validate(struct reading *reading, const struct path *path,
                                          const void *arguments)
{
    const struct duplicates_arguments *duplicates = arguments;
    validate_namespaces(reading, path, &duplicates->namespaces);
}

/* ---- RemovePodsViolatingTopologySpreadConstraint ---- */

static void spread_decode_constraints(struct reading *reading, const struct path *path,
                                      const struct value *value, void *base)
{
    struct topology_spread_arguments *spread = base;
    if (!sequence_expected(reading, path, value) || value->count == 0)
        return;
    spread->hard_constraints = false;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        const char *text = "";
        value_read_string(&value->items[i], &text);
        if (strcmp(text, "DoNotSchedule") == 0)
            spread->hard_constraints = true;
        else if (strcmp(text, "ScheduleAnyway") == 0)
            spread->soft_constraints = true;
        else
            reading_expected(reading, &item, &value->items[i], "DoNotSchedule or ScheduleAnyway");
    }
}

static void spread_encode_constraints(struct arena *scratch, struct json_out *json, const char *key,
                                      const void *base)
{
    const struct topology_spread_arguments *spread = base;
    (void)scratch;
    json_array_begin(json, key);
    if (spread->hard_constraints)
        json_string(json, NULL, "DoNotSchedule");
    if (spread->soft_constraints)
        json_string(json, NULL, "ScheduleAnyway");
    json_array_end(json);
}

static const struct field_hook spread_constraints_hook = {spread_decode_constraints,
                                                          spread_encode_constraints};

static const struct field spread_fields[] = {
    FIELD_HOOK("constraints", spread_constraints_hook),
    FIELD_BOOLEAN("includeSoftConstraints", topology_spread_arguments, soft_constraints, false),
    FIELD_POINTER("labelSelector", topology_spread_arguments, label_selector, 0,
                  label_selector_schema),
    FIELD_STRUCT("namespaces", topology_spread_arguments, namespaces, 0, choice_schema),
    FIELD_BOOLEAN("topologyBalanceNodeFit", topology_spread_arguments, balance_node_fit, true),
};
static const struct schema topology_spread_arguments_schema =
    SCHEMA_STRICT_COMPLETE(topology_spread_arguments, spread_fields, descheduler_type_fields);

static void topology_spread_arguments_validate(struct reading *reading, const struct path *path,
                                               const void *arguments)
{
    const struct topology_spread_arguments *spread = arguments;
    validate_namespaces(reading, path, &spread->namespaces);
    validate_selector(reading, path, spread->label_selector);
}

/* ---- RemovePodsViolatingNodeAffinity ---- */

#define REQUIRED  "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

static void affinity_decode_types(struct reading *reading, const struct path *path,
                                  const struct value *value, void *base)
{
    struct node_affinity_eviction_arguments *affinity = base;
    if (!sequence_expected(reading, path, value))
        return;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct path item = path_item(path, i);
        const char *text = "";
        value_read_string(&value->items[i], &text);
        if (strcmp(text, REQUIRED) == 0)
            affinity->required = true;
        else if (strcmp(text, PREFERRED) == 0)
            affinity->preferred = true;
        else
            reading_expected(reading, &item, &value->items[i], REQUIRED " or " PREFERRED);
    }
}

static void affinity_encode_types(struct arena *scratch, struct json_out *json, const char *key,
                                  const void *base)
{
    const struct node_affinity_eviction_arguments *affinity = base;
    (void)scratch;
    json_array_begin(json, key);
    if (affinity->required)
        json_string(json, NULL, REQUIRED);
    if (affinity->preferred)
        json_string(json, NULL, PREFERRED);
    json_array_end(json);
}

static const struct field_hook affinity_types_hook = {affinity_decode_types, affinity_encode_types};

static const struct field affinity_fields[] = {
    FIELD_POINTER("labelSelector", node_affinity_eviction_arguments, label_selector, 0,
                  label_selector_schema),
    FIELD_STRUCT("namespaces", node_affinity_eviction_arguments, namespaces, 0, choice_schema),
    FIELD_HOOK("nodeAffinityType", affinity_types_hook),
};
static const struct schema node_affinity_arguments_schema = SCHEMA_STRICT_COMPLETE(
    node_affinity_eviction_arguments, affinity_fields, descheduler_type_fields);

static void node_affinity_arguments_validate(struct reading *reading, const struct path *path,
                                             const void *arguments)
{
    const struct node_affinity_eviction_arguments *affinity = arguments;
    const struct path types = path_field(path, "nodeAffinityType");
    validate_namespaces(reading, path, &affinity->namespaces);
    validate_selector(reading, path, affinity->label_selector);
    if (!affinity->required && !affinity->preferred && reading_is_sound(reading, &types))
        reading_missing(reading, &types);
}

/* ---- RemovePodsViolatingNodeTaints ---- */

static const struct field taints_fields[] = {
    FIELD_STRINGS("excludedTaints", node_taints_arguments, excluded_taints, 0),
    FIELD_BOOLEAN("includePreferNoSchedule", node_taints_arguments, include_prefer_no_schedule,
                  false),
    FIELD_STRINGS("includedTaints", node_taints_arguments, included_taints, 0),
    FIELD_POINTER("labelSelector", node_taints_arguments, label_selector, 0, label_selector_schema),
    FIELD_STRUCT("namespaces", node_taints_arguments, namespaces, 0, choice_schema),
};
static const struct schema node_taints_arguments_schema =
    SCHEMA_STRICT_COMPLETE(node_taints_arguments, taints_fields, descheduler_type_fields);

static void node_taints_arguments_validate(struct reading *reading, const struct path *path,
                                           const void *arguments)
{
    const struct node_taints_arguments *taints = arguments;
    const struct path included = path_field(path, "includedTaints");
    validate_namespaces(reading, path, &taints->namespaces);
    validate_selector(reading, path, taints->label_selector);
    if (taints->excluded_taints.count > 0 && taints->included_taints.count > 0)
        reading_error(reading, &included, "must not be given together with excludedTaints");
}

/* ---- RemovePodsViolatingInterPodAntiAffinity ---- */

static const struct field anti_affinity_fields[] = {
    FIELD_POINTER("labelSelector", anti_affinity_arguments, label_selector, 0,
                  label_selector_schema),
    FIELD_STRUCT("namespaces", anti_affinity_arguments, namespaces, 0, choice_schema),
};
static const struct schema anti_affinity_arguments_schema =
    SCHEMA_STRICT_COMPLETE(anti_affinity_arguments, anti_affinity_fields, descheduler_type_fields);

static void anti_affinity_arguments_validate(struct reading *reading, const struct path *path,
                                             const void *arguments)
{
    const struct anti_affinity_arguments *affinity = arguments;
    validate_namespaces(reading, path, &affinity->namespaces);
    validate_selector(reading, path, affinity->label_selector);
}

/* ---- RemovePodsHavingTooManyRestarts ---- */

static const struct field restarts_fields[] = {
    FIELD_BOOLEAN("includingInitContainers", restarts_arguments, including_init_containers, false),
    FIELD_POINTER("labelSelector", restarts_arguments, label_selector, 0, label_selector_schema),
    FIELD_STRUCT("namespaces", restarts_arguments, namespaces, 0, choice_schema),
    FIELD_INT32("podRestartThreshold", restarts_arguments, pod_restart_threshold, 0, 1, INT32_MAX,
                0),
    FIELD_STRINGS("states", restarts_arguments, states, 0),
};
static const struct schema restarts_arguments_schema =
    SCHEMA_STRICT_COMPLETE(restarts_arguments, restarts_fields, descheduler_type_fields);

static void restarts_arguments_validate(struct reading *reading, const struct path *path,
                                        const void *arguments)
{
    const struct restarts_arguments *restarts = arguments;
    const struct path threshold = path_field(path, "podRestartThreshold");
    const struct path states = path_field(path, "states");
    validate_namespaces(reading, path, &restarts->namespaces);
    validate_selector(reading, path, restarts->label_selector);
    if (restarts->pod_restart_threshold == 0 && reading_is_sound(reading, &threshold))
        reading_missing(reading, &threshold);
    for (uint32_t i = 0; i < restarts->states.count; i++) {
        const struct path item = path_item(&states, i);
        const char *state = restarts->states.items[i];
        if (strcmp(state, "Running") != 0 && strcmp(state, "CrashLoopBackOff") != 0)
            text_unexpected(reading, &item, state, "Running or CrashLoopBackOff");
    }
}

/* ---- RemoveFailedPods ---- */

static const struct field failed_fields[] = {
    FIELD_STRINGS("excludeOwnerKinds", failed_pods_arguments, exclude_owner_kinds, 0),
    LATER("exitCodes"),
    FIELD_BOOLEAN("includingInitContainers", failed_pods_arguments, including_init_containers,
                  false),
    FIELD_POINTER("labelSelector", failed_pods_arguments, label_selector, 0, label_selector_schema),
    FIELD_INT64("minPodLifetimeSeconds", failed_pods_arguments, pod_lifetime_seconds_least, 0, 0,
                INT64_MAX, 3600),
    FIELD_STRUCT("namespaces", failed_pods_arguments, namespaces, 0, choice_schema),
    FIELD_STRINGS("reasons", failed_pods_arguments, reasons, 0),
};
static const struct schema failed_pods_arguments_schema =
    SCHEMA_STRICT_COMPLETE(failed_pods_arguments, failed_fields, descheduler_type_fields);

static void failed_pods_arguments_validate(struct reading *reading, const struct path *path,
                                           const void *arguments)
{
    const struct failed_pods_arguments *failed = arguments;
    validate_namespaces(reading, path, &failed->namespaces);
    validate_selector(reading, path, failed->label_selector);
}

/* ---- PodLifeTime ---- */

static const struct field life_time_fields[] = {
    LATER("conditions"),
    LATER("exitCodes"),
    LATER("includingEphemeralContainers"),
    LATER("includingInitContainers"),
    FIELD_POINTER("labelSelector", pod_life_time_arguments, label_selector, 0,
                  label_selector_schema),
    FIELD_OPTIONAL_INT("maxPodLifeTimeSeconds", pod_life_time_arguments, pod_life_time_seconds_most,
                       0, INT64_MAX),
    FIELD_STRUCT("namespaces", pod_life_time_arguments, namespaces, 0, choice_schema),
    LATER("ownerKinds"),
    FIELD_STRINGS("states", pod_life_time_arguments, states, 0),
};
static const struct schema pod_life_time_arguments_schema =
    SCHEMA_STRICT_COMPLETE(pod_life_time_arguments, life_time_fields, descheduler_type_fields);

static bool is_state(const char *text)
{
    static const char *const states[] = {
        "Running",
        "Pending",
        "Succeeded",
        "Failed",
        "Unknown",
        "PodInitializing",
        "ContainerCreating",
        "ImagePullBackOff",
        "CrashLoopBackOff",
        "ErrImagePull",
        "InvalidImageName",
        "CreateContainerConfigError",
        "NodeAffinity",
        "NodeLost",
        "CreateContainerError",
        "Shutdown",
        "UnexpectedAdmissionError",
    };
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
        if (strcmp(states[i], text) == 0)
            return true;
    return false;
}

static void pod_life_time_arguments_validate(struct reading *reading, const struct path *path,
                                             const void *arguments)
{
    const struct pod_life_time_arguments *life_time = arguments;
    const struct path most = path_field(path, "maxPodLifeTimeSeconds");
    const struct path states = path_field(path, "states");
    validate_namespaces(reading, path, &life_time->namespaces);
    validate_selector(reading, path, life_time->label_selector);
    if (!life_time->pod_life_time_seconds_most.set && reading_is_sound(reading, &most))
        reading_missing(reading, &most);
    for (uint32_t i = 0; i < life_time->states.count; i++) {
        const struct path item = path_item(&states, i);
        if (!is_state(life_time->states.items[i]))
            text_unexpected(reading, &item, life_time->states.items[i],
                            "a phase of pods or a reason why a container waits, such as Running, "
                            "Pending, PodInitializing or ContainerCreating");
    }
}

/* ---- the table ---- */

#define DESCHEDULER_PLUGIN(constant, name, member, type, point_name)            \
    [constant] = {name, DESCHEDULER_##point_name, &(member##_arguments_schema), \
                  offsetof(struct descheduler_profile, member), member##_arguments_validate},

const struct descheduler_arguments descheduler_arguments[DESCHEDULER_PLUGIN_COUNT] = {
#include "object/descheduler_plugins.def"
};
#undef DESCHEDULER_PLUGIN

const char *descheduler_plugin_name(enum descheduler_plugin plugin)
{
    return descheduler_arguments[plugin].plugin;
}

enum descheduler_plugin descheduler_plugin_find(struct reading *reading, const struct path *path,
                                                const char *name)
{
    struct suggestion suggestion = {.word = name};
    for (int i = 0; i < DESCHEDULER_PLUGIN_COUNT; i++) {
        if (strcmp(descheduler_arguments[i].plugin, name) == 0)
            return (enum descheduler_plugin)i;
        suggestion_offer(&suggestion, descheduler_arguments[i].plugin);
    }
    if (suggestion.nearest != NULL)
        reading_error(reading, path, "no plugin of the descheduler, did you mean \"%s\"?",
                      suggestion.nearest);
    else
        reading_error(reading, path, "expected a plugin of the descheduler, found \"%s\"", name);
    return DESCHEDULER_PLUGIN_COUNT;
}

void descheduler_arguments_init(struct descheduler_profile *profile)
{
    for (int i = 0; i < DESCHEDULER_PLUGIN_COUNT; i++)
        schema_init(descheduler_arguments[i].schema,
                    (char *)profile + descheduler_arguments[i].offset);
    profile->topology_spread.hard_constraints = true;
}
