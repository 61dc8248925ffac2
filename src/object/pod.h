/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pod, and the pod template that workloads carry.
 *
 * After decoding, a pod is as the API server would have stored it: requests
 * filled in from limits, operators, protocols and policies defaulted. The
 * priority is resolved later from the PriorityClass objects (object/admission.h),
 * because it needs them.
 */
#ifndef FATHOM_OBJECT_POD_H
#define FATHOM_OBJECT_POD_H

#include "object/meta.h"
#include "object/quantity.h"
#include "object/selector.h"
#include "object/taint.h"

enum protocol { PROTOCOL_TCP, PROTOCOL_UDP, PROTOCOL_SCTP };

struct container_port {
    const char *name;
    int32_t container_port;
    int32_t host_port; /* 0: none; on hostNetwork pods defaulted to the container's */
    enum protocol protocol;
    const char *host_ip; /* "" when absent, which means every address */
};

struct resource_requirements {
    struct resource_list requests; /* filled in from limits where absent */
    struct resource_list limits;
};

struct probe {
    int32_t initial_delay_seconds;
    int32_t timeout_seconds;
    int32_t period_seconds;
    int32_t success_threshold;
    int32_t failure_threshold;
};

enum exit_code_relation { EXIT_CODE_IN, EXIT_CODE_NOT_IN };

struct exit_code_rule {
    const char *container_name; /* NULL: any */
    enum exit_code_relation relation;
    int64_t *values;
    uint32_t value_count;
};

struct container {
    const char *name;
    const char *image;
    const char *restart_policy; /* "Always" makes an init container a sidecar (1.28 on) */
    bool restarts_all; /* a rule of restartPolicyRules restarts all containers of the pod (1.36) */
    struct exit_code_rule
        *restart_codes; /* of its restartPolicyRules: it is started again (1.35) */
    uint32_t restart_code_count;
    struct container_port *ports;
    uint32_t port_count;
    struct resource_requirements resources;
    struct probe *readiness_probe;
    struct probe *liveness_probe;
    struct probe *startup_probe;
    int64_t pre_stop_seconds; /* that its preStop hook sleeps; 0: none, or not known */
};

struct preferred_node_term {
    int32_t weight;
    struct node_selector_term preference;
};

struct node_affinity {
    struct node_selector *required;
    struct preferred_node_term *preferred;
    uint32_t preferred_count;
};

struct pod_affinity_term {
    struct label_selector *label_selector; /* NULL: matches nothing */
    struct string_list namespaces;
    struct label_selector *namespace_selector; /* NULL: none; empty: all namespaces */
    const char *topology_key;
    struct string_list match_label_keys;
    struct string_list mismatch_label_keys;
};

struct weighted_pod_affinity_term {
    int32_t weight;
    struct pod_affinity_term term;
};

struct pod_affinity {
    struct pod_affinity_term *required;
    uint32_t required_count;
    struct weighted_pod_affinity_term *preferred;
    uint32_t preferred_count;
};

struct affinity {
    struct node_affinity *node_affinity;
    struct pod_affinity *pod_affinity;
    struct pod_affinity *pod_anti_affinity;
};

enum when_unsatisfiable { DO_NOT_SCHEDULE, SCHEDULE_ANYWAY };
enum inclusion_policy { INCLUSION_UNSET, INCLUSION_HONOR, INCLUSION_IGNORE };

struct topology_spread_constraint {
    int32_t max_skew;
    const char *topology_key;
    enum when_unsatisfiable when_unsatisfiable;
    struct label_selector *label_selector; /* NULL: matches nothing */
    struct optional_int min_domains;
    enum inclusion_policy node_affinity_policy; /* unset: Honor */
    enum inclusion_policy node_taints_policy;   /* unset: Ignore */
    struct string_list match_label_keys;
};

enum volume_source {
    VOLUME_OTHER, /* config maps, secrets, projected, CSI inline, ... */
    VOLUME_PERSISTENT_CLAIM,
    VOLUME_EPHEMERAL_CLAIM, /* claim named POD-VOLUME, made with the pod */
    VOLUME_EMPTY_DIR,
    VOLUME_HOST_PATH,
    VOLUME_GCE_PERSISTENT_DISK,
    VOLUME_AWS_ELASTIC_BLOCK_STORE,
    VOLUME_ISCSI,
    VOLUME_RBD,
    VOLUME_AZURE_DISK,
    VOLUME_CINDER,
    VOLUME_VSPHERE,
};

struct volume {
    const char *name;
    enum volume_source source;
    const char *claim_name; /* of a persistent claim */
    const char *disk;       /* pdName, volumeID, iqn, image, ...: what two pods may not share */
    const char *image;      /* of an image volume, whose source is VOLUME_OTHER */
    bool read_only;
};

enum restart_policy { RESTART_ALWAYS, RESTART_ON_FAILURE, RESTART_NEVER };
enum preemption_policy { PREEMPTION_UNSET, PREEMPT_LOWER_PRIORITY, PREEMPT_NEVER };

/* How LimitRanges add the amounts of a pod's containers (limit_ranger.h). */
enum pod_totals {
    POD_TOTALS_OF_ALL,  /* up to 1.27: a resource that one container does not name has no total */
    POD_TOTALS_OF_SOME, /* a container that does not name it has none of it ... */
    POD_TOTALS_OF_SIDECARS, /* ... and sidecars add to the others ... */
    POD_TOTALS_OF_PODS,     /* ... and what is given for the pod as a whole counts instead */
    POD_TOTALS_COUNT
};

struct pod_spec {
    struct container *containers;
    uint32_t container_count;
    struct container *init_containers;
    uint32_t init_container_count;
    const char *node_name; /* NULL: not assigned */
    struct labels node_selector;
    struct affinity *affinity;
    struct toleration *tolerations;
    uint32_t toleration_count;
    struct topology_spread_constraint *topology_spread_constraints;
    uint32_t topology_spread_constraint_count;
    struct optional_int priority;
    const char *priority_class_name;
    enum preemption_policy preemption_policy;
    const char *scheduler_name; /* "default-scheduler" */
    const char *runtime_class_name;
    struct resource_list overhead;
    /* Of the pod as a whole (1.34 on), as they were given; NULL: absent. What is filled in
     * depends on the version: decide/pod_requests.h. */
    struct resource_requirements *resources;
    enum restart_policy restart_policy;
    int64_t termination_grace_seconds; /* 30 */
    struct optional_int active_deadline_seconds;
    bool host_network;
    enum tristate host_users; /* false: a user namespace of its own */
    const char *hostname;
    const char *subdomain;
    struct volume *volumes;
    uint32_t volume_count;
    struct string_list scheduling_gates;
    /* What the API server answers when a pod like this is created; NULL: it accepts the pod. Set
     * by object/admission.h. */
    const char *refusal;
    /* The same with what LimitRanges have against it, by each of their rules (enum pod_totals). */
    const char *refusals[POD_TOTALS_COUNT];
};

enum pod_phase {
    POD_PHASE_UNSET, /* a manifest, not yet seen by a kubelet: Pending */
    POD_PENDING,
    POD_RUNNING,
    POD_SUCCEEDED,
    POD_FAILED,
    POD_UNKNOWN,
};

enum container_state { CONTAINER_WAITING, CONTAINER_RUNNING, CONTAINER_TERMINATED };

struct container_status {
    const char *name;
    bool ready;
    int32_t restart_count;
    enum container_state state;
    const char *reason; /* of waiting or terminated */
    int32_t exit_code;
    int64_t started_at;
    int64_t finished_at;
    enum container_state last_state;
    const char *last_reason;
    /* While the pod is resized in place: what the container has, NULL if it is not told, and what
     * its node has set aside for it. */
    struct resource_requirements *resources;
    struct resource_list allocated_resources;
};

struct pod_status {
    enum pod_phase phase;
    const char *reason;
    const char *message;
    const char *nominated_node_name;
    const char *qos_class;
    int64_t start_time;
    struct conditions conditions;
    struct container_status *container_statuses;
    uint32_t container_status_count;
    struct container_status *init_container_statuses;
    uint32_t init_container_status_count;
    /* The same for the pod as a whole. */
    struct resource_requirements *resources;
    struct resource_list allocated_resources;
};

struct pod {
    struct object_meta meta;
    struct pod_spec spec;
    struct pod_status status;
};

struct pod_template {
    struct object_meta meta; /* labels and annotations */
    struct pod_spec spec;
};

#endif
