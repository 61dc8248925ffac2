/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/others.h"

#include <string.h>

uint32_t room_kind_add(struct room_held *held, const struct room *request)
{
    uint32_t kind = 0;
    while (kind < held->kind_count &&
           memcmp(&held->kinds[kind].request, request, sizeof(*request)) != 0)
        kind++;
    if (kind == ROOM_KINDS)
        kind = ROOM_KINDS - 1;
    if (kind == held->kind_count)
        held->kind_count++;
    for (uint32_t i = 0; i < ROOM_MOST; i++)
        if (request->amounts[i] > held->kinds[kind].request.amounts[i])
            held->kinds[kind].request.amounts[i] = request->amounts[i];
    return kind;
}

void room_keep_most(uint32_t *most, const uint32_t *held)
{
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        if (held[p] > most[p])
            most[p] = held[p];
}

void room_held_join(struct room_held *all, const struct room_held *found)
{
    if (found->kind_count > all->kind_count)
        all->kind_count = found->kind_count;
    for (uint32_t k = 0; k < found->kind_count; k++) {
        struct pods_held *pods = &all->kinds[k];
        pods->request = found->kinds[k].request;
        room_keep_most(pods->most, found->kinds[k].most);
        room_keep_most(pods->lasting, found->kinds[k].lasting);
        room_keep_most(all->staying[k], found->staying[k]);
        room_keep_most(all->beside_waiting[k], found->beside_waiting[k]);
        if (found->kinds[k].on_node > pods->on_node)
            pods->on_node = found->kinds[k].on_node;
    }
    if (found->leaving > all->leaving)
        all->leaving = found->leaving;
    all->ends |= found->ends;
    all->binds |= found->binds;
    for (uint32_t i = 0; i < SHARED_QUOTA_LINES; i++)
        if (found->charged[i] > all->charged[i])
            all->charged[i] = found->charged[i];
}

static void add_times(uint32_t *all, const uint32_t *found, uint32_t times)
{
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        all[p] += found[p] * times;
}

void room_held_add(struct room_held *all, const struct room_held *found, uint32_t nodes)
{
    if (found->kind_count > all->kind_count)
        all->kind_count = found->kind_count;
    for (uint32_t k = 0; k < found->kind_count; k++) {
        struct pods_held *pods = &all->kinds[k];
        pods->request = found->kinds[k].request;
        add_times(pods->most, found->kinds[k].most, nodes);
        add_times(pods->lasting, found->kinds[k].lasting, nodes);
        add_times(all->staying[k], found->staying[k], nodes);
        /* While a pod waits for one of the nodes, the others may hold everything. */
        add_times(all->beside_waiting[k], found->kinds[k].most, nodes);
        if (found->kinds[k].on_node > pods->on_node)
            pods->on_node = found->kinds[k].on_node;
    }
    all->leaving += found->leaving * nodes;
    all->ends |= found->ends;
    all->binds |= found->binds;
    for (uint32_t i = 0; i < SHARED_QUOTA_LINES; i++)
        all->charged[i] += found->charged[i] * nodes;
}
