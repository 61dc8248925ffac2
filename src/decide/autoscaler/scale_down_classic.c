/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The classic planner: every simulation begins with the same simulation, so that two nodes may
 * count on the same free place. Empty nodes are deleted together, others one at a time.
 */
#include "decide/autoscaler/node_removal.h"
#include "decide/autoscaler/scale_down.h"
#include "decide/autoscaler/usage_tracker.h"

#include <math.h>

/* Nothing to move and nothing that blocks, whatever controllers and budgets say. */
static bool is_empty(const struct cluster_autoscaler *autoscaler, const struct listed_node *node)
{
    pod_list pods;
    const struct autoscaler_pod *blocking;
    enum blocking_reason reason;
    return pods_to_move(autoscaler, autoscaler->simulation->nodes[node->position], NULL, &pods,
                        &blocking, &reason) &&
           pods.count == 0;
}

/* The empty nodes that can go together: no group falls below its minimum, nor does the cluster. */
static void find_empty(struct cluster_autoscaler *autoscaler, const node_list *nodes,
                       struct resources_left left, node_list *empty)
{
    int64_t *available = ARENA_ARRAY(autoscaler->loop_arena, int64_t, autoscaler->groups.count + 1);
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        const struct autoscaler_group *group = autoscaler->groups.items[i];
        available[i] = group->target - group->min - group->deleting;
    }
    for (uint32_t i = 0; i < nodes->count; i++) {
        const struct listed_node *node = nodes->items[i];
        bool cores;
        bool memory;
        if (available[node->group->position] <= 0 || !is_empty(autoscaler, node) ||
            resources_exceeded(&left, node->node, &cores, &memory))
            continue;
        resources_take(&left, node->node);
        available[node->group->position]--;
        VEC_PUSH(autoscaler->loop_arena, empty, node);
    }
}

static bool list_has(const node_list *list, const struct listed_node *node)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == node)
            return true;
    return false;
}

/* Of the first `count` nodes the first `most` successes become unneeded; failures are remembered.
 */
static uint32_t simulate_all(const struct removal_run *run, const node_list *nodes, uint32_t count,
                             int64_t most, struct unneeded_update *update)
{
    uint32_t found = 0;
    for (uint32_t i = 0; nodes->items && i < count; i++) {
        const struct listed_node *node = nodes->items[i];
        pod_list pods;
        if (!simulate_removal(run, node, &pods)) {
            note_unremovable(run->autoscaler, node->record);
        } else if (found < most) {
            unneeded_add(update, node->record, &pods, false);
            found++;
        }
    }
    return found;
}

static uint32_t pool_size(const struct cluster_autoscaler *autoscaler, uint32_t others)
{
    const double share =
        ceil((double)autoscaler->simulation->count * autoscaler->options.pool_ratio);
    int64_t size = share < UINT32_MAX ? (int64_t)share : UINT32_MAX;
    if (size < autoscaler->options.pool_min_count)
        size = autoscaler->options.pool_min_count;
    return size < others ? (uint32_t)(size > 0 ? size : 0) : others;
}

static void simulate_candidates(struct cluster_autoscaler *autoscaler,
                                const struct removal_run *run, const node_list *nodes,
                                struct unneeded_update *update)
{
    const int64_t most = autoscaler->options.candidates_count;
    node_list former = {0};
    node_list others = {0};
    for (uint32_t i = 0; i < nodes->count; i++) {
        if (most <= 0 || nodes->items[i]->record->unneeded)
            VEC_PUSH(autoscaler->loop_arena, &former, nodes->items[i]);
        else
            VEC_PUSH(autoscaler->loop_arena, &others, nodes->items[i]);
    }
    const uint32_t found = simulate_all(run, &former, former.count, former.count, update);
    if (others.count > 0 && most - found > 0)
        simulate_all(run, &others, pool_size(autoscaler, others.count), most - found, update);
}

void classic_find_unneeded(struct cluster_autoscaler *autoscaler, const node_list *candidates)
{
    bool *destinations =
        ARENA_ARRAY(autoscaler->loop_arena, bool, autoscaler->simulation->count + 1);
    const struct budget_list budgets = budgets_now(autoscaler);
    const struct removal_run run = {.autoscaler = autoscaler,
                                    .budgets = &budgets,
                                    .destinations = destinations,
                                    .placed = &autoscaler->result->placed};
    struct unneeded_update update = {.autoscaler = autoscaler};
    node_list eligible = {0};
    node_list empty = {0};
    node_list others = {0};
    usage_clean_up(autoscaler, autoscaler->now - autoscaler->options.unneeded_time);
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++)
        destinations[autoscaler->nodes.items[i].position] = true;
    filter_eligible(autoscaler, candidates, &eligible);
    find_empty(autoscaler, &eligible, (struct resources_left){0}, &empty);
    for (uint32_t i = 0; i < eligible.count; i++)
        if (!list_has(&empty, eligible.items[i]))
            VEC_PUSH(autoscaler->loop_arena, &others, eligible.items[i]);
    simulate_candidates(autoscaler, &run, &others, &update);
    for (uint32_t i = 0; i < empty.count; i++)
        unneeded_add(&update, empty.items[i]->record, &(pod_list){0}, false);
    unneeded_finish(&update);
    for (uint32_t i = 0; i < candidates->count; i++) {
        struct node_record *record = candidates->items[i]->record;
        if (!record->unneeded && record->reason == REMOVABLE)
            record->reason = UNREMOVABLE_OTHER;
    }
    hints_drop_old(&autoscaler->removal_hints);
}

/* Places may also be found on nodes that are still to come. */
static enum scale_down_result choose_one(struct cluster_autoscaler *autoscaler,
                                         const node_list *nodes, node_list *to_drain)
{
    const struct budget_list budgets = budgets_now(autoscaler);
    const struct removal_run run = {.autoscaler = autoscaler,
                                    .budgets = &budgets,
                                    .placed = &autoscaler->result->placed_at_delete};
    const struct listed_node *first = NULL;
    for (uint32_t i = 0; i < nodes->count; i++) {
        pod_list pods;
        if (simulate_removal(&run, nodes->items[i], &pods) && !first)
            first = nodes->items[i];
    }
    if (!first)
        return SCALE_DOWN_NO_NODE_DELETED;
    usage_remove_node(autoscaler, first->record);
    VEC_PUSH(autoscaler->loop_arena, to_drain, first);
    return SCALE_DOWN_STARTED;
}

static bool is_draining(const struct cluster_autoscaler *autoscaler)
{
    MAP_EACH (&autoscaler->records, entry)
        if (((const struct node_record *)entry->value)->deleting_drain)
            return true;
    return false;
}

enum scale_down_result classic_choose(struct cluster_autoscaler *autoscaler, node_list *empty,
                                      node_list *to_drain)
{
    struct resources_left left;
    node_list removable = {0};
    node_list draining = {0};
    node_list together = {0};
    if (is_draining(autoscaler))
        return SCALE_DOWN_IN_PROGRESS;
    left = resources_to_remove(autoscaler);
    find_removable(autoscaler, &left, &removable, &draining);
    for (uint32_t i = 0; i < draining.count; i++)
        VEC_PUSH(autoscaler->loop_arena, &removable, draining.items[i]);
    if (removable.count == 0)
        return SCALE_DOWN_NO_UNNEEDED;
    find_empty(autoscaler, &removable, left, &together);
    if (together.count == 0 || autoscaler->options.max_empty_bulk_delete <= 0)
        return choose_one(autoscaler, &removable, to_drain);
    for (uint32_t i = 0; i < together.count && i < autoscaler->options.max_empty_bulk_delete; i++) {
        usage_remove_node(autoscaler, together.items[i]->record);
        VEC_PUSH(autoscaler->loop_arena, empty, together.items[i]);
    }
    return SCALE_DOWN_STARTED;
}
