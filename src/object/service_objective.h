/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ServiceObjective (fathom/v1): our own kind, which says what an autoscaled
 * service is to achieve under what load. docs/slo.md describes it for people.
 *
 * Objectives may also be written in OpenSLO's and Sloth's words (`objectives`),
 * as far as they can be judged: a bound on the response time that every request
 * has to keep.
 */
#ifndef FATHOM_OBJECT_SERVICE_OBJECTIVE_H
#define FATHOM_OBJECT_SERVICE_OBJECTIVE_H

#include "object/check.h"

/* An item of `objectives`. */
struct named_objective {
    const char *display_name; /* OpenSLO */
    const char *name;         /* Sloth */
    const char *description;
    const char *op;        /* lte, lt */
    double value;          /* seconds */
    double target;         /* OpenSLO: 1 */
    double target_percent; /* OpenSLO: 100 */
    double objective;      /* Sloth, per cent: 100 */
};

struct service_load_wave {
    int32_t high;
    int32_t low;
    int64_t high_for_ns;
    int64_t low_for_ns;
};

struct service_load_point {
    int64_t from_ns;
    int32_t most;
};

struct service_load_ramp {
    struct optional_int increase; /* requests a second more than in the last second */
    struct optional_int decrease;
};

struct service_load_constant {
    int32_t most;
};

struct service_load {
    struct service_load_constant *constant;
    struct service_load_wave *wave;
    struct service_load_point *envelope; /* by rising time, the first from 0s */
    uint32_t envelope_count;
    int64_t repeat_every_ns; /* the envelope starts again; 0: the last point stays */
    struct service_load_ramp *ramp;
};

enum service_rule { RULE_UNSET, RULE_QUEUE_THRESHOLD, RULE_HORIZONTAL_POD_AUTOSCALER };
enum threshold_model_name { THRESHOLD_NGINX, THRESHOLD_NODEJS };
enum threshold_defects { DEFECTS_PUBLISHED, DEFECTS_INTENDED };
enum service_balancing { BALANCING_UNSET, BALANCING_ROUND_ROBIN, BALANCING_LEAST_LOADED };

struct service_threshold {
    enum threshold_model_name model;
    enum threshold_defects defects;
    int64_t check_interval_ns; /* 15s */
    int32_t scale_up;          /* per cent of the longest queue allowed: 80 */
    int32_t scale_down;        /* 20 */
};

struct service_autoscaler_settings {
    const char *name;                   /* NULL: the only one there is */
    int64_t sync_period_ns;             /* 15s */
    double tolerance;                   /* 0.1 */
    int64_t downscale_stabilization_ns; /* 5m */
    int64_t metrics_resolution_ns;      /* 15s */
    int64_t metrics_delay_ns;           /* 0s */
    struct quantity *cpu_when_busy;     /* NULL: the limit, or else the request */
};

struct service_autoscaler {
    enum service_rule rule;
    struct service_threshold *threshold;
    struct service_autoscaler_settings *settings;
};

struct service_objective {
    struct object_meta meta;
    struct string_list manifests; /* relative to the file */
    int64_t max_response_time_ns; /* 0: not given */
    struct optional_int max_queue;
    struct named_objective *objectives;
    uint32_t objective_count;
    int64_t processing_time_ns;
    int64_t pod_startup_ns;
    int32_t concurrency; /* 1 */
    struct optional_int pods_initial, pods_min, pods_max;
    struct service_load load;
    struct service_autoscaler autoscaler;
    enum service_balancing balancing;
    struct optional_int queue_limit; /* abstraction */
};

#endif
