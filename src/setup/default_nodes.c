/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/default_nodes.h"

#include "object/schemas.h"
#include "setup/kubelet_labels.h"
#include "setup/node_needs.h"
#include "setup/setup.h"

#include <math.h>
#include <string.h>

struct node_needs *node_needs_of(struct arena *arena, const struct objects *objects,
                                 const struct node_size *size)
{
    struct node_needs *needs = ARENA_NEW(arena, struct node_needs);
    *needs = (struct node_needs){.arena = arena, .objects = objects, .size = *size};
    const struct node_pool usual = {0};
    VEC_PUSH(arena, &needs->pools, usual);
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct pod_template *template = workload_template(&objects->items[i]);
        if (template)
            node_wishes_add(needs, &template->spec);
    }
    node_counts_find(needs);
    return needs;
}

/* ---- making them ---- */

static void add_node(struct arena *arena, const struct node_needs *needs,
                     const struct node_pool *pool, const char *name, const char *zone,
                     int32_t times, struct objects *objects)
{
    struct node *node = ARENA_NEW(arena, struct node);
    const char *region = needs->region ? needs->region : "region";
    *node = (struct node){
        .meta = {.name = name, .creation_time = TIME_NONE, .deletion_time = TIME_NONE}};
    for (uint32_t i = 0; i < pool->labels.count; i++)
        labels_set(arena, &node->meta.labels, pool->labels.items[i].key,
                   pool->labels.items[i].value);
    for (uint32_t i = 0; i < needs->keys.count; i++)
        if (!labels_find(&node->meta.labels, needs->keys.items[i]))
            labels_set(arena, &node->meta.labels, needs->keys.items[i], zone);
    labels_set(arena, &node->meta.labels, LABEL_ZONE, zone);
    labels_set(arena, &node->meta.labels, LABEL_ZONE_BETA, zone);
    labels_set(arena, &node->meta.labels, LABEL_REGION, region);
    labels_set(arena, &node->meta.labels, LABEL_REGION_BETA, region);
    if (!labels_find(&node->meta.labels, LABEL_INSTANCE))
        labels_set(arena, &node->meta.labels, LABEL_INSTANCE, "usual");
    labels_set(arena, &node->meta.labels, LABEL_INSTANCE_BETA,
               labels_find(&node->meta.labels, LABEL_INSTANCE));
    node_add_kubelet_labels(arena, node);
    node->status.capacity = node_allocatable(arena, needs, times);
    node->status.allocatable = node->status.capacity;
    const struct object object = {.kind = OBJECT_NODE,
                                  .api_version = "v1",
                                  .kind_name = "Node",
                                  .meta = &node->meta,
                                  .as.node = node};
    objects_put(arena, objects, &object);
}

/* How much of everything a node has, in sizes. For all pods it is twice as much as they may need,
 * because others terminate meanwhile; not more than that, or the scheduler's scores would see no
 * difference between an empty node and a full one. */
static int32_t times_of(const struct node_needs *needs, enum node_room room)
{
    return room == NODE_ROOM_FOR_ALL ? (int32_t)fmax(ceil(2 * needs->nodes_by_room), 1) : 1;
}

void node_needs_add(struct arena *arena, const struct node_needs *needs, int32_t count,
                    enum node_room room, struct objects *objects)
{
    const uint32_t zones = room == NODE_ROOM_FOR_ALL ? needs->zones.count : needs->zones_least;
    for (uint32_t p = 0; p < needs->pools.count; p++) {
        const struct node_pool *pool = &needs->pools.items[p];
        const char *host = labels_find(&pool->labels, LABEL_HOSTNAME);
        const char *prefix =
            p == 0 ? "node" : arena_printf(arena, "%s-%u", host ? "host" : "pool", p + 1);
        for (int32_t n = 0; n < (pool->single ? 1 : count); n++)
            add_node(arena, needs, pool, host ? host : arena_printf(arena, "%s-%d", prefix, n + 1),
                     needs->zones.items[(uint32_t)n % zones], times_of(needs, room), objects);
    }
}
