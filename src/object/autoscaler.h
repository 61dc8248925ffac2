/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HorizontalPodAutoscaler (autoscaling/v1, v2beta2 and v2, all held as v2) and
 * the PodMetrics it reads.
 */
#ifndef FATHOM_OBJECT_AUTOSCALER_H
#define FATHOM_OBJECT_AUTOSCALER_H

#include "object/meta.h"
#include "object/quantity.h"
#include "object/selector.h"

struct object_reference {
    const char *api_version;
    const char *kind;
    const char *name;
};

enum metric_source {
    METRIC_RESOURCE,
    METRIC_CONTAINER_RESOURCE,
    METRIC_PODS,
    METRIC_OBJECT,
    METRIC_EXTERNAL,
};

enum metric_target_type { METRIC_UTILIZATION, METRIC_AVERAGE_VALUE, METRIC_VALUE };

struct metric_target {
    enum metric_target_type type;
    struct optional_int average_utilization;
    struct quantity *average_value;
    struct quantity *value;
};

struct metric_spec {
    enum metric_source source;
    const char *resource;  /* name of the resource (Resource, ContainerResource) */
    const char *container; /* ContainerResource */
    const char *metric;    /* name of the metric (Pods, Object, External) */
    struct label_selector *metric_selector;
    struct object_reference described_object; /* Object */
    struct metric_target target;
};

enum scaling_policy_type { SCALING_PODS, SCALING_PERCENT };

struct scaling_policy {
    enum scaling_policy_type type;
    int32_t value;
    int32_t period_seconds;
};

enum scaling_select { SCALING_SELECT_MAX, SCALING_SELECT_MIN, SCALING_SELECT_DISABLED };

struct scaling_rules {
    struct optional_int stabilization_window_seconds;
    enum scaling_select select_policy;
    struct scaling_policy *policies;
    uint32_t policy_count;
    struct quantity *tolerance; /* 1.33 on */
};

/* What the controller saw of a resource of the pods when it last looked. */
struct current_metric {
    const char *resource; /* NULL: a metric of another kind */
    struct optional_int average_utilization;
    struct quantity *average_value;
};

struct horizontal_pod_autoscaler_status {
    int64_t observed_generation;
    int64_t last_scale_time;
    int32_t current_replicas;
    int32_t desired_replicas;
    struct optional_int cpu_utilization; /* autoscaling/v1 */
    struct current_metric *current_metrics;
    uint32_t current_metric_count;
    struct conditions conditions;
};

struct horizontal_pod_autoscaler {
    struct object_meta meta;
    struct object_reference scale_target;
    int32_t min_replicas; /* 1 */
    int32_t max_replicas;
    struct metric_spec *metrics; /* cpu at 80 % when none is given */
    uint32_t metric_count;
    bool has_behavior; /* decides between two ways of stabilizing, so absence is kept */
    struct scaling_rules scale_up;
    struct scaling_rules scale_down;
    struct horizontal_pod_autoscaler_status status;
};

struct container_metrics {
    const char *name;
    struct resource_list usage;
};

struct pod_metrics {
    struct object_meta meta;
    int64_t timestamp;
    int64_t window_ns;
    struct container_metrics *containers;
    uint32_t container_count;
};

#endif
