/* SPDX-License-Identifier: Apache-2.0 */
/* Which resources a pod may request. */
#include "decide/pod_requests.h"

struct visitor {
    void (*visit)(void *context, const char *name);
    void *context;
};

static void visit_list(const struct visitor *visitor, const struct resource_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        visitor->visit(visitor->context, list->items[i].name);
}

/* Limits of containers count only where the pod has some of its own. */
static void visit_containers(const struct visitor *visitor, const struct container *containers,
                             uint32_t count, bool limits)
{
    for (uint32_t i = 0; i < count; i++) {
        visit_list(visitor, &containers[i].resources.requests);
        if (limits)
            visit_list(visitor, &containers[i].resources.limits);
    }
}

static void visit_statuses(const struct visitor *visitor, const struct container_status *statuses,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!statuses[i].resources)
            continue;
        visit_list(visitor, &statuses[i].resources->requests);
        visit_list(visitor, &statuses[i].allocated_resources);
    }
}

void pod_request_names(const struct pod *pod, void (*visit)(void *context, const char *name),
                       void *context)
{
    const struct visitor visitor = {visit, context};
    const struct pod_spec *spec = &pod->spec;
    const struct pod_status *status = &pod->status;
    const bool whole = spec->resources != NULL;
    visit_containers(&visitor, spec->containers, spec->container_count, whole);
    visit_containers(&visitor, spec->init_containers, spec->init_container_count, whole);
    if (whole) {
        visit_list(&visitor, &spec->resources->requests);
        visit_list(&visitor, &spec->resources->limits);
    }
    visit_list(&visitor, &spec->overhead);
    visit_statuses(&visitor, status->container_statuses, status->container_status_count);
    visit_statuses(&visitor, status->init_container_statuses, status->init_container_status_count);
}
