/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/pod_resize.h"

#include "object/schemas.h"

#include <string.h>

static const struct container_status *find_status(const struct container_status *statuses,
                                                  uint32_t count, const char *name)
{
    for (uint32_t i = count; i-- > 0;)
        if (statuses[i].name && strcmp(statuses[i].name, name) == 0)
            return &statuses[i];
    return NULL;
}

const struct container_status *resize_status(const struct pod *pod,
                                             const struct container *container)
{
    const struct pod_status *status = &pod->status;
    const struct container_status *found = find_status(
        status->init_container_statuses, status->init_container_status_count, container->name);
    if (!found)
        found = find_status(status->container_statuses, status->container_status_count,
                            container->name);
    return found && found->resources ? found : NULL;
}

bool resize_is_infeasible(const struct pod *pod)
{
    const struct condition *pending = conditions_find(&pod->status.conditions, "PodResizePending");
    return pending && pending->reason && strcmp(pending->reason, "Infeasible") == 0;
}

static void raise_to(struct arena *arena, struct resource_list *list,
                     const struct resource_list *other)
{
    resource_list_complete(arena, list, other);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct quantity *more = resource_list_find(other, list->items[i].name);
        if (more && quantity_compare(*more, list->items[i].quantity) > 0)
            list->items[i].quantity = *more;
    }
}

static struct resource_list held_list(struct arena *arena, const struct pod *pod,
                                      const struct resource_list *wanted,
                                      const struct resource_requirements *actual,
                                      const struct resource_list *allocated)
{
    struct resource_list held = {0};
    if (!actual)
        return *wanted;
    if (!resize_is_infeasible(pod))
        resource_list_complete(arena, &held, wanted);
    raise_to(arena, &held, &actual->requests);
    raise_to(arena, &held, allocated);
    return held;
}

struct resource_list container_held(struct arena *arena, const struct pod *pod,
                                    const struct container *container)
{
    const struct container_status *status = resize_status(pod, container);
    if (!status)
        return container->resources.requests;
    return held_list(arena, pod, &container->resources.requests, status->resources,
                     &status->allocated_resources);
}

struct resource_requirements *pod_held(struct arena *arena, const struct pod *pod)
{
    const struct resource_requirements *own = pod->spec.resources;
    if (!own)
        return NULL;
    struct resource_requirements *held = arena_copy(arena, own, sizeof(*own));
    held->requests = held_list(arena, pod, &own->requests, pod->status.resources,
                               &pod->status.allocated_resources);
    return held;
}
