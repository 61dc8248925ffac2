/* SPDX-License-Identifier: Apache-2.0 */
/* After pkg/framework/plugins/defaultevictor/defaultevictor.go @ v0.27.1. */
#include "decide/descheduler/descheduler_cycle.h"

#include <string.h>

#define MIRROR_ANNOTATION "kubernetes.io/config.mirror"
#define SOURCE_ANNOTATION "kubernetes.io/config.source"

enum { CRITICAL_PRIORITY = 2000000000 };

static const char *const texts[] = {
    [FILTER_PASSES] = "can be evicted",
    [FILTER_DAEMON_SET] = "belongs to a DaemonSet",
    [FILTER_MIRROR] = "is a mirror pod",
    [FILTER_STATIC] = "is a static pod",
    [FILTER_TERMINATING] = "is terminating",
    [FILTER_NO_OWNER] = "has no owner that would replace it",
    [FILTER_CRITICAL] = "is critical to the system",
    [FILTER_PRIORITY] = "has a priority at or above the threshold",
    [FILTER_LOCAL_STORAGE] = "has local storage",
    [FILTER_CLAIM] = "has a persistent volume claim",
    [FILTER_LABELS] = "has not the labels that the evictor selects",
};

const char *pod_filter_text(enum pod_filter filter)
{
    return texts[filter];
}

static bool owned_by_daemon_set(const struct pod *pod)
{
    for (uint32_t i = 0; i < pod->meta.owner_count; i++)
        if (strcmp(pod->meta.owners[i].kind, "DaemonSet") == 0)
            return true;
    return false;
}

static bool has_volume(const struct pod *pod, enum volume_source one, enum volume_source other)
{
    for (uint32_t i = 0; i < pod->spec.volume_count; i++)
        if (pod->spec.volumes[i].source == one || pod->spec.volumes[i].source == other)
            return true;
    return false;
}

static bool is_static(const struct pod *pod)
{
    const char *source = labels_find(&pod->meta.annotations, SOURCE_ANNOTATION);
    return source && strcmp(source, "api") != 0;
}

static enum pod_filter filter_priority(const struct cycle *cycle, const struct pod *pod)
{
    const struct optional_int priority = pod->spec.priority;
    if (cycle->profile->default_evictor.evict_system_critical_pods || !priority.set)
        return FILTER_PASSES;
    if (priority.value >= CRITICAL_PRIORITY)
        return FILTER_CRITICAL;
    return priority.value >= cycle->priority_threshold ? FILTER_PRIORITY : FILTER_PASSES;
}

static enum pod_filter filter_kind(const struct cycle *cycle, const struct pod *pod)
{
    const struct default_evictor_arguments *evictor = &cycle->profile->default_evictor;
    if (owned_by_daemon_set(pod))
        return FILTER_DAEMON_SET;
    if (labels_find(&pod->meta.annotations, MIRROR_ANNOTATION))
        return FILTER_MIRROR;
    if (is_static(pod))
        return FILTER_STATIC;
    if (pod->meta.deletion_time != TIME_NONE)
        return FILTER_TERMINATING;
    if (pod->meta.owner_count == 0 &&
        !(evictor->evict_failed_bare_pods && pod->status.phase == POD_FAILED))
        return FILTER_NO_OWNER;
    const enum pod_filter priority = filter_priority(cycle, pod);
    if (priority != FILTER_PASSES)
        return priority;
    if (!evictor->evict_local_storage_pods && has_volume(pod, VOLUME_EMPTY_DIR, VOLUME_HOST_PATH))
        return FILTER_LOCAL_STORAGE;
    if (evictor->ignore_pvc_pods &&
        has_volume(pod, VOLUME_PERSISTENT_CLAIM, VOLUME_PERSISTENT_CLAIM))
        return FILTER_CLAIM;
    return labels_chosen(evictor->label_selector, pod) ? FILTER_PASSES : FILTER_LABELS;
}

enum pod_filter evictor_filter(struct cycle *cycle, uint32_t pod)
{
    const struct pod_kind *kind = cluster_kind(cycle->cluster, pod);
    if (kind->evict_annotated)
        return FILTER_PASSES;
    if (cycle->cluster->pods[pod].presence == POD_MARKED)
        return FILTER_TERMINATING;
    uint8_t *known = &cycle->filters[cycle->cluster->pods[pod].kind];
    if (*known == 0)
        *known = (uint8_t)(filter_kind(cycle, kind->pod) + 1);
    return (enum pod_filter)(*known - 1);
}

bool evictor_pre_eviction(struct cycle *cycle, uint32_t pod)
{
    const struct default_evictor_arguments *evictor = &cycle->profile->default_evictor;
    if (!evictor->node_fit)
        return true;
    for (uint32_t n = 0; n < cycle->cluster->node_count; n++) {
        const struct cluster_node *node = &cycle->cluster->nodes[n];
        if (node->ready && n != cycle->cluster->pods[pod].node &&
            (!evictor->node_selector ||
             label_selector_matches(evictor->node_selector, &node->node->meta.labels)) &&
            fit_node(cycle, pod, n))
            return true;
    }
    return false;
}
