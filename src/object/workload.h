/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects that make pods: Deployment, ReplicaSet, StatefulSet, DaemonSet,
 * Job, and the ReplicationController of old.
 */
#ifndef FATHOM_OBJECT_WORKLOAD_H
#define FATHOM_OBJECT_WORKLOAD_H

#include "object/pod.h"

enum deployment_strategy { DEPLOYMENT_ROLLING_UPDATE, DEPLOYMENT_RECREATE };

struct deployment_status {
    int64_t observed_generation;
    int32_t replicas;
    int32_t updated_replicas;
    int32_t ready_replicas;
    int32_t available_replicas;
    int32_t unavailable_replicas;
    struct optional_int collision_count;
    struct conditions conditions;
};

struct deployment {
    struct object_meta meta;
    int32_t replicas;
    struct label_selector *selector;
    struct pod_template template;
    enum deployment_strategy strategy;
    struct int_or_percent max_unavailable; /* RollingUpdate only */
    struct int_or_percent max_surge;
    int32_t min_ready_seconds;
    int32_t revision_history_limit;
    int32_t progress_deadline_seconds; /* INT32_MAX: no deadline */
    bool paused;
    struct deployment_status status;
};

struct replica_set_status {
    int64_t observed_generation;
    int32_t replicas;
    int32_t fully_labeled_replicas;
    int32_t ready_replicas;
    int32_t available_replicas;
    struct conditions conditions;
};

struct replica_set {
    struct object_meta meta;
    int32_t replicas;
    int32_t min_ready_seconds;
    struct label_selector *selector;
    struct pod_template template;
    struct replica_set_status status;
};

struct replication_controller {
    struct object_meta meta;
    int32_t replicas;
    int32_t min_ready_seconds;
    struct labels selector;
    struct pod_template template;
};

enum pod_management_policy { POD_MANAGEMENT_ORDERED_READY, POD_MANAGEMENT_PARALLEL };
enum update_strategy { UPDATE_ROLLING, UPDATE_ON_DELETE };

struct stateful_set_status {
    int64_t observed_generation;
    int32_t replicas;
    int32_t ready_replicas;
    int32_t current_replicas;
    int32_t updated_replicas;
    int32_t available_replicas;
    const char *current_revision;
    const char *update_revision;
    struct optional_int collision_count;
};

struct stateful_set {
    struct object_meta meta;
    int32_t replicas;
    int32_t min_ready_seconds;
    struct label_selector *selector;
    struct pod_template template;
    const char *service_name;
    enum pod_management_policy pod_management_policy;
    enum update_strategy update_strategy;
    int32_t partition;
    struct int_or_percent max_unavailable;
    int32_t start_ordinal;
    uint32_t volume_claim_template_count;
    int32_t revision_history_limit;
    struct stateful_set_status status;
};

struct daemon_set_status {
    int64_t observed_generation;
    int32_t current_number_scheduled;
    int32_t number_misscheduled;
    int32_t desired_number_scheduled;
    int32_t number_ready;
    int32_t updated_number_scheduled;
    int32_t number_available;
    int32_t number_unavailable;
};

struct daemon_set {
    struct object_meta meta;
    int32_t min_ready_seconds;
    struct label_selector *selector;
    struct pod_template template;
    enum update_strategy update_strategy;
    struct int_or_percent max_unavailable;
    struct int_or_percent max_surge;
    int32_t revision_history_limit;
    struct daemon_set_status status;
};

enum completion_mode { COMPLETION_NON_INDEXED, COMPLETION_INDEXED };

struct job_status {
    int32_t active;
    int32_t succeeded;
    int32_t failed;
    struct optional_int ready;
    const char *completed_indexes;
    int64_t start_time;
    int64_t completion_time;
    struct conditions conditions;
    struct string_list uncounted_succeeded;
    struct string_list uncounted_failed;
};

struct job {
    struct object_meta meta;
    struct optional_int parallelism;
    struct optional_int completions; /* unset: any success completes a work queue */
    struct optional_int active_deadline_seconds;
    struct optional_int ttl_seconds_after_finished;
    int32_t backoff_limit;
    enum completion_mode completion_mode;
    bool suspend;
    bool manual_selector;
    struct label_selector *selector;
    struct pod_template template;
    struct job_status status;
};

#endif
