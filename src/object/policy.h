/* SPDX-License-Identifier: Apache-2.0 */
/* PodDisruptionBudget, PriorityClass, RuntimeClass, LimitRange, ResourceQuota, webhook
 * configurations, Namespace, Service. */
#ifndef FATHOM_OBJECT_POLICY_H
#define FATHOM_OBJECT_POLICY_H

#include "object/pod.h"

struct disrupted_pod {
    const char *name;
    int64_t time;
};

enum unhealthy_eviction_policy { UNHEALTHY_IF_HEALTHY_BUDGET, UNHEALTHY_ALWAYS_ALLOW };

struct pod_disruption_budget_status {
    int64_t observed_generation;
    int32_t current_healthy;
    int32_t desired_healthy;
    int32_t disruptions_allowed;
    int32_t expected_pods;
    struct disrupted_pod *disrupted_pods; /* sorted by name */
    uint32_t disrupted_pod_count;
    struct conditions conditions;
};

struct pod_disruption_budget {
    struct object_meta meta;
    struct int_or_percent min_available;
    struct int_or_percent max_unavailable;
    struct label_selector *selector; /* NULL matches nothing, {} everything (policy/v1) */
    enum unhealthy_eviction_policy unhealthy_eviction_policy;
    struct pod_disruption_budget_status status;
};

struct priority_class {
    struct object_meta meta;
    int32_t value;
    bool global_default;
    enum preemption_policy preemption_policy;
};

struct runtime_class {
    struct object_meta meta;
    const char *handler;
    struct resource_list overhead; /* podFixed */
    struct labels node_selector;
    struct toleration *tolerations;
    uint32_t toleration_count;
};

struct limit_range_item {
    const char *type; /* Container, Pod, PersistentVolumeClaim */
    struct resource_list max;
    struct resource_list min;
    struct resource_list default_limit;
    struct resource_list default_request;
    struct resource_list max_limit_request_ratio;
};

struct limit_range {
    struct object_meta meta;
    struct limit_range_item *limits;
    uint32_t limit_count;
};

enum scope_operator { SCOPE_IN, SCOPE_NOT_IN, SCOPE_EXISTS, SCOPE_DOES_NOT_EXIST };

struct scope_requirement {
    const char *scope;
    enum scope_operator operator;
    struct string_list values;
};

struct resource_quota {
    struct object_meta meta;
    struct resource_list hard;
    struct string_list scopes;
    struct scope_requirement *scope_requirements; /* spec.scopeSelector.matchExpressions */
    uint32_t scope_requirement_count;
    struct resource_list status_hard; /* what admission goes by */
    struct resource_list used;
};

enum webhook_failure_policy { WEBHOOK_FAILS_CLOSED, WEBHOOK_FAILS_OPEN };

struct webhook_rule {
    struct string_list api_groups;
    struct string_list api_versions;
    struct string_list operations;
    struct string_list resources;
    const char *scope;
};

struct webhook {
    const char *name;
    const char *service_namespace; /* NULL: it is called by URL */
    const char *service_name;
    enum webhook_failure_policy failure_policy;
    struct label_selector *namespace_selector; /* NULL: everything */
    struct label_selector *object_selector;
    struct webhook_rule *rules;
    uint32_t rule_count;
    int32_t timeout_seconds;
};

/* Of both kinds: validating and mutating ones. */
struct webhook_configuration {
    struct object_meta meta;
    struct webhook *webhooks;
    uint32_t webhook_count;
};

struct namespace_object {
    struct object_meta meta; /* the label kubernetes.io/metadata.name is always there */
};

struct service_port {
    const char *name;
    int32_t port;
    int32_t node_port; /* 0: none is given */
    enum protocol protocol;
};

struct service {
    struct object_meta meta;
    struct labels selector;
    struct service_port *ports;
    uint32_t port_count;
    const char *type;       /* "ClusterIP" */
    const char *cluster_ip; /* "None": headless */
    const char *external_traffic_policy;
    const char *internal_traffic_policy;
    bool publish_not_ready_addresses;
    enum tristate allocate_node_ports; /* allocateLoadBalancerNodePorts; unset: true */
};

#endif
