/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/node_removal.h"

#include "decide/autoscaler/every_outcome.h"
#include "decide/autoscaler/hidden_orders.h"
#include "decide/autoscaler/usage_tracker.h"

struct elsewhere {
    const bool *destinations;
    uint32_t removed; /* position of the node that goes */
};

static bool is_elsewhere(const void *context, uint32_t position)
{
    const struct elsewhere *elsewhere = context;
    return position != elsewhere->removed &&
           (!elsewhere->destinations || elsewhere->destinations[position]);
}

struct moving {
    const struct removal_run *run;
    const struct listed_node *node;
    const pod_list *pods;
    placed_list placed;
};

static uint64_t shape_of_pod(const struct cluster_autoscaler *autoscaler, const void *item)
{
    (void)autoscaler;
    return (*(const struct autoscaler_pod *const *)item)->shape;
}

/* Takes the pods off the node, in a fork, and puts them elsewhere as far as they fit. */
static void move_pods(void *context)
{
    struct moving *moving = context;
    struct cluster_autoscaler *autoscaler = moving->run->autoscaler;
    struct simulated_cluster *simulation = autoscaler->simulation;
    const struct elsewhere elsewhere = {moving->run->destinations, moving->node->position};
    const struct acceptable acceptable = {.accepts = is_elsewhere, .context = &elsewhere};
    const uint32_t count = moving->pods->count;
    const struct autoscaler_pod **pods =
        ARENA_ARRAY(autoscaler->loop_arena, const struct autoscaler_pod *, count + 1);
    moving->placed = (placed_list){0};
    simulation_fork(simulation);
    for (uint32_t i = 0; i < count; i++) {
        pods[i] = moving->pods->items[i];
        simulation_remove_pod(simulation, moving->node->position, pods[i]);
    }
    if (autoscaler->choices)
        orders_mix_kinds(autoscaler, pods, count, sizeof(*pods), shape_of_pod);
    hints_place(&autoscaler->removal_hints, simulation, pods, count, &acceptable, true,
                &moving->placed);
}

static void move_back(void *context)
{
    const struct moving *moving = context;
    simulation_revert(moving->run->autoscaler->simulation);
}

/* Where the pods went matters only if they stay there. */
static void tell_moves(void *context, struct text *text)
{
    const struct moving *moving = context;
    const bool found = moving->placed.count == moving->pods->count;
    text_printf(text, "%d ", found);
    if (found && moving->run->keeps)
        simulation_tell(moving->run->autoscaler->simulation, text);
}

static bool find_places(const struct removal_run *run, const struct listed_node *node,
                        const pod_list *pods, placed_list *placed)
{
    struct cluster_autoscaler *autoscaler = run->autoscaler;
    struct moving moving = {.run = run, .node = node, .pods = pods};
    trial_run(autoscaler, &(struct outcome_trial){move_pods, move_back, tell_moves, &moving});
    *placed = moving.placed;
    const bool found = placed->count == pods->count;
    if (found && run->keeps)
        simulation_commit(autoscaler->simulation);
    else
        simulation_revert(autoscaler->simulation);
    return found;
}

bool simulate_removal(const struct removal_run *run, const struct listed_node *node, pod_list *pods)
{
    struct cluster_autoscaler *autoscaler = run->autoscaler;
    struct node_record *record = node->record;
    struct simulated_removal removal = {.node = record->name};
    record->blocking = NULL;
    if (!pods_to_move(autoscaler, autoscaler->simulation->nodes[node->position], run->budgets, pods,
                      &record->blocking, &record->blocking_reason)) {
        record->reason = UNREMOVABLE_BLOCKED;
        return false;
    }
    record->blocking = NULL;
    if (!find_places(run, node, pods, &removal.pods)) {
        record->reason = UNREMOVABLE_NO_PLACE;
        return false;
    }
    for (uint32_t i = 0; i < removal.pods.count; i++)
        usage_register(autoscaler, record,
                       autoscaler_record(autoscaler, removal.pods.items[i].to_name),
                       autoscaler->now);
    VEC_PUSH(autoscaler->loop_arena, run->placed, removal);
    return true;
}
