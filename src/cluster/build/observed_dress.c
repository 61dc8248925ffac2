/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of a template that look like those that are there. */
#include "cluster/build/observed_dress.h"
#include "cluster/build/observed_find.h"
#include "cluster/build/observed_slice.h"
#include "cluster/state/population_model.h"

/* The set of a workload that is one, or that of a Deployment's revision. */
static const struct object *set_of(const struct setup_workload *workload, uint32_t number)
{
    if (workload->object->kind == OBJECT_REPLICA_SET)
        return workload->object;
    return number < workload->set_count ? workload->sets[number] : NULL;
}

/* The pod of this ordinal, made from the template with this number. */
static const struct observed_pod *member_pod(const struct scope *scope, uint32_t workload,
                                             uint32_t number, int32_t ordinal)
{
    const bool updating = observed_outdated_pod(scope, workload) != NULL;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        if (pod->workload == workload && observed_ordinal(pod->object) == ordinal &&
            number == (updating && !observed_is_outdated(pod, scope->workloads[workload].object)))
            return pod;
    }
    return NULL;
}

/* A pod of the DaemonSet's template with this number. */
static const struct observed_pod *daemon_pod(const struct scope *scope, uint32_t workload,
                                             uint32_t number)
{
    const bool updating = observed_outdated_pod(scope, workload) != NULL;
    for (uint32_t i = 0; i < scope->pod_count; i++)
        if (scope->pods[i].workload == workload &&
            number == (updating &&
                       !observed_is_outdated(&scope->pods[i], scope->workloads[workload].object)))
            return &scope->pods[i];
    return NULL;
}

void observed_dress(struct population *population, uint32_t workload, uint32_t number,
                    int32_t ordinal, struct pod *pod)
{
    const struct scope *scope = population->scope;
    const struct setup_workload *of = &scope->workloads[workload];
    const struct observed_pod *like = NULL;
    if (scope->start != START_OBSERVED)
        return;
    if (of->object->kind == OBJECT_STATEFUL_SET)
        like = member_pod(scope, workload, number, ordinal);
    else if (of->object->kind == OBJECT_DAEMON_SET)
        like = daemon_pod(scope, workload, number);
    else if (number < (of->set_count ? of->set_count : 1))
        like = observed_newest_pod(scope, workload, set_of(of, number));
    if (like) {
        const char *node_name = pod->spec.node_name;
        struct affinity *affinity = pod->spec.affinity;
        pod->spec = like->object->as.pod->spec;
        pod->spec.node_name = node_name;
        if (of->object->kind == OBJECT_DAEMON_SET) /* that of the pod asks for its node */
            pod->spec.affinity = affinity;
        pod->meta.labels = like->object->meta->labels;
        pod->meta.annotations = like->object->meta->annotations;
    }
    observed_drop_claims(population, &pod->spec);
}
