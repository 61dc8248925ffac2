/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/hidden_orders.h"
#include "decide/autoscaler/node_removal.h"
#include "decide/autoscaler/scale_down.h"

void find_candidates(struct cluster_autoscaler *autoscaler, node_list *candidates)
{
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++) {
        const struct listed_node *node = &autoscaler->nodes.items[i];
        if (!node->group || node->group->target <= node->group->min)
            continue;
        VEC_PUSH(autoscaler->loop_arena, candidates, node);
        VEC_PUSH(autoscaler->loop_arena, &autoscaler->result->candidates, node->record->name);
    }
}

static double threshold_of(const struct cluster_autoscaler *autoscaler,
                           const struct listed_node *node)
{
    return node->has_gpu ? autoscaler->options.gpu_threshold : node->group->utilization_threshold;
}

static enum unremovable_reason judge(struct cluster_autoscaler *autoscaler,
                                     const struct listed_node *node)
{
    if (node->record->unremovable)
        return UNREMOVABLE_RECENTLY;
    if (node->being_deleted)
        return UNREMOVABLE_BEING_DELETED;
    if (node->disabled)
        return UNREMOVABLE_DISABLED;
    const struct node_utilization utilization = {node->record->name,
                                                 utilization_of(autoscaler, node)};
    VEC_PUSH(autoscaler->loop_arena, &autoscaler->result->utilization, utilization);
    return utilization.utilization >= threshold_of(autoscaler, node) ? UNREMOVABLE_UTILIZED
                                                                     : REMOVABLE;
}

/* Of nodes that are gone nothing is remembered. */
static void forget_expired(struct cluster_autoscaler *autoscaler)
{
    MAP_EACH (&autoscaler->records, entry) {
        struct node_record *record = entry->value;
        record->reason = REMOVABLE;
        record->blocking = NULL;
        if (record->unremovable &&
            (record->unremovable_until <= autoscaler->now ||
             simulation_find(autoscaler->simulation, record->name) == SIMULATION_NOWHERE))
            record->unremovable = false;
    }
}

static uint64_t kind_of_node(const struct cluster_autoscaler *autoscaler, const void *item)
{
    (void)autoscaler;
    return (*(const struct listed_node *const *)item)->record->alike;
}

void filter_eligible(struct cluster_autoscaler *autoscaler, const node_list *candidates,
                     node_list *eligible)
{
    forget_expired(autoscaler);
    for (uint32_t i = 0; i < candidates->count; i++) {
        const struct listed_node *node = candidates->items[i];
        node->record->reason = judge(autoscaler, node);
        if (node->record->reason == REMOVABLE)
            VEC_PUSH(autoscaler->loop_arena, eligible, node);
    }
    if (autoscaler->choices)
        orders_mix_kinds(autoscaler, eligible->items, eligible->count, sizeof(*eligible->items),
                         kind_of_node);
}

static enum unremovable_reason judge_timer(struct cluster_autoscaler *autoscaler,
                                           const struct listed_node *node)
{
    if (autoscaler->timers_open)
        return orders_pick(autoscaler, 2) == 0 ? REMOVABLE : UNREMOVABLE_NOT_LONG_ENOUGH;
    const int64_t since = node->record->unneeded_since;
    if (node->ready)
        return since + node->group->unneeded_time < autoscaler->now ? REMOVABLE
                                                                    : UNREMOVABLE_NOT_LONG_ENOUGH;
    return since + node->group->unready_time < autoscaler->now
               ? REMOVABLE
               : UNREMOVABLE_NOT_UNREADY_LONG_ENOUGH;
}

static enum unremovable_reason judge_unneeded(struct cluster_autoscaler *autoscaler,
                                              const struct listed_node *node,
                                              const struct resources_left *left)
{
    bool cores;
    bool memory;
    if (node->disabled)
        return UNREMOVABLE_DISABLED;
    const enum unremovable_reason timer = judge_timer(autoscaler, node);
    if (timer != REMOVABLE)
        return timer;
    if (node->group->target - node->group->deleting <= node->group->min)
        return UNREMOVABLE_MIN_SIZE;
    return resources_exceeded(left, node->node, &cores, &memory) ? UNREMOVABLE_MIN_RESOURCES
                                                                 : REMOVABLE;
}

void find_removable(struct cluster_autoscaler *autoscaler, const struct resources_left *left,
                    node_list *empty, node_list *to_drain)
{
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++) {
        const struct listed_node *node = &autoscaler->nodes.items[i];
        if (!node->record->unneeded)
            continue;
        const enum unremovable_reason reason = judge_unneeded(autoscaler, node, left);
        if (reason != REMOVABLE) {
            node->record->reason = reason;
            node->record->blocking = NULL;
        } else if (node->record->pods_to_move_count > 0) {
            VEC_PUSH(autoscaler->loop_arena, to_drain, node);
        } else {
            VEC_PUSH(autoscaler->loop_arena, empty, node);
        }
    }
    orders_mix_kinds(autoscaler, empty->items, empty->count, sizeof(*empty->items), kind_of_node);
    orders_mix_kinds(autoscaler, to_drain->items, to_drain->count, sizeof(*to_drain->items),
                     kind_of_node);
}

void note_unremovable(const struct cluster_autoscaler *autoscaler, struct node_record *record)
{
    record->unremovable = true;
    record->unremovable_until = autoscaler->now + autoscaler->options.recheck_timeout;
}
