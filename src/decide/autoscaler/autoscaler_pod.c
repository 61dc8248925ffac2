/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/autoscaler_pod.h"

#include "base/saturating.h"
#include "decide/autoscaler/pod_likeness.h"
#include "decide/pod_fingerprint.h"

#include <string.h>

void pod_kinds_init(struct pod_kinds *kinds, struct arena *arena)
{
    map_init(&kinds->likenesses, arena);
    map_init(&kinds->shapes, arena);
}

static uint32_t number_of(struct map *numbers, const struct text *text)
{
    const void *known = map_get(numbers, text_content(text));
    if (known)
        return (uint32_t)(uintptr_t)known - 1;
    const uint32_t number = numbers->count;
    const char *key = arena_strndup(numbers->arena, text_content(text), text->length);
    map_put(numbers, key)->value = (void *)((uintptr_t)number + 1);
    return number;
}

static bool is_daemon(const struct autoscaler_pod *pod)
{
    const char *treated =
        labels_find(&pod->pod->meta.annotations, "cluster-autoscaler.kubernetes.io/daemonset-pod");
    return (pod->controller && pod->controller->kind &&
            strcmp(pod->controller->kind, "DaemonSet") == 0) ||
           (treated && strcmp(treated, "true") == 0);
}

static bool is_static(const struct pod *pod)
{
    const char *source = labels_find(&pod->meta.annotations, "kubernetes.io/config.source");
    return source && strcmp(source, "api") != 0;
}

/* Simulations move pods from where they are, and have one scheduler for all pods. */
static const struct pod *unbind(struct arena *arena, const struct pod *pod)
{
    struct pod *copy = arena_copy(arena, pod, sizeof(*pod));
    copy->spec.node_name = NULL;
    copy->spec.scheduler_name = "default-scheduler";
    return copy;
}

struct autoscaler_pod *autoscaler_pod_create(struct arena *arena, struct pod_kinds *kinds,
                                             const struct pod *pod, const struct value *source)
{
    struct autoscaler_pod *result = ARENA_NEW(arena, struct autoscaler_pod);
    const bool has_uid = pod->meta.uid && pod->meta.uid[0] != '\0';
    result->pod = pod;
    result->unbound = unbind(arena, pod);
    result->name = arena_printf(arena, "%s/%s", pod->meta.namespace, pod->meta.name);
    result->hint_key = has_uid ? pod->meta.uid : result->name;
    result->controller = object_meta_controller(&pod->meta);
    result->daemon = is_daemon(result);
    result->mirror = labels_find(&pod->meta.annotations, "kubernetes.io/config.mirror") != NULL;
    result->fixed = is_static(pod);
    struct text text;
    text_init(&text, arena->memory);
    pod_fingerprint(&text, result->unbound);
    result->shape = number_of(&kinds->shapes, &text);
    if (source) {
        text_reset(&text);
        pod_likeness(arena, &text, source);
    }
    result->likeness = number_of(&kinds->likenesses, &text);
    text_release(&text);
    return result;
}

bool autoscaler_pod_is_overdue(const struct autoscaler_pod *pod, int64_t now)
{
    enum { EXTRA_SECONDS = 30 };
    if (pod->pod->meta.deletion_time == TIME_NONE)
        return false;
    const int64_t seconds = saturating_add(pod->pod->spec.termination_grace_seconds, EXTRA_SECONDS);
    return saturating_add(pod->pod->meta.deletion_time,
                          saturating_multiply(seconds, NANOSECONDS_PER_SECOND)) < now;
}

bool autoscaler_pod_is_expendable(const struct autoscaler_pod *pod, int64_t cutoff)
{
    return pod->pod->spec.priority.set && pod->pod->spec.priority.value < cutoff;
}

static struct quantity sum_requests(const struct autoscaler_pod *pod, const char *resource)
{
    struct quantity sum = quantity_of(0);
    for (uint32_t i = 0; i < pod->pod->spec.container_count; i++) {
        const struct quantity *request =
            resource_list_find(&pod->pod->spec.containers[i].resources.requests, resource);
        if (request)
            sum = quantity_add(sum, *request);
    }
    return sum;
}

int64_t autoscaler_pod_cpu_milli(const struct autoscaler_pod *pod)
{
    return quantity_milli_value(sum_requests(pod, "cpu"));
}

int64_t autoscaler_pod_memory(const struct autoscaler_pod *pod)
{
    return quantity_value(sum_requests(pod, "memory"));
}

int64_t autoscaler_pod_milli(const struct autoscaler_pod *pod, const char *resource)
{
    return quantity_milli_value(sum_requests(pod, resource));
}
