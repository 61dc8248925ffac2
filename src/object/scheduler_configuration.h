/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1beta3 and v1).
 *
 * After decoding it is as kube-scheduler would hold it: there is at least one
 * profile, each profile's plugin sets are merged with the default ones (which
 * are all under multiPoint), and the arguments of every plugin are there,
 * defaulted. What multiPoint means for an extension point depends on what each
 * plugin implements, so the scheduler expands it.
 */
#ifndef FATHOM_OBJECT_SCHEDULER_CONFIGURATION_H
#define FATHOM_OBJECT_SCHEDULER_CONFIGURATION_H

#include "object/pod.h"

enum extension_point {
    EXTENSION_PRE_ENQUEUE,
    EXTENSION_QUEUE_SORT,
    EXTENSION_PRE_FILTER,
    EXTENSION_FILTER,
    EXTENSION_POST_FILTER,
    EXTENSION_PRE_SCORE,
    EXTENSION_SCORE,
    EXTENSION_RESERVE,
    EXTENSION_PERMIT,
    EXTENSION_PRE_BIND,
    EXTENSION_BIND,
    EXTENSION_POST_BIND,
    EXTENSION_MULTI_POINT,
    EXTENSION_POINT_COUNT
};

struct scheduler_plugin {
    const char *name;
    int32_t weight; /* 0: not given, which counts as 1 */
};

struct scheduler_plugin_set {
    struct scheduler_plugin *enabled; /* in order */
    uint32_t enabled_count;
    struct scheduler_plugin *disabled; /* "*": all defaults */
    uint32_t disabled_count;
};

struct resource_weight {
    const char *name;
    int64_t weight;
};

struct resource_weights {
    struct resource_weight *items;
    uint32_t count;
};

/* Utilization in percent, score from 0 to 10; by rising utilization. */
struct utilization_point {
    int32_t utilization;
    int32_t score;
};

enum scoring_strategy {
    SCORING_LEAST_ALLOCATED,
    SCORING_MOST_ALLOCATED,
    SCORING_REQUESTED_TO_CAPACITY_RATIO,
};

struct node_resources_fit_arguments {
    struct string_list ignored_resources;
    struct string_list ignored_resource_groups;
    enum scoring_strategy scoring_strategy;
    struct resource_weights resources; /* cpu 1, memory 1 */
    struct utilization_point *shape;   /* RequestedToCapacityRatio */
    uint32_t shape_count;
};

struct balanced_allocation_arguments {
    struct resource_weights resources; /* cpu 1, memory 1 */
};

enum spread_defaulting { SPREAD_DEFAULTING_SYSTEM, SPREAD_DEFAULTING_LIST };

/* System defaulting is the built-in constraints: hostname with skew 3, zone with
 * skew 5, both ScheduleAnyway; the list is empty then. */
struct pod_topology_spread_arguments {
    enum spread_defaulting defaulting;
    struct topology_spread_constraint *default_constraints;
    uint32_t default_constraint_count;
};

struct inter_pod_affinity_arguments {
    int32_t hard_pod_affinity_weight; /* 1 */
    bool ignore_preferred_terms_of_existing_pods;
};

struct node_affinity_arguments {
    struct node_affinity *added_affinity; /* NULL: none */
};

struct default_preemption_arguments {
    int32_t candidate_nodes_percentage_least; /* minCandidateNodesPercentage: 10 */
    int32_t candidate_nodes_least;            /* minCandidateNodesAbsolute: 100 */
};

struct volume_binding_arguments {
    int64_t bind_timeout_seconds; /* 600 */
    struct utilization_point *shape;
    uint32_t shape_count;
};

struct scheduler_profile {
    const char *scheduler_name;
    struct optional_int percentage_of_nodes_to_score; /* unset: that of the configuration */
    struct scheduler_plugin_set plugins[EXTENSION_POINT_COUNT];
    struct node_resources_fit_arguments node_resources_fit;
    struct balanced_allocation_arguments balanced_allocation;
    struct pod_topology_spread_arguments pod_topology_spread;
    struct inter_pod_affinity_arguments inter_pod_affinity;
    struct node_affinity_arguments node_affinity;
    struct default_preemption_arguments default_preemption;
    struct volume_binding_arguments volume_binding;
};

struct scheduler_configuration {
    struct object_meta meta;              /* empty: a configuration has no name */
    int32_t percentage_of_nodes_to_score; /* 0: adaptive, the default */
    int64_t pod_initial_backoff_seconds;  /* 1 */
    int64_t pod_max_backoff_seconds;      /* 10 */
    struct scheduler_profile *profiles;
    uint32_t profile_count;
};

#endif
