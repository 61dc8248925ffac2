/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After pkg/scheduler/apis/config/v1/defaults.go and
 * validation/validation_pluginargs.go (v1.26).
 */
#include "object/scheduler_arguments.h"

#include "object/names.h"
#include "object/pod_parts.h"

#include <string.h>

enum { CUSTOM_SCORE_MOST = 10 };

/* Arguments may name their type, which the name of the plugin tells already. */
static const char *const type_fields[] = {"apiVersion", "kind", NULL};

/* ---- parts ---- */

static const struct field resource_weight_fields[] = {
    FIELD_STRING("name", resource_weight, name, FIELD_REQUIRED),
    FIELD_INT64("weight", resource_weight, weight, 0, 0, 100, 0),
};
static const struct schema resource_weight_schema =
    SCHEMA_STRICT(resource_weight, resource_weight_fields);

static const struct field utilization_point_fields[] = {
    FIELD_INT32("score", utilization_point, score, 0, 0, CUSTOM_SCORE_MOST, 0),
    FIELD_INT32("utilization", utilization_point, utilization, 0, 0, 100, 0),
};
static const struct schema utilization_point_schema =
    SCHEMA_STRICT(utilization_point, utilization_point_fields);

/* cpu and memory when there is none; a weight that is left out is 1. */
static void set_default_weights(struct arena *arena, struct resource_weights *weights)
{
    static const struct resource_weight usual[] = {{"cpu", 1}, {"memory", 1}};
    if (weights->count == 0) {
        weights->items = arena_copy(arena, usual, sizeof(usual));
        weights->count = 2;
    }
    for (uint32_t i = 0; i < weights->count; i++)
        if (weights->items[i].weight == 0)
            weights->items[i].weight = 1;
}

static void validate_shape(struct reading *reading, const struct path *path,
                           const struct utilization_point *shape, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const struct path point = path_item(path, i);
        const struct path utilization = path_field(&point, "utilization");
        if (shape[i].utilization <= shape[i - 1].utilization)
            reading_error(reading, &utilization,
                          "expected more than the %d of the point before it, found %d",
                          shape[i - 1].utilization, shape[i].utilization);
    }
}

/* ---- NodeResourcesFit ---- */

static const struct enum_name strategy_names[] = {
    {"LeastAllocated", SCORING_LEAST_ALLOCATED},
    {"MostAllocated", SCORING_MOST_ALLOCATED},
    {"RequestedToCapacityRatio", SCORING_REQUESTED_TO_CAPACITY_RATIO},
    {0},
};

static const struct field ratio_fields[] = {
    FIELD_LIST("shape", node_resources_fit_arguments, shape, shape_count, FIELD_REQUIRED,
               utilization_point_schema),
};
static const struct schema ratio_schema = SCHEMA_STRICT(node_resources_fit_arguments, ratio_fields);

static const struct field strategy_fields[] = {
    FIELD_NESTED("requestedToCapacityRatio", 0, ratio_schema),
    FIELD_LIST("resources", node_resources_fit_arguments, resources.items, resources.count, 0,
               resource_weight_schema),
    FIELD_ENUM("type", node_resources_fit_arguments, scoring_strategy, FIELD_REQUIRED,
               strategy_names, SCORING_LEAST_ALLOCATED),
};
static const struct schema strategy_schema =
    SCHEMA_STRICT(node_resources_fit_arguments, strategy_fields);

static const struct field fit_fields[] = {
    FIELD_STRINGS("ignoredResourceGroups", node_resources_fit_arguments, ignored_resource_groups,
                  0),
    FIELD_STRINGS("ignoredResources", node_resources_fit_arguments, ignored_resources, 0),
    FIELD_NESTED("scoringStrategy", 0, strategy_schema),
};
static const struct schema fit_schema =
    SCHEMA_STRICT_COMPLETE(node_resources_fit_arguments, fit_fields, type_fields);

static void fit_set_defaults(struct arena *arena, void *arguments)
{
    set_default_weights(arena, &((struct node_resources_fit_arguments *)arguments)->resources);
}

static void fit_validate(struct reading *reading, const struct path *path, const void *arguments)
{
    const struct node_resources_fit_arguments *fit = arguments;
    const struct path resources = path_field(path, "ignoredResources");
    for (uint32_t i = 0; i < fit->ignored_resources.count; i++) {
        const struct path item = path_item(&resources, i);
        qualified_name_validate(reading, &item, fit->ignored_resources.items[i]);
    }
    const struct path groups = path_field(path, "ignoredResourceGroups");
    for (uint32_t i = 0; i < fit->ignored_resource_groups.count; i++) {
        const struct path item = path_item(&groups, i);
        const char *group = fit->ignored_resource_groups.items[i];
        if (strchr(group, '/') != NULL)
            text_unexpected(reading, &item, group, "a group of resources, without a /");
        else
            qualified_name_validate(reading, &item, group);
    }
    const struct path strategy = path_field(path, "scoringStrategy");
    const struct path ratio = path_field(&strategy, "requestedToCapacityRatio");
    const struct path shape = path_field(&ratio, "shape");
    if (fit->scoring_strategy == SCORING_REQUESTED_TO_CAPACITY_RATIO && fit->shape_count == 0)
        reading_error(reading, &strategy,
                      "RequestedToCapacityRatio needs requestedToCapacityRatio.shape");
    validate_shape(reading, &shape, fit->shape, fit->shape_count);
}

/* ---- NodeResourcesBalancedAllocation ---- */

static const struct field balanced_fields[] = {
    FIELD_LIST("resources", balanced_allocation_arguments, resources.items, resources.count, 0,
               resource_weight_schema),
};
static const struct schema balanced_schema =
    SCHEMA_STRICT_COMPLETE(balanced_allocation_arguments, balanced_fields, type_fields);

static void balanced_set_defaults(struct arena *arena, void *arguments)
{
    set_default_weights(arena, &((struct balanced_allocation_arguments *)arguments)->resources);
}

static void balanced_validate(struct reading *reading, const struct path *path,
                              const void *arguments)
{
    const struct resource_weights *weights =
        &((const struct balanced_allocation_arguments *)arguments)->resources;
    const struct path resources = path_field(path, "resources");
    struct name_set seen;
    name_set_init(&seen, reading->arena);
    for (uint32_t i = 0; i < weights->count; i++) {
        const struct path item = path_item(&resources, i);
        const struct path name = path_field(&item, "name");
        const struct path weight = path_field(&item, "weight");
        unique_name_validate(reading, &name, &seen, weights->items[i].name);
        if (weights->items[i].weight != 1)
            reading_error(reading, &weight, "expected 1, found %lld",
                          (long long)weights->items[i].weight);
    }
}

/* ---- PodTopologySpread ---- */

static const struct enum_name defaulting_names[] = {
    {"System", SPREAD_DEFAULTING_SYSTEM},
    {"List", SPREAD_DEFAULTING_LIST},
    {0},
};

static const struct field spread_fields[] = {
    FIELD_LIST("defaultConstraints", pod_topology_spread_arguments, default_constraints,
               default_constraint_count, 0, topology_spread_constraint_schema),
    FIELD_ENUM("defaultingType", pod_topology_spread_arguments, defaulting, 0, defaulting_names,
               SPREAD_DEFAULTING_SYSTEM),
};
static const struct schema spread_schema =
    SCHEMA_STRICT_COMPLETE(pod_topology_spread_arguments, spread_fields, type_fields);

static bool is_same_constraint(const struct topology_spread_constraint *left,
                               const struct topology_spread_constraint *right)
{
    return left->topology_key != NULL && right->topology_key != NULL &&
           strcmp(left->topology_key, right->topology_key) == 0 &&
           left->when_unsatisfiable == right->when_unsatisfiable;
}

static void spread_validate(struct reading *reading, const struct path *path, const void *arguments)
{
    const struct pod_topology_spread_arguments *spread = arguments;
    const struct path type = path_field(path, "defaultingType");
    const struct path list = path_field(path, "defaultConstraints");
    if (spread->defaulting == SPREAD_DEFAULTING_SYSTEM && spread->default_constraint_count > 0)
        reading_error(reading, &type, "expected List, since there are defaultConstraints");
    for (uint32_t i = 0; i < spread->default_constraint_count; i++) {
        const struct topology_spread_constraint *constraint = &spread->default_constraints[i];
        const struct path item = path_item(&list, i);
        const struct path key = path_field(&item, "topologyKey");
        const struct path selector = path_field(&item, "labelSelector");
        qualified_name_validate(reading, &key, constraint->topology_key);
        if (constraint->label_selector != NULL)
            reading_error(reading, &selector,
                          "must not be given: the selector follows from each pod's owners");
        for (uint32_t j = 0; j < i; j++)
            if (is_same_constraint(constraint, &spread->default_constraints[j]))
                reading_error(reading, &item, "there is a constraint for %s like this already",
                              constraint->topology_key);
    }
}

/* ---- InterPodAffinity, NodeAffinity ---- */

static const struct field inter_pod_fields[] = {
    FIELD_INT32("hardPodAffinityWeight", inter_pod_affinity_arguments, hard_pod_affinity_weight, 0,
                0, 100, 1),
    FIELD_BOOLEAN("ignorePreferredTermsOfExistingPods", inter_pod_affinity_arguments,
                  ignore_preferred_terms_of_existing_pods, false),
};
static const struct schema inter_pod_schema =
    SCHEMA_STRICT_COMPLETE(inter_pod_affinity_arguments, inter_pod_fields, type_fields);

static const struct field node_affinity_fields[] = {
    FIELD_POINTER("addedAffinity", node_affinity_arguments, added_affinity, 0,
                  node_affinity_schema),
};
static const struct schema node_affinity_arguments_schema =
    SCHEMA_STRICT_COMPLETE(node_affinity_arguments, node_affinity_fields, type_fields);

static void added_affinity_validate(struct reading *reading, const struct path *path,
                                    const void *arguments)
{
    const struct node_affinity_arguments *affinity = arguments;
    const struct path added = path_field(path, "addedAffinity");
    if (affinity->added_affinity != NULL)
        node_affinity_validate(reading, &added, affinity->added_affinity);
}

/* ---- DefaultPreemption, VolumeBinding ---- */

static const struct field preemption_fields[] = {
    FIELD_INT32("minCandidateNodesAbsolute", default_preemption_arguments, candidate_nodes_least, 0,
                0, INT32_MAX, 100),
    FIELD_INT32("minCandidateNodesPercentage", default_preemption_arguments,
                candidate_nodes_percentage_least, 0, 0, 100, 10),
};
static const struct schema preemption_schema =
    SCHEMA_STRICT_COMPLETE(default_preemption_arguments, preemption_fields, type_fields);

static void preemption_validate(struct reading *reading, const struct path *path,
                                const void *arguments)
{
    const struct default_preemption_arguments *preemption = arguments;
    if (preemption->candidate_nodes_least == 0 && preemption->candidate_nodes_percentage_least == 0)
        reading_error(
            reading, path,
            "minCandidateNodesAbsolute and minCandidateNodesPercentage must not both be 0");
}

static const struct field volume_fields[] = {
    FIELD_INT64("bindTimeoutSeconds", volume_binding_arguments, bind_timeout_seconds, 0, 0,
                INT64_MAX, 600),
    FIELD_LIST("shape", volume_binding_arguments, shape, shape_count, 0, utilization_point_schema),
};
static const struct schema volume_schema =
    SCHEMA_STRICT_COMPLETE(volume_binding_arguments, volume_fields, type_fields);

static void volume_validate(struct reading *reading, const struct path *path, const void *arguments)
{
    const struct volume_binding_arguments *binding = arguments;
    const struct path shape = path_field(path, "shape");
    validate_shape(reading, &shape, binding->shape, binding->shape_count);
}

#define MEMBER(name) offsetof(struct scheduler_profile, name)

const struct plugin_arguments plugin_arguments[] = {
    {"DefaultPreemption", &preemption_schema, MEMBER(default_preemption), NULL,
     preemption_validate},
    {"InterPodAffinity", &inter_pod_schema, MEMBER(inter_pod_affinity), NULL, NULL},
    {"NodeAffinity", &node_affinity_arguments_schema, MEMBER(node_affinity), NULL,
     added_affinity_validate},
    {"NodeResourcesBalancedAllocation", &balanced_schema, MEMBER(balanced_allocation),
     balanced_set_defaults, balanced_validate},
    {"NodeResourcesFit", &fit_schema, MEMBER(node_resources_fit), fit_set_defaults, fit_validate},
    {"PodTopologySpread", &spread_schema, MEMBER(pod_topology_spread), NULL, spread_validate},
    {"VolumeBinding", &volume_schema, MEMBER(volume_binding), NULL, volume_validate},
};
const uint32_t plugin_arguments_count = sizeof(plugin_arguments) / sizeof(plugin_arguments[0]);

const struct plugin_arguments *plugin_arguments_find(const char *plugin)
{
    for (uint32_t i = 0; i < plugin_arguments_count; i++)
        if (strcmp(plugin_arguments[i].plugin, plugin) == 0)
            return &plugin_arguments[i];
    return NULL;
}
