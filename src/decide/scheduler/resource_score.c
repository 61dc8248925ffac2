/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/resource_score.h"

#include "decide/pod_shape.h"

#include <string.h>

static int64_t amount_of(const struct scored_resource *resource, const struct amounts *amounts)
{
    switch (resource->kind) {
    case SCORED_CPU: return amounts->cpu_milli;
    case SCORED_MEMORY: return amounts->memory;
    case SCORED_EPHEMERAL_STORAGE: return amounts->ephemeral_storage;
    case SCORED_SCALAR: break;
    }
    return amounts_scalar(amounts, resource->resource);
}

static int64_t requested_by(const struct scored_resources *resources,
                            const struct scored_resource *resource, const struct pod_shape *pod)
{
    if (resources->nonzero && resource->kind == SCORED_CPU)
        return pod->nonzero_cpu_milli;
    if (resources->nonzero && resource->kind == SCORED_MEMORY)
        return pod->nonzero_memory;
    return amount_of(resource, &pod->requests);
}

/* The same for the pod that is to be placed. */
static int64_t asked_by(const struct scored_resources *resources,
                        const struct scored_resource *resource, const struct pod_shape *pod)
{
    if (resources->nonzero && resource->kind == SCORED_CPU)
        return pod->scored_cpu_milli;
    if (resources->nonzero && resource->kind == SCORED_MEMORY)
        return pod->scored_memory;
    return amount_of(resource, &pod->requests);
}

/* Upstream up to 1.26 adds the overhead of the incoming pod in whole units,
 * for cpu as well: 250m count as 1 thousandth. */
static int64_t overhead_error(const struct plan *plan, const struct scored_resource *resource)
{
    if (plan->catalog->features.score_overhead_milli || resource->kind != SCORED_CPU)
        return 0;
    const struct quantity *overhead = resource_list_find(&plan->shape->pod->spec.overhead, "cpu");
    return overhead ? quantity_value(*overhead) - quantity_milli_value(*overhead) : 0;
}

static bool resource_kind(struct catalog *catalog, const char *name,
                          struct scored_resource *resource)
{
    if (strcmp(name, "cpu") == 0) {
        resource->kind = SCORED_CPU;
    } else if (strcmp(name, "memory") == 0) {
        resource->kind = SCORED_MEMORY;
    } else if (strcmp(name, "ephemeral-storage") == 0) {
        resource->kind = SCORED_EPHEMERAL_STORAGE;
    } else {
        resource->kind = SCORED_SCALAR;
        resource->resource = catalog_resource(catalog, name);
        return resource_is_scalar(name);
    }
    return true;
}

struct scored_resources *
resource_score_prepare(struct plan *plan, const struct resource_weights *weights, bool nonzero)
{
    struct arena *arena = plan->catalog->arena;
    struct scored_resources *resources = ARENA_NEW(arena, struct scored_resources);
    resources->nonzero = nonzero;
    resources->items = ARENA_ARRAY(arena, struct scored_resource, weights->count + 1);
    for (uint32_t i = 0; i < weights->count; i++) {
        struct scored_resource resource = {.weight = weights->items[i].weight};
        if (!resource_kind(plan->catalog, weights->items[i].name, &resource))
            continue;
        resource.request =
            asked_by(resources, &resource, plan->shape) + overhead_error(plan, &resource);
        if (resource.kind == SCORED_SCALAR && resource.request == 0)
            continue;
        resource.counter = plan_reserve_counters(plan, 1);
        resources->items[resources->count++] = resource;
    }
    return resources;
}

void resource_score_relate(const struct scored_resources *resources, const struct pod_shape *pod,
                           int64_t *counters)
{
    for (uint32_t i = 0; i < resources->count; i++)
        counters[resources->items[i].counter] = requested_by(resources, &resources->items[i], pod);
}

int64_t resource_score_allocatable(const struct scored_resource *resource,
                                   const struct node_template *template)
{
    return amount_of(resource, &template->allocatable);
}

int64_t resource_score_beside(const struct scored_resource *resource, const struct beside *beside)
{
    static const int64_t anything = INT64_MAX / 4;
    switch (resource->kind) {
    case SCORED_CPU: return beside->cpu_milli < anything ? beside->cpu_milli : anything;
    case SCORED_MEMORY: return beside->memory < anything ? beside->memory : anything;
    case SCORED_EPHEMERAL_STORAGE:
    case SCORED_SCALAR: break;
    }
    return anything;
}

int64_t resource_score_at_least(const struct scored_resource *resource, const struct beside *beside)
{
    switch (resource->kind) {
    case SCORED_CPU: return beside->cpu_milli;
    case SCORED_MEMORY: return beside->memory;
    case SCORED_EPHEMERAL_STORAGE:
    case SCORED_SCALAR: break;
    }
    return 0;
}

static void read_profile(struct reads *reads, const struct scheduler_profile *profile)
{
    (void)profile;
    reads->all_resources = true;
}

const struct plugin_reads resource_reads = {
    .of_placed = reads_requests,
    .of_profile = read_profile,
    .only_room = only_room_ever,
};
