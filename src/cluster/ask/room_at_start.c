/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/room_at_start.h"
#include "cluster/state/configs.h"
#include "cluster/state/observed.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

static void add(struct room *room, const struct room *more)
{
    for (uint32_t r = 0; r < ROOM_MOST; r++)
        room->amounts[r] += more->amounts[r];
}

/* What a pod requests; extended resources have the numbers of the catalog. */
static struct room request_of(const struct pod_shape *shape)
{
    const struct amounts *requests = &shape->requests;
    struct room request = {0};
    request.amounts[ROOM_CPU] = requests->cpu_milli;
    request.amounts[ROOM_MEMORY] = requests->memory;
    request.amounts[ROOM_EPHEMERAL_STORAGE] = requests->ephemeral_storage;
    request.amounts[ROOM_PODS] = 1;
    request.amounts[ROOM_SCORED_CPU] = shape->nonzero_cpu_milli;
    request.amounts[ROOM_SCORED_MEMORY] = shape->nonzero_memory;
    for (uint32_t s = 0; s < requests->scalar_count; s++)
        if (ROOM_EXTENDED + requests->scalars[s].resource < ROOM_MOST)
            request.amounts[ROOM_EXTENDED + requests->scalars[s].resource] =
                requests->scalars[s].amount;
    return request;
}

static struct room *room_at(const struct room_at_start *at_start, uint32_t node, uint32_t component)
{
    return &at_start->rooms[(size_t)node * at_start->component_count + component];
}

void room_at_start_find(struct arena *arena, const struct population *population,
                        const uint32_t *of, uint32_t component_count,
                        struct room_at_start *at_start)
{
    const uint32_t count = population->observed_nodes.count;
    uint32_t *groups = ARENA_ARRAY(arena, uint32_t, count + 1);
    *at_start = (struct room_at_start){
        .node_count = count,
        .component_count = component_count,
        .groups = groups,
        .rooms = ARENA_ARRAY(arena, struct room, (size_t)count * component_count + 1),
    };
    for (uint32_t n = 0; n < count; n++) {
        const struct observed_node *node = &population->observed_nodes.items[n];
        groups[n] = node->group;
        for (uint32_t p = 0; p < node->pods.count; p++) {
            const uint32_t class = node->pods.items[p].number;
            const struct pod_shape *shape = population->catalog->pods.items[class]->shape;
            const struct room request = request_of(shape);
            const uint32_t workload = class_revision(population->maker, class)->workload;
            if (workload < population->managed_count)
                add(room_at(at_start, n, of[workload]), &request);
        }
    }
}

struct room *room_of_staying(struct arena *arena, const struct room_at_start *at_start,
                             const bool *stays, uint32_t group_count)
{
    struct room *most = ARENA_ARRAY(arena, struct room, group_count + 1);
    for (uint32_t n = 0; n < at_start->node_count; n++) {
        struct room held = {0};
        for (uint32_t c = 0; c < at_start->component_count; c++)
            if (stays[c])
                add(&held, room_at(at_start, n, c));
        for (uint32_t r = 0; r < ROOM_MOST; r++)
            if (held.amounts[r] > most[at_start->groups[n]].amounts[r])
                most[at_start->groups[n]].amounts[r] = held.amounts[r];
    }
    return most;
}
