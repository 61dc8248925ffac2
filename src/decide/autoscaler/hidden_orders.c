/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/hidden_orders.h"

#include "decide/autoscaler/order_choices.h"

#include <string.h>

/* splitmix64; the state is never 0, which means that nothing is drawn. */
uint32_t orders_pick(struct cluster_autoscaler *autoscaler, uint32_t count)
{
    if (autoscaler->choices)
        return order_choices_next(autoscaler->choices, count);
    if (autoscaler->order_seed == 0 || count == 0)
        return 0;
    autoscaler->order_seed += 0x9e3779b97f4a7c15;
    uint64_t drawn = autoscaler->order_seed;
    if (autoscaler->order_seed == 0)
        autoscaler->order_seed++;
    drawn = (drawn ^ (drawn >> 30)) * 0xbf58476d1ce4e5b9;
    drawn = (drawn ^ (drawn >> 27)) * 0x94d049bb133111eb;
    return (uint32_t)((drawn ^ (drawn >> 31)) % count);
}

/* Chooses among the first `count` items one of each kind; the place of the one that was chosen. */
static uint32_t pick_kind(struct cluster_autoscaler *autoscaler, const char *bytes, uint32_t count,
                          size_t item_bytes,
                          uint64_t (*key)(const struct cluster_autoscaler *, const void *))
{
    uint32_t *places = ARENA_ARRAY(autoscaler->loop_arena, uint32_t, count);
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < kinds && key(autoscaler, bytes + places[k] * item_bytes) !=
                                key(autoscaler, bytes + i * item_bytes))
            k++;
        if (k == kinds)
            places[kinds++] = i;
    }
    return places[orders_pick(autoscaler, kinds)];
}

static void swap(char *left, char *right, char *spare, size_t bytes)
{
    memcpy(spare, left, bytes);
    memcpy(left, right, bytes);
    memcpy(right, spare, bytes);
}

void orders_mix_kinds(struct cluster_autoscaler *autoscaler, void *items, uint32_t count,
                      size_t item_bytes,
                      uint64_t (*key)(const struct cluster_autoscaler *, const void *))
{
    if (!autoscaler->choices) {
        orders_mix(autoscaler, items, count, item_bytes);
        return;
    }
    char *bytes = items;
    char *spare = arena_allocate(autoscaler->loop_arena, item_bytes);
    for (uint32_t i = count; i > 1; i--)
        swap(bytes + (i - 1) * item_bytes,
             bytes + pick_kind(autoscaler, bytes, i, item_bytes, key) * item_bytes, spare,
             item_bytes);
}

void orders_mix(struct cluster_autoscaler *autoscaler, void *items, uint32_t count,
                size_t item_bytes)
{
    char *bytes = items;
    const bool drawn = autoscaler->order_seed != 0 || autoscaler->choices;
    char *spare = drawn ? arena_allocate(autoscaler->loop_arena, item_bytes) : NULL;
    for (uint32_t i = count; spare && i > 1; i--)
        swap(bytes + (i - 1) * item_bytes, bytes + orders_pick(autoscaler, i) * item_bytes, spare,
             item_bytes);
}

static uint64_t kind_of_node(const struct cluster_autoscaler *autoscaler, const void *item)
{
    const struct node *node = *(const struct node *const *)item;
    const struct node_record *record = map_get(&autoscaler->records, node->meta.name);
    return record ? record->alike : 0;
}

static uint64_t kind_of_pod(const struct cluster_autoscaler *autoscaler, const void *item)
{
    (void)autoscaler;
    return (*(const struct autoscaler_pod *const *)item)->likeness;
}

/* Of the lists, with choices: which node of a group comes first makes a difference only to which
 * DaemonSet pods a template has, the orders of candidates and of a node's pods are chosen where
 * they count (eligibility.c, node_removal.c), and budgets and groups are taken one by one: their
 * order decides at most which of several reasons is told. */
static void choose_lists(struct cluster_autoscaler *autoscaler)
{
    struct world_lists *lists = &autoscaler->lists;
    if (lists->daemon_sets.count > 0)
        orders_mix_kinds(autoscaler, lists->nodes.items, lists->nodes.count,
                         sizeof(*lists->nodes.items), kind_of_node);
    orders_mix_kinds(autoscaler, lists->unschedulable.items, lists->unschedulable.count,
                     sizeof(*lists->unschedulable.items), kind_of_pod);
}

static void mix_lists(struct cluster_autoscaler *autoscaler)
{
    struct world_lists *lists = &autoscaler->lists;
    orders_mix(autoscaler, lists->nodes.items, lists->nodes.count, sizeof(*lists->nodes.items));
    orders_mix(autoscaler, lists->scheduled.items, lists->scheduled.count,
               sizeof(*lists->scheduled.items));
    orders_mix(autoscaler, lists->unschedulable.items, lists->unschedulable.count,
               sizeof(*lists->unschedulable.items));
    orders_mix(autoscaler, lists->budgets.items, lists->budgets.count,
               sizeof(*lists->budgets.items));
    orders_mix(autoscaler, autoscaler->groups.items, autoscaler->groups.count,
               sizeof(*autoscaler->groups.items));
}

void orders_begin_loop(struct cluster_autoscaler *autoscaler)
{
    if (autoscaler->choices)
        choose_lists(autoscaler);
    else
        mix_lists(autoscaler);
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        autoscaler->groups.items[i]->position = i;
}
