/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects that make pods: Deployment, ReplicaSet, StatefulSet, DaemonSet,
 * Job, and the ReplicationController of old; and CronJob, which makes Jobs.
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
    struct optional_int terminating_replicas;
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
    struct optional_int terminating_replicas;
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
    const char **volume_claim_template_names; /* NULL: of one without a name */
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

/* What a rule of a pod failure policy does with a failed pod that it matches. */
enum job_rule_action { JOB_RULE_FAIL_JOB, JOB_RULE_FAIL_INDEX, JOB_RULE_IGNORE, JOB_RULE_COUNT };

struct condition_pattern {
    const char *type;
    const char *status; /* NULL: True */
};

struct pod_failure_rule {
    enum job_rule_action action;
    struct exit_code_rule *on_exit_codes;
    struct condition_pattern *on_conditions;
    uint32_t on_condition_count;
};

struct pod_failure_policy {
    struct pod_failure_rule *rules;
    uint32_t rule_count;
};

struct success_rule {
    const char *succeeded_indexes;
    struct optional_int succeeded_count;
};

struct success_policy {
    struct success_rule *rules;
    uint32_t rule_count;
};

enum pod_replacement_policy { REPLACEMENT_UNSET, REPLACEMENT_FAILED, REPLACEMENT_TERMINATING };

struct job_status {
    int32_t active;
    int32_t succeeded;
    int32_t failed;
    struct optional_int ready;
    const char *completed_indexes;
    const char *failed_indexes;
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
    bool backoff_limit_given;
    struct optional_int backoff_limit_per_index;
    struct optional_int max_failed_indexes;
    struct pod_failure_policy *pod_failure_policy; /* NULL: none */
    struct success_policy *success_policy;         /* NULL: none */
    enum pod_replacement_policy pod_replacement_policy;
    enum completion_mode completion_mode;
    bool suspend;
    bool manual_selector;
    const char *managed_by; /* NULL: the Job controller */
    struct label_selector *selector;
    struct pod_template template;
    struct job_status status;
};

enum concurrency_policy { CONCURRENCY_ALLOW, CONCURRENCY_FORBID, CONCURRENCY_REPLACE };

/* A Job in status.active of a CronJob. */
struct job_reference {
    const char *namespace;
    const char *name;
    const char *uid;
};

struct cron_job_status {
    struct job_reference *active;
    uint32_t active_count;
    int64_t last_schedule_time;
    int64_t last_successful_time;
};

struct cron_job {
    struct object_meta meta;
    const char *schedule;
    const char *time_zone; /* NULL: that of the controller, which is taken to be UTC */
    struct optional_int starting_deadline_seconds;
    enum concurrency_policy concurrency_policy;
    bool suspend;
    int32_t successful_jobs_history_limit;
    int32_t failed_jobs_history_limit;
    struct job job_template; /* without a name and a selector, which the Jobs get */
    struct cron_job_status status;
};

#endif
