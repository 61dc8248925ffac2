/* SPDX-License-Identifier: Apache-2.0 */
/* What the kinds of workloads have in common. */
#include "setup/setup.h"

const struct pod_template *workload_template(const struct object *object)
{
    switch (object->kind) {
    case OBJECT_DEPLOYMENT: return &object->as.deployment->template;
    case OBJECT_REPLICA_SET: return &object->as.replica_set->template;
    case OBJECT_REPLICATION_CONTROLLER: return &object->as.replication_controller->template;
    case OBJECT_STATEFUL_SET: return &object->as.stateful_set->template;
    default: return NULL;
    }
}

int32_t workload_replicas(const struct object *object)
{
    switch (object->kind) {
    case OBJECT_DEPLOYMENT: return object->as.deployment->replicas;
    case OBJECT_REPLICA_SET: return object->as.replica_set->replicas;
    case OBJECT_REPLICATION_CONTROLLER: return object->as.replication_controller->replicas;
    case OBJECT_STATEFUL_SET: return object->as.stateful_set->replicas;
    default: return 0;
    }
}
