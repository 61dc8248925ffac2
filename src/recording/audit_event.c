/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/audit_event.h"

#include "object/meta.h"
#include "object/time.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *resource;
    const char *kind;
} resources[] = {
    {"pods", "Pod"},
    {"nodes", "Node"},
    {"deployments", "Deployment"},
    {"replicasets", "ReplicaSet"},
    {"statefulsets", "StatefulSet"},
    {"daemonsets", "DaemonSet"},
    {"jobs", "Job"},
    {"cronjobs", "CronJob"},
    {"controllerrevisions", "ControllerRevision"},
    {"horizontalpodautoscalers", "HorizontalPodAutoscaler"},
    {"poddisruptionbudgets", "PodDisruptionBudget"},
    {"resourcequotas", "ResourceQuota"},
    {"services", "Service"},
    {"endpoints", "Endpoints"},
    {"endpointslices", "EndpointSlice"},
    {"configmaps", "ConfigMap"},
    {"secrets", "Secret"},
    {"serviceaccounts", "ServiceAccount"},
    {"namespaces", "Namespace"},
    {"persistentvolumes", "PersistentVolume"},
    {"persistentvolumeclaims", "PersistentVolumeClaim"},
    {"replicationcontrollers", "ReplicationController"},
    {"leases", "Lease"},
    {"events", "Event"},
    {"priorityclasses", "PriorityClass"},
};

static const char *kind_of_resource(const char *resource)
{
    for (size_t i = 0; i < sizeof(resources) / sizeof(*resources); i++)
        if (strcmp(resources[i].resource, resource) == 0)
            return resources[i].kind;
    return NULL;
}

/* Bodies of subresources are of other kinds (Scale, Binding, Eviction). */
static const char *kind_of(const struct audit_event *event)
{
    const char *kind = kind_of_resource(event->resource);
    if (!kind && !event->subresource) {
        kind = value_find_string(event->response, "kind");
        if (!kind || strcmp(kind, "Status") == 0)
            kind = value_find_string(event->request, "kind");
        if (kind && strcmp(kind, "DeleteOptions") == 0)
            kind = NULL;
    }
    return kind;
}

/* Controllers run under accounts of their own, or under one account and say who
 * they are in the user agent. */
static const char *actor_of(const struct audit_event *event)
{
    static const struct {
        const char *part;
        const char *actor;
    } known[] = {
        {"deployment-controller", "deployment-controller"},
        {"replicaset-controller", "replicaset-controller"},
        {"statefulset-controller", "statefulset-controller"},
        {"daemon-set-controller", "daemon-set-controller"},
        {"cronjob-controller", "cronjob-controller"},
        {"job-controller", "job-controller"},
        {"disruption-controller", "disruption-controller"},
        {"horizontal-pod-autoscaler", "horizontal-pod-autoscaler"},
        {"generic-garbage-collector", "generic-garbage-collector"},
        {"pod-garbage-collector", "pod-garbage-collector"},
        {"resourcequota-controller", "resourcequota-controller"},
        {"endpointslice-controller", "endpointslice-controller"},
        {"endpoint-controller", "endpoint-controller"},
        {"node-controller", "node-lifecycle"},
        {"system:kube-scheduler", "scheduler"},
        {"system:node:", "kubelet"},
        {"system:apiserver", "kube-apiserver"},
        {"descheduler", "descheduler"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if ((event->user && strstr(event->user, known[i].part)) ||
            (event->agent && strstr(event->agent, known[i].part)))
            return known[i].actor;
    return NULL;
}

bool is_audit_event(const struct value *document)
{
    static const char group[] = "audit.k8s.io/";
    const char *version = value_find_string(document, "apiVersion");
    return version && strncmp(version, group, sizeof(group) - 1) == 0;
}

static int64_t read_instant(const struct value *document, const char *key)
{
    const char *text = value_find_string(document, key);
    int64_t instant = TIME_NONE;
    if (text)
        time_parse(text, &instant, NULL);
    return instant;
}

static bool writes(const char *verb)
{
    return strcmp(verb, "get") != 0 && strcmp(verb, "list") != 0 && strcmp(verb, "watch") != 0;
}

bool audit_event_read(const struct value *document, struct audit_event *event)
{
    const struct value *reference = value_find(document, "objectRef");
    const char *stage = value_find_string(document, "stage");
    const char *version = value_find_string(reference, "resourceVersion");
    *event = (struct audit_event){
        .id = value_find_string(document, "auditID"),
        .verb = value_find_string(document, "verb"),
        .resource = value_find_string(reference, "resource"),
        .subresource = value_find_string(reference, "subresource"),
        .namespace = value_find_string(reference, "namespace"),
        .name = value_find_string(reference, "name"),
        .uid = value_find_string(reference, "uid"),
        .user = value_find_string(value_find(document, "user"), "username"),
        .agent = value_find_string(document, "userAgent"),
        .version_read = version ? strtoll(version, NULL, 10) : -1,
        .start_ns = read_instant(document, "requestReceivedTimestamp"),
        .end_ns = read_instant(document, "stageTimestamp"),
        .request = value_find(document, "requestObject"),
        .response = value_find(document, "responseObject"),
    };
    if (!stage || strcmp(stage, "ResponseComplete") != 0 || !event->verb || !event->resource ||
        !writes(event->verb))
        return false;
    value_read_integer(value_find(value_find(document, "responseStatus"), "code"), &event->code);
    event->kind = kind_of(event);
    event->actor = actor_of(event);
    if (!event->name && event->kind) {
        const char *kind = value_find_string(event->response, "kind");
        const struct value *metadata = value_find(event->response, "metadata");
        if (!kind || strcmp(kind, "Status") != 0)
            event->name = value_find_string(metadata, "name");
    }
    return true;
}

const char *audit_action(const struct audit_event *event)
{
    static const char *const subresources[][2] = {
        {"binding", "bind"},
        {"eviction", "evict"},
        {"scale", "scale"},
        {"status", "status"},
    };
    for (size_t i = 0; event->subresource && i < sizeof(subresources) / sizeof(*subresources); i++)
        if (strcmp(event->subresource, subresources[i][0]) == 0)
            return subresources[i][1];
    return strcmp(event->verb, "patch") == 0 ? "update" : event->verb;
}
