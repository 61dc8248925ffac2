/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DeschedulerPolicy (descheduler/v1alpha2 with its profiles, and v1alpha1,
 * whose strategies become one profile each, as the descheduler converts them).
 *
 * The arguments of a plugin are those of descheduler v0.27, with what v0.28 and
 * later call differently brought into the same members.
 */
#ifndef FATHOM_OBJECT_DESCHEDULER_POLICY_H
#define FATHOM_OBJECT_DESCHEDULER_POLICY_H

#include "object/meta.h"
#include "object/selector.h"

enum descheduler_plugin {
#define DESCHEDULER_PLUGIN(constant, name, member, type, point) constant,
#include "object/descheduler_plugins.def"
#undef DESCHEDULER_PLUGIN
    DESCHEDULER_PLUGIN_COUNT
};

const char *descheduler_plugin_name(enum descheduler_plugin plugin);

/* At most one of the two lists has anything in it; empty lists: all namespaces. */
struct namespace_choice {
    struct string_list include;
    struct string_list exclude;
};

struct default_evictor_arguments {
    struct label_selector *node_selector;  /* NULL: all nodes; for node fit only */
    struct label_selector *label_selector; /* NULL: all pods */
    bool evict_local_storage_pods;
    bool evict_system_critical_pods;
    bool ignore_pvc_pods;
    bool evict_failed_bare_pods;
    bool node_fit;
    struct optional_int priority_threshold;    /* the value */
    const char *priority_threshold_class_name; /* or the name of a class; both absent: 2000000000 */
    struct optional_int replicas_least;        /* minReplicas (v0.30 on) */
    int64_t pod_age_least_ns;                  /* minPodAge (v0.31 on); 0: any */
};

struct duplicates_arguments {
    struct namespace_choice namespaces;
    struct string_list exclude_owner_kinds;
};

/* Which constraints count: v0.27 says includeSoftConstraints, later versions
 * list them; without a list the hard ones count. */
struct topology_spread_arguments {
    struct namespace_choice namespaces;
    struct label_selector *label_selector;
    bool hard_constraints;
    bool soft_constraints;
    bool balance_node_fit; /* topologyBalanceNodeFit: true */
};

struct resource_percentage {
    const char *name;
    double percent;
};

/* Sorted by name, each name once. */
struct resource_percentages {
    struct resource_percentage *items;
    uint32_t count;
};

/* Low and high; the latter has no targets and no deviation. */
struct node_utilization_arguments {
    struct resource_percentages thresholds;
    struct resource_percentages target_thresholds;
    bool use_deviation_thresholds;
    int32_t number_of_nodes;
    struct string_list exclude_namespaces; /* evictableNamespaces.exclude */
};

struct node_affinity_eviction_arguments {
    struct namespace_choice namespaces;
    struct label_selector *label_selector;
    bool required;  /* nodeAffinityType has requiredDuringSchedulingIgnoredDuringExecution */
    bool preferred; /* or preferred...; v0.28 on */
};

struct node_taints_arguments {
    struct namespace_choice namespaces;
    struct label_selector *label_selector;
    bool include_prefer_no_schedule;
    struct string_list excluded_taints; /* "key" or "key=value" */
    struct string_list included_taints; /* v0.30 on; at most one of the two lists */
};

struct anti_affinity_arguments {
    struct namespace_choice namespaces;
    struct label_selector *label_selector;
};

struct restarts_arguments {
    struct namespace_choice namespaces;
    struct label_selector *label_selector;
    int32_t pod_restart_threshold;
    bool including_init_containers;
    struct string_list states; /* v0.28 on; empty: any */
};

struct failed_pods_arguments {
    struct namespace_choice namespaces;
    struct label_selector *label_selector;
    struct string_list exclude_owner_kinds;
    int64_t pod_lifetime_seconds_least; /* minPodLifetimeSeconds: 3600 */
    struct string_list reasons;
    bool including_init_containers;
};

struct pod_life_time_arguments {
    struct namespace_choice namespaces;
    struct label_selector *label_selector;
    struct optional_int pod_life_time_seconds_most; /* maxPodLifeTimeSeconds: required */
    struct string_list states;
};

struct descheduler_plugin_list {
    enum descheduler_plugin *items; /* in order */
    uint32_t count;
};

struct descheduler_profile {
    const char *name;
    struct descheduler_plugin_list deschedule; /* enabled ones; run first */
    struct descheduler_plugin_list balance;
    /* The plugin has an entry under pluginConfig. One that is enabled without
     * makes the profile fail: nothing of it runs. The evictor needs none. */
    bool configured[DESCHEDULER_PLUGIN_COUNT];
#define DESCHEDULER_PLUGIN(constant, name, member, type, point) struct type member;
#include "object/descheduler_plugins.def"
#undef DESCHEDULER_PLUGIN
};

struct descheduler_policy {
    struct object_meta meta;              /* empty: a policy has no name */
    struct label_selector *node_selector; /* NULL: all nodes */
    struct optional_int evictions_per_node_most;
    struct optional_int evictions_per_namespace_most;
    struct descheduler_profile *profiles;
    uint32_t profile_count;
};

#endif
