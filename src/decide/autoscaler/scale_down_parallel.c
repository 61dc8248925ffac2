/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parallel planner: simulations build on each other. Pods that were moved stay where they are,
 * a node that was removed is no destination for the next, and budgets shrink.
 */
#include "decide/autoscaler/node_removal.h"
#include "decide/autoscaler/scale_down.h"

static bool is_being_deleted(const struct listed_node *node)
{
    return node->record->deleting_empty || node->record->deleting_drain;
}

void parallel_find_unneeded(struct cluster_autoscaler *autoscaler, const node_list *candidates)
{
    struct arena *arena = autoscaler->loop_arena;
    bool *destinations = ARENA_ARRAY(arena, bool, autoscaler->simulation->count + 1);
    struct budget_list budgets = budgets_now(autoscaler);
    const struct removal_run run = {.autoscaler = autoscaler,
                                    .budgets = &budgets,
                                    .destinations = destinations,
                                    .keeps = true,
                                    .placed = &autoscaler->result->placed};
    struct unneeded_update update = {.autoscaler = autoscaler};
    node_list remaining = {0};
    node_list eligible = {0};
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++)
        destinations[autoscaler->nodes.items[i].position] =
            !is_being_deleted(&autoscaler->nodes.items[i]);
    for (uint32_t i = 0; i < candidates->count; i++)
        if (!is_being_deleted(candidates->items[i]))
            VEC_PUSH(arena, &remaining, candidates->items[i]);
    simulation_fork(autoscaler->simulation);
    filter_eligible(autoscaler, &remaining, &eligible);
    for (uint32_t i = 0; i < eligible.count; i++) {
        const struct listed_node *node = eligible.items[i];
        pod_list pods;
        if (!simulate_removal(&run, node, &pods)) {
            note_unremovable(autoscaler, node->record);
            continue;
        }
        unneeded_add(&update, node->record, &pods, budgets_are_exceeded(&budgets, &pods));
        destinations[node->position] = false;
        budgets_take(&budgets, &pods);
    }
    simulation_revert(autoscaler->simulation);
    unneeded_finish(&update);
    hints_drop_old(&autoscaler->removal_hints);
}

static void take(struct cluster_autoscaler *autoscaler, const node_list *from, int64_t most,
                 node_list *empty, node_list *to_drain)
{
    for (uint32_t i = 0; i < from->count; i++) {
        if (empty->count + to_drain->count >= most)
            return;
        if (from->items[i]->record->pods_to_move_count > 0)
            VEC_PUSH(autoscaler->loop_arena, to_drain, from->items[i]);
        else
            VEC_PUSH(autoscaler->loop_arena, empty, from->items[i]);
    }
}

/* Empty nodes first, and those whose drain may fail last. */
void parallel_choose(struct cluster_autoscaler *autoscaler, node_list *empty, node_list *to_drain)
{
    const struct resources_left left = resources_to_remove(autoscaler);
    const int64_t most = autoscaler->options.max_parallelism;
    node_list removable = {0};
    node_list draining = {0};
    node_list safe = {0};
    node_list risky = {0};
    find_removable(autoscaler, &left, &removable, &draining);
    for (uint32_t i = 0; i < draining.count; i++)
        VEC_PUSH(autoscaler->loop_arena, draining.items[i]->record->risky ? &risky : &safe,
                 draining.items[i]);
    take(autoscaler, &removable, most, empty, to_drain);
    take(autoscaler, &safe, most, empty, to_drain);
    take(autoscaler, &risky, most, empty, to_drain);
}
