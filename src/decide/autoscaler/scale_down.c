/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/scale_down.h"

#include "decide/autoscaler/cluster_state.h"
#include "decide/autoscaler/node_readiness.h"
#include "decide/autoscaler/node_text.h"
#include "manifest/document.h"

static struct scale_action *taint_action(struct cluster_autoscaler *autoscaler,
                                         enum scale_action_kind kind, const char *key,
                                         const struct listed_node *node)
{
    struct scale_action *action = autoscaler_act(autoscaler, kind);
    action->node = node->record->name;
    action->key = key;
    action->error = string_list_has(&autoscaler->failing_taints, node->record->name);
    return action;
}

/* All nodes or none: when one cannot be tainted, those before it lose their taints again. */
static bool taint_nodes(struct cluster_autoscaler *autoscaler, const node_list *nodes)
{
    for (uint32_t i = 0; i < nodes->count; i++) {
        const struct listed_node *node = nodes->items[i];
        struct scale_action *action =
            taint_action(autoscaler, ACTION_TAINT, TAINT_TO_BE_DELETED, node);
        action->effect = "NoSchedule";
        if (action->error) {
            for (uint32_t k = 0; k < i; k++)
                taint_action(autoscaler, ACTION_UNTAINT, TAINT_TO_BE_DELETED, nodes->items[k]);
            const struct world_item *item =
                autoscaler_world_find(&autoscaler->world, "Node", NULL, node->record->name);
            autoscaler->result->error =
                arena_printf(autoscaler->loop_arena, "couldn't taint node \"%s\" with ToBeDeleted",
                             node_text(autoscaler->loop_arena, node->node,
                                       item->object.source ? &item->object.source->root : NULL));
            return false;
        }
        if (autoscaler->options.cordon)
            autoscaler_act(autoscaler, ACTION_CORDON)->node = node->record->name;
    }
    return true;
}

static void crop(node_list *nodes, int64_t most)
{
    if (nodes->count > most)
        nodes->count = most > 0 ? (uint32_t)most : 0;
}

enum scale_down_result start_deletion(struct cluster_autoscaler *autoscaler, node_list *empty,
                                      node_list *to_drain)
{
    struct loop_result *result = autoscaler->result;
    int64_t room = autoscaler->options.max_parallelism;
    int64_t room_to_drain = autoscaler->options.max_drain_parallelism;
    MAP_EACH (&autoscaler->records, entry) {
        const struct node_record *record = entry->value;
        room -= record->deleting_empty + record->deleting_drain;
        room_to_drain -= record->deleting_drain;
    }
    crop(empty, room);
    room -= empty->count;
    crop(to_drain, room < room_to_drain ? room : room_to_drain);
    for (uint32_t i = 0; i < empty->count; i++)
        VEC_PUSH(autoscaler->loop_arena, &result->delete_empty, empty->items[i]->record->name);
    for (uint32_t i = 0; i < to_drain->count; i++)
        VEC_PUSH(autoscaler->loop_arena, &result->delete_drain, to_drain->items[i]->record->name);
    if (empty->count + to_drain->count == 0)
        return SCALE_DOWN_NO_NODE_DELETED;
    if (!taint_nodes(autoscaler, empty))
        return SCALE_DOWN_ERROR;
    for (uint32_t i = 0; i < empty->count; i++)
        empty->items[i]->record->deleting_empty = true;
    if (!taint_nodes(autoscaler, to_drain))
        return SCALE_DOWN_ERROR;
    for (uint32_t i = 0; i < to_drain->count; i++)
        to_drain->items[i]->record->deleting_drain = true;
    return SCALE_DOWN_STARTED;
}

void update_soft_taints(struct cluster_autoscaler *autoscaler)
{
    int64_t writes = autoscaler->options.max_soft_taints;
    for (int unneeded = 0; unneeded <= 1; unneeded++) {
        for (uint32_t i = 0; i < autoscaler->nodes.count; i++) {
            const struct listed_node *node = &autoscaler->nodes.items[i];
            if (node->record->unneeded != unneeded ||
                node_has_taint(node->node, TAINT_DELETION_CANDIDATE) == unneeded ||
                node_has_taint(node->node, TAINT_TO_BE_DELETED) || writes-- <= 0)
                continue;
            struct scale_action *action =
                taint_action(autoscaler, unneeded ? ACTION_TAINT : ACTION_UNTAINT,
                             TAINT_DELETION_CANDIDATE, node);
            if (unneeded)
                action->effect = "PreferNoSchedule";
        }
    }
}

static bool is_in_cooldown(const struct cluster_autoscaler *autoscaler)
{
    const struct autoscaler_options *options = &autoscaler->options;
    return autoscaler->scale_down_forbidden ||
           autoscaler->last_scale_up + options->delay_after_add > autoscaler->now ||
           autoscaler->last_fail + options->delay_after_failure > autoscaler->now ||
           autoscaler->last_delete + options->delay_after_delete > autoscaler->now;
}

static void delete_nodes(struct cluster_autoscaler *autoscaler)
{
    struct loop_result *result = autoscaler->result;
    node_list empty = {0};
    node_list to_drain = {0};
    result->down = SCALE_DOWN_STARTED;
    if (autoscaler->options.parallel_drain)
        parallel_choose(autoscaler, &empty, &to_drain);
    else
        result->down = classic_choose(autoscaler, &empty, &to_drain);
    if (result->down == SCALE_DOWN_STARTED)
        result->down = start_deletion(autoscaler, &empty, &to_drain);
    if (result->down == SCALE_DOWN_STARTED) {
        autoscaler->has_deleted = true;
        autoscaler->last_delete = autoscaler->now;
        cluster_state_recalculate(autoscaler);
    } else if (result->down == SCALE_DOWN_ERROR) {
        autoscaler->has_failed = true;
        autoscaler->last_fail = autoscaler->now;
    } else if (result->down != SCALE_DOWN_IN_PROGRESS && autoscaler->options.max_soft_taints != 0) {
        update_soft_taints(autoscaler);
    }
}

static void report_nodes(struct cluster_autoscaler *autoscaler)
{
    struct loop_result *result = autoscaler->result;
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++) {
        const struct node_record *record = autoscaler->nodes.items[i].record;
        struct removed_node unneeded = {
            .node = record->name, .since = record->unneeded_since, .risky = record->risky};
        const struct unremovable_node unremovable = {record->name, record->reason, record->blocking,
                                                     record->blocking ? record->blocking_reason
                                                                      : BLOCKED_NOT};
        for (uint32_t p = 0; record->unneeded && p < record->pods_to_move_count; p++)
            VEC_PUSH(autoscaler->loop_arena, &unneeded.pods, record->pods_to_move[p]);
        if (record->unneeded)
            VEC_PUSH(autoscaler->loop_arena, &result->unneeded, unneeded);
        if (record->reason != REMOVABLE)
            VEC_PUSH(autoscaler->loop_arena, &result->unremovable, unremovable);
    }
}

void scale_down(struct cluster_autoscaler *autoscaler)
{
    node_list candidates = {0};
    autoscaler->result->down_reached = true;
    find_candidates(autoscaler, &candidates);
    if (autoscaler->options.parallel_drain)
        parallel_find_unneeded(autoscaler, &candidates);
    else
        classic_find_unneeded(autoscaler, &candidates);
    if (is_in_cooldown(autoscaler))
        autoscaler->result->down = SCALE_DOWN_IN_COOLDOWN;
    else
        delete_nodes(autoscaler);
    report_nodes(autoscaler);
}
