/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that people deleted or evicted, as events. */
#include "recording/as_check_parts.h"

#include "decide/controller/eviction.h"
#include "object/pod.h"

#include <string.h>

/* Does a budget guard the pod? */
static bool is_guarded(struct converter *converter, const struct thing *pod)
{
    const struct recording *recording = converter->recording;
    const struct object *object =
        pod->versions.count > 0 ? restore_object(&converter->restorer, &pod->versions.items[0])
                                : NULL;
    for (uint32_t t = 0; object && t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        struct version *first = strcmp(thing->kind, "PodDisruptionBudget") == 0
                                    ? converter_first(converter, thing)
                                    : NULL;
        const struct object *budget = first ? restore_object(&converter->restorer, first) : NULL;
        if (budget && strcmp(budget->meta->namespace, object->meta->namespace) == 0 &&
            eviction_budget_selects(&converter->plane.features, budget->as.pod_disruption_budget,
                                    &object->meta->labels))
            return true;
    }
    return false;
}

static bool is_cordoned_at(const struct converter *converter, const char *node, int64_t rv)
{
    const struct thing *thing = recording_find(converter->recording, "Node", NULL, node);
    const struct version *then = thing ? thing_at(thing, rv) : NULL;
    const struct value *spec = then ? value_find(value_find(then->line, "object"), "spec") : NULL;
    return then && (line_says(then->line, "unschedulable") || line_says(spec, "unschedulable"));
}

struct lost_pods {
    const struct thing *workload;
    uint32_t count;
};

typedef VEC(struct lost_pods) losses;

static void add_loss(struct converter *converter, losses *list, const struct thing *workload)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].workload == workload) {
            list->items[i].count++;
            return;
        }
    const struct lost_pods loss = {workload, 1};
    VEC_PUSH(converter->arena, list, loss);
}

static void convert_eviction(struct converter *converter, const struct deed *deed,
                             const struct thing *pod, losses *deleted)
{
    const struct thing *workload = converter_owner(converter, &pod->versions.items[0]);
    const char *node = version_bound_node(&pod->versions.items[0]);
    if (node && is_cordoned_at(converter, node, converter_commit(converter, deed)))
        return; /* a drain */
    if (!is_guarded(converter, pod)) {
        if (!deed->code)
            add_loss(converter, deleted, workload);
        return;
    }
    convert_add(converter, &converter->left_out,
                "pod %s was evicted at %.1f s, though its node was not drained", pod->name,
                deed->time);
}

/* Has any pod of a workload a node before this commit? */
static bool is_late(const struct converter *converter, int64_t rv)
{
    const struct recording *recording = converter->recording;
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        const struct version *then = strcmp(thing->kind, "Pod") == 0 ? thing_at(thing, rv) : NULL;
        if (then && !value_is_null(value_find(then->line, "owner")))
            return true;
    }
    return false;
}

static void convert_guest(struct converter *converter, const struct deed *deed,
                          const struct thing *pod)
{
    const struct version *guest = converter_guest(converter, pod);
    if (!guest) {
        convert_add(converter, &converter->left_out,
                    "pod %s, which no workload owns, never got a node", pod->name);
        return;
    }
    converter->has_guests = true;
    convert_add(
        converter, is_late(converter, deed->rv) ? &converter->left_out : &converter->remarks,
        "pod %s, which no workload owns, was made at %.1f s; here it is on node %s from the "
        "beginning",
        pod->name, deed->time, value_find_string(guest->line, "nodeName"));
}

void convert_pods(struct converter *converter)
{
    const struct recording *recording = converter->recording;
    losses deleted = {0};
    for (uint32_t i = 0; i < recording->deeds.count; i++) {
        const struct deed *deed = &recording->deeds.items[i];
        const struct thing *pod = recording_find(recording, "Pod", deed->namespace, deed->name);
        if (strcmp(deed->actor, "user") != 0 || strcmp(deed->kind, "Pod") != 0 || !pod ||
            pod->versions.count == 0 || deed->noop)
            continue;
        if (strcmp(deed->action, "create") == 0)
            convert_guest(converter, deed, pod);
        else if (strcmp(deed->action, "evict") == 0)
            convert_eviction(converter, deed, pod, &deleted);
        else if (strcmp(deed->action, "delete") == 0 && !deed->code)
            add_loss(converter, &deleted, converter_owner(converter, &pod->versions.items[0]));
    }
    for (uint32_t i = 0; i < deleted.count; i++)
        if (deleted.items[i].workload)
            convert_add(converter, &converter->events,
                        "{name: delete, object: \"Pod/%s/%s-*\", atMost: %u}",
                        deleted.items[i].workload->namespace ? deleted.items[i].workload->namespace
                                                             : "default",
                        deleted.items[i].workload->name, deleted.items[i].count);
}
