/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/similar_groups.h"

static void sort_by_size(increase_list *list)
{
    for (uint32_t i = 1; i < list->count; i++) {
        const struct group_increase increase = list->items[i];
        uint32_t place = i;
        while (place > 0 && list->items[place - 1].from > increase.from) {
            list->items[place] = list->items[place - 1];
            place--;
        }
        list->items[place] = increase;
    }
}

/*
 * Goes round and round from the smallest group to the first that is larger than those before it. A
 * group that is full changes places with the first that is still open, which alters who is next
 * among groups of equal size.
 */
static void distribute(increase_list *list, int64_t nodes)
{
    uint32_t first = 0;
    uint32_t current = 0;
    while (nodes > 0) {
        const uint32_t looked_at = current;
        struct group_increase *increase = &list->items[current];
        if (increase->to < increase->most) {
            increase->to++;
            nodes--;
        } else {
            const struct group_increase full = *increase;
            *increase = list->items[first];
            list->items[first++] = full;
        }
        if (looked_at + 1 < list->count &&
            list->items[looked_at].to > list->items[looked_at + 1].to)
            current = looked_at + 1;
        else
            current = first;
    }
}

void balance_groups(struct arena *arena, struct autoscaler_group *const *groups, uint32_t count,
                    int64_t nodes, increase_list *increases)
{
    increase_list all = {0};
    int64_t room = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct group_increase increase = {groups[i], groups[i]->target, groups[i]->target,
                                                groups[i]->max};
        if (groups[i]->target == groups[i]->max)
            continue;
        if (groups[i]->target < groups[i]->max)
            room += groups[i]->max - groups[i]->target;
        VEC_PUSH(arena, &all, increase);
    }
    sort_by_size(&all);
    distribute(&all, nodes < room ? nodes : room);
    for (uint32_t i = 0; i < all.count; i++)
        if (all.items[i].to != all.items[i].from)
            VEC_PUSH(arena, increases, all.items[i]);
}
