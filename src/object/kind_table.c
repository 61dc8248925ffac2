/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds with their descriptors. To add one: kinds.def says how. */
#include "object/kind.h"

static const struct kind_type *const types[OBJECT_KIND_COUNT] = {
    [OBJECT_NODE] = &node_kind,
    [OBJECT_POD] = &pod_kind,
    [OBJECT_NAMESPACE] = &namespace_kind,
    [OBJECT_SERVICE] = &service_kind,
    [OBJECT_DEPLOYMENT] = &deployment_kind,
    [OBJECT_REPLICA_SET] = &replica_set_kind,
    [OBJECT_REPLICATION_CONTROLLER] = &replication_controller_kind,
    [OBJECT_STATEFUL_SET] = &stateful_set_kind,
    [OBJECT_DAEMON_SET] = &daemon_set_kind,
    [OBJECT_JOB] = &job_kind,
    [OBJECT_CRON_JOB] = &cron_job_kind,
    [OBJECT_HORIZONTAL_POD_AUTOSCALER] = &horizontal_pod_autoscaler_kind,
    [OBJECT_POD_METRICS] = &pod_metrics_kind,
    [OBJECT_POD_DISRUPTION_BUDGET] = &pod_disruption_budget_kind,
    [OBJECT_PRIORITY_CLASS] = &priority_class_kind,
    [OBJECT_RUNTIME_CLASS] = &runtime_class_kind,
    [OBJECT_PERSISTENT_VOLUME] = &persistent_volume_kind,
    [OBJECT_PERSISTENT_VOLUME_CLAIM] = &persistent_volume_claim_kind,
    [OBJECT_STORAGE_CLASS] = &storage_class_kind,
    [OBJECT_LIMIT_RANGE] = &limit_range_kind,
    [OBJECT_RESOURCE_QUOTA] = &resource_quota_kind,
    [OBJECT_VALIDATING_WEBHOOK_CONFIGURATION] = &validating_webhook_configuration_kind,
    [OBJECT_MUTATING_WEBHOOK_CONFIGURATION] = &mutating_webhook_configuration_kind,
    [OBJECT_SCHEDULER_CONFIGURATION] = &scheduler_configuration_kind,
    [OBJECT_DESCHEDULER_POLICY] = &descheduler_policy_kind,
    [OBJECT_CHECK] = &check_kind,
    [OBJECT_SERVICE_OBJECTIVE] = &service_objective_kind,
};

const struct kind_type *kind_type_find(enum object_kind kind)
{
    return types[kind];
}
