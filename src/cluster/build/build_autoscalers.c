/* SPDX-License-Identifier: Apache-2.0 */
/* HorizontalPodAutoscalers of the model, with their bounds. */
#include "cluster/build/build_autoscalers.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/event_type.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "decide/controller/hpa_object.h"

#include <string.h>

void autoscaler_resize(const struct population *population, struct autoscaler *autoscaler)
{
    const uint32_t workload = autoscaler->workload;
    const struct setup *setup = population->setup;
    const struct horizontal_pod_autoscaler *object = autoscaler->object;
    const bool first = object == population->scope->workloads[workload].autoscaler;
    autoscaler->min_replicas = first ? setup->autoscaler_min[workload] : object->min_replicas;
    autoscaler->max_replicas = first ? setup->autoscaler_max[workload] : object->max_replicas;
}

/* Does the event leave the workload's number of replicas as it is? */
static bool leaves_replicas(const struct population *population,
                            const struct population_event *event, uint32_t workload)
{
    const bool is_apply = event->effects.count > 0;
    bool changes = population->scope->workloads[workload].comes_later;
    for (uint32_t i = 0; i < event->effects.count; i++)
        changes |= event->effects.items[i].workload == workload &&
                   event->effects.items[i].changes_replicas;
    return event_has(event, LEAVES_SETS_ALONE) || event->type->pattern != EVENT_PATTERN_NONE ||
           (is_apply && !changes);
}

static bool events_leave_replicas(const struct population *population, uint32_t workload)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (!leaves_replicas(population, &population->events.items[e], workload))
            return false;
    return true;
}

static void add_autoscaler(struct population *population, uint32_t workload,
                           const struct horizontal_pod_autoscaler *object,
                           struct problems *problems)
{
    struct hpa_scale scale = {0};
    struct autoscaler autoscaler = {
        .object = object,
        .workload = workload,
        .is_alone = events_leave_replicas(population, workload),
        .selects = ARENA_ARRAY(&population->arena, bool, population->revisions.count + 1),
    };
    if (!hpa_find_scale(&population->arena, population->scope->objects, object, &scale, problems))
        return;
    for (uint32_t r = 0; scale.selector && r < population->revisions.count; r++) {
        const struct object_meta *pod = &population->revisions.items[r].pod->meta;
        autoscaler.selects[r] = strcmp(pod->namespace, object->meta.namespace) == 0 &&
                                label_selector_matches(scale.selector, &pod->labels);
    }
    autoscaler_resize(population, &autoscaler);
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        if (population->autoscalers.items[a].workload == workload) {
            population->autoscalers.items[a].is_alone = false;
            autoscaler.is_alone = false;
        }
    VEC_PUSH(&population->arena, &population->autoscalers, autoscaler);
}

void add_autoscalers(struct population *population, struct problems *problems)
{
    const struct objects *objects = population->scope->objects;
    for (uint32_t w = 0; w < population->scope->workload_count; w++)
        for (uint32_t i = 0; population->scope->workloads[w].autoscaler && i < objects->count; i++)
            if (objects->items[i].kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
                autoscaler_targets(objects->items[i].as.horizontal_pod_autoscaler,
                                   population->scope->workloads[w].object))
                add_autoscaler(population, w, objects->items[i].as.horizontal_pod_autoscaler,
                               problems);
}
