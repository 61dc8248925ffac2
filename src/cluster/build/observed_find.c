/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of a dump, by workload and by the revision that they have. */
#include "cluster/build/observed_find.h"
#include "setup/observe.h"
#include "setup/setup.h"

#include <stdlib.h>
#include <string.h>

int32_t observed_ordinal(const struct object *pod)
{
    const char *hyphen = strrchr(pod->meta->name, '-');
    if (!hyphen || !hyphen[1] || hyphen[1 + strspn(hyphen + 1, "0123456789")])
        return -1;
    return (int32_t)strtol(hyphen + 1, NULL, 10);
}

/* Was the pod made from a template that its StatefulSet or DaemonSet no longer has? An adopted pod
 * that says nothing of its template counts as one. */
static bool is_outdated(const struct observed_pod *pod, const struct object *set)
{
    const bool daemons = set->kind == OBJECT_DAEMON_SET;
    const char *made_from =
        labels_find(&pod->object->meta->labels,
                    daemons ? "pod-template-generation" : "controller-revision-hash");
    const char *present =
        daemons ? labels_find(&set->meta->annotations, "deprecated.daemonset.template.generation")
                : set->as.stateful_set->status.update_revision;
    if (pod->adopter && !made_from)
        return !labels_find(&pod->object->meta->labels, "controller-revision-hash");
    return made_from && present && strcmp(made_from, present) != 0;
}

const struct observed_pod *observed_outdated_pod(const struct scope *scope, uint32_t workload)
{
    for (uint32_t i = 0; i < scope->pod_count; i++)
        if (scope->pods[i].workload == workload &&
            is_outdated(&scope->pods[i], scope->workloads[workload].object))
            return &scope->pods[i];
    return NULL;
}

uint32_t observed_template(const struct scope *scope, const struct observed_pod *pod)
{
    return observed_outdated_pod(scope, pod->workload) &&
           !is_outdated(pod, scope->workloads[pod->workload].object);
}

const struct observed_pod *observed_newest_pod(const struct scope *scope, uint32_t workload,
                                               const struct object *set)
{
    const struct observed_pod *newest = NULL;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        if (pod->workload != workload || pod->set != set || pod->adopter ||
            pod->stage == OBSERVED_TERMINATING)
            continue;
        if (!newest || pod->object->meta->creation_time > newest->object->meta->creation_time)
            newest = pod;
    }
    return newest;
}
