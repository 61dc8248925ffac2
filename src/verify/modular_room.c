/* SPDX-License-Identifier: Apache-2.0 */
/* What the others of a component hold, from what was measured of each of them. */
#include "verify/modular_internal.h"

#include <string.h>

/* Have all its pods that terminate on a node that is up begun to do so while it was not? They are
 * on nodes that have come back then. */
static bool leaves_on_way_back(const struct modular *modular, const struct component *component)
{
    return !component->held.ends && modular->query->scope->start != START_OBSERVED;
}

/* More pods of a component than any node has room for. */
enum { PODS_TO_FILL = 1 << 16 };

/* The pods fill all nodes of the places at which they were seen. */
static void fill_places(struct pods_held *pods)
{
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        if (pods->most[p] > 0)
            pods->most[p] = PODS_TO_FILL;
    pods->on_node = PODS_TO_FILL;
}

/* Adds what the component holds to what others hold. `rests`: at rest it can hold only what it was
 * seen to hold at rest. */
static void add_room(const struct modular *modular, struct others *others,
                     const struct component *component, bool rests)
{
    const bool fills = modular_fills_its_places(modular, component);
    const bool on_way_back = leaves_on_way_back(modular, component) && !fills;
    for (uint32_t k = 0; k < component->held.kind_count; k++) {
        struct pods_held pods = component->held.kinds[k];
        if (!rests)
            memcpy(pods.lasting, pods.most, sizeof(pods.lasting));
        if (on_way_back)
            memcpy(pods.most, component->held.staying[k], sizeof(pods.most));
        if (component->on_node_is_known && component->on_node[k] < pods.on_node) {
            pods.on_node = component->on_node[k];
            others->gathered_by_images |= component->on_node_by_images;
        }
        if (fills)
            fill_places(&pods);
        others->pods[others->pod_kinds++] = pods;
    }
    if (on_way_back) {
        const uint64_t nodes = (uint64_t)others->nodes_back + component->held.leaving;
        others->nodes_back = nodes < modular->nodes_back ? (uint32_t)nodes : modular->nodes_back;
    }
}

/* Adds what the component itself holds while a pod of it waits, which is not told from what others
 * hold. */
static void add_own_room(const struct modular *modular, struct others *others,
                         const struct component *component)
{
    const uint32_t first = others->pod_kinds;
    add_room(modular, others, component, false);
    for (uint32_t k = first; k < others->pod_kinds; k++)
        for (uint32_t p = 0; p < ROOM_PLACES; p++) {
            struct pods_held *pods = &others->pods[k];
            const uint32_t most = component->held.beside_waiting[k - first][p];
            if (pods->most[p] > most && !modular_fills_its_places(modular, component))
                pods->most[p] = most;
            pods->lasting[p] = most;
        }
}

/* Are the pods of the component where runs start, and no others ever come to a node? */
static bool stays_in_place(const struct modular *modular, const struct component *component)
{
    return modular->at_start.node_count > 0 && component->bounded && !component->held.binds;
}

struct others modular_others_of(struct modular *modular, uint32_t number, bool leave)
{
    struct others others = modular->unknown;
    others.unknown = false;
    others.restless = false;
    others.leave_drained_nodes = leave;
    others.pods = ARENA_ARRAY(&modular->arena, struct pods_held,
                              (size_t)modular->component_count * ROOM_KINDS);
    bool *stays = ARENA_ARRAY(&modular->arena, bool, modular->component_count);
    for (uint32_t c = 0; c < modular->component_count; c++)
        if (c != number) {
            const struct component *component = &modular->components[c];
            stays[c] = stays_in_place(modular, component);
            const uint32_t first = others.pod_kinds;
            if (!stays[c])
                add_room(modular, &others, component, component->rests);
            for (uint32_t k = first;
                 modular_outranks(modular, &modular->components[number], component) &&
                 k < others.pod_kinds;
                 k++)
                memset(others.pods[k].lasting, 0, sizeof(others.pods[k].lasting));
            others.restless |= !component->rests;
            if (!component->rests)
                modular->parts->restless = c;
        }
    others.group_count = modular->query->scope->group_count;
    others.staying =
        room_of_staying(&modular->arena, &modular->at_start, stays, others.group_count);
    return others;
}

struct others modular_pooled_others(struct modular *modular, const struct component *component,
                                    const struct others *others)
{
    struct others pooled = *others;
    pooled.pools = true;
    if (!others->unknown)
        add_own_room(modular, &pooled, component);
    pooled.own_kinds = pooled.pod_kinds - others->pod_kinds;
    return pooled;
}
