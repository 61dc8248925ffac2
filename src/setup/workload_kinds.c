/* SPDX-License-Identifier: Apache-2.0 */
/* What the kinds of workloads have in common. */
#include "manifest/document.h"
#include "setup/setup.h"

#include <string.h>

bool same_object(const struct object *left, const struct object *right)
{
    return left->kind == right->kind && strcmp(left->meta->name, right->meta->name) == 0 &&
           strcmp(left->meta->namespace, right->meta->namespace) == 0;
}

const struct pod_template *workload_template(const struct object *object)
{
    return object_pod_template(object);
}

const struct value *workload_template_source(const struct object *object)
{
    return object->source ? value_find(value_find(&object->source->root, "spec"), "template")
                          : NULL;
}

bool autoscaler_targets(const struct horizontal_pod_autoscaler *autoscaler,
                        const struct object *object)
{
    return strcmp(autoscaler->meta.namespace, object->meta->namespace) == 0 &&
           strcmp(autoscaler->scale_target.kind, object->kind_name) == 0 &&
           strcmp(autoscaler->scale_target.name, object->meta->name) == 0;
}

/* As many as it runs at once. */
static int32_t job_pods(const struct job *job)
{
    const int64_t parallelism = job->parallelism.set ? job->parallelism.value : 1;
    return (int32_t)(job->completions.set && job->completions.value < parallelism
                         ? job->completions.value
                         : parallelism);
}

int32_t workload_replicas(const struct object *object)
{
    switch (object->kind) {
    case OBJECT_DEPLOYMENT: return object->as.deployment->replicas;
    case OBJECT_REPLICA_SET: return object->as.replica_set->replicas;
    case OBJECT_REPLICATION_CONTROLLER: return object->as.replication_controller->replicas;
    case OBJECT_STATEFUL_SET: return object->as.stateful_set->replicas;
    case OBJECT_JOB: return job_pods(object->as.job);
    default: return 0;
    }
}

bool setup_workload_is_sized(const struct setup_workload *workload)
{
    return !workload->comes_later && workload->object->kind != OBJECT_DAEMON_SET;
}
