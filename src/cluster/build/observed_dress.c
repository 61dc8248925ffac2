/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of a template that look like those that are there. */
#include "cluster/build/observed_dress.h"
#include "cluster/build/observed_find.h"
#include "cluster/state/population_model.h"

/* The set of a workload that is one, or that of a Deployment's revision. */
static const struct object *set_of(const struct setup_workload *workload, uint32_t number)
{
    if (workload->object->kind == OBJECT_REPLICA_SET)
        return workload->object;
    return number < workload->set_count ? workload->sets[number] : NULL;
}

/* A pod that is made from the template with this number, of a StatefulSet the one of this
 * ordinal. One that was adopted was made by somebody else: it only shows what outdated pods look
 * like, if no other one does. */
static const struct observed_pod *pod_of(const struct scope *scope, uint32_t workload,
                                         uint32_t number, int32_t ordinal)
{
    const bool alike = scope->workloads[workload].object->kind == OBJECT_DAEMON_SET;
    const bool outdated = number == 0 && observed_outdated_pod(scope, workload);
    const struct observed_pod *adopted = NULL;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        if (pod->workload != workload || (!alike && observed_ordinal(pod->object) != ordinal) ||
            observed_template(scope, pod) != number)
            continue;
        if (!pod->adopter)
            return pod;
        if (outdated && !adopted)
            adopted = pod;
    }
    return adopted;
}

void observed_dress(struct population *population, uint32_t workload, uint32_t number,
                    int32_t ordinal, struct pod *pod)
{
    const struct scope *scope = population->scope;
    const struct setup_workload *of = &scope->workloads[workload];
    const struct observed_pod *like = NULL;
    if (scope->start != START_OBSERVED)
        return;
    if (of->object->kind == OBJECT_STATEFUL_SET || of->object->kind == OBJECT_DAEMON_SET)
        like = pod_of(scope, workload, number, ordinal);
    else if (number < (of->set_count ? of->set_count : 1))
        like = observed_newest_pod(scope, workload, set_of(of, number));
    if (like) {
        const struct pod_spec made = pod->spec;
        pod->spec = like->object->as.pod->spec;
        pod->spec.node_name = made.node_name;
        if (of->object->kind == OBJECT_DAEMON_SET) /* that of the pod asks for its node */
            pod->spec.affinity = made.affinity;
        pod->meta.labels = like->object->meta->labels;
        pod->meta.annotations = like->object->meta->annotations;
    }
}
