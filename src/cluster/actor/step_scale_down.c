/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster autoscaler finds nodes that it does not need, taints them softly, and begins to
 * remove them, in every way in which a loop of its can come out (ask/scaling_loops.h).
 *
 * A node is removed when it was not needed for minutes in each loop, so what kubelets and other
 * controllers do in moments is done by then: it is removed only when the cluster rests. Without
 * clocks any time may have passed then, for each node another: any of the nodes that are not needed
 * may have been so for long enough. Whether soft taints are written depends on periods, too (none
 * are while nodes were added lately), so they may be missing.
 *
 * With clocks a loop comes in every instant. A node that it does not need is in another condition
 * from then on, and is removed when it is old enough in it.
 */
#include "cluster/actor/step_scale_times.h"
#include "cluster/actor_type.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/ask/scaling_loops.h"
#include "cluster/ask/scaling_picture.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/clock.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/nominations.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

/* Is there a group that may get smaller? */
static bool may_shrink(const struct expansion *expansion)
{
    const struct autoscaling *autoscaling = expansion->population->autoscaling;
    for (uint32_t g = 0; autoscaling->options.scale_down && g < autoscaling->group_count; g++)
        if (state_group_target(expansion->worker, expansion->state, g) >
            autoscaling->groups[g].least)
            return true;
    return false;
}

/* A node that works is tainted, and drained. The pods of one that does not work never leave it: it
 * is deleted at once if they have been told to, and cannot be drained otherwise. */
static uint32_t begin_removal(struct worker *worker, uint32_t config)
{
    if (condition_traits[config_condition(worker, config)].works)
        return config_marked(worker, config_without_nominations(worker, config), NODE_LEAVING);
    const struct node_config *of = config_at(worker, config);
    for (uint32_t p = 0; p < of->pod_entry_count; p++)
        if (!class_revision(worker, of->pods[p].pod)->pinned &&
            class_info(worker, of->pods[p].pod)->stage != STAGE_TERMINATING)
            return config;
    return config_emptied(worker, config, NODE_ABSENT);
}

/* False if no node is removed: those that are not Ready may have pods. */
static bool emit_removal(struct expansion *expansion, const struct scaling_outcome *outcome)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    struct state *next = state_copy(worker, state);
    struct happening happening = happening_of(ACT_NODES_REMOVE);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        const uint32_t removed = begin_removal(worker, config);
        for (uint32_t i = 0; i < outcome->removed[n] && removed != config; i++) {
            happening.node = happening.amount == 0 ? n : UINT32_MAX;
            happening.amount++;
            state_move_node(worker, next, n, removed);
        }
    }
    if (happening.amount == 0)
        return false;
    lifecycle_forget_taints(worker, next);
    if (expansion->population->clock && next->clocks.cooldown_left == 0)
        next->clocks.cooldown_left = expansion->population->clock->delay_after_delete;
    expansion_emit(expansion, next, happening);
    expansion_note_unrest(expansion);
    return true;
}

/* Nodes of the entry that one of the outcomes does not need, or all of them do. */
struct need {
    bool unneeded; /* in some outcome, one that is not needed */
    bool needed;   /* in some outcome, one that is */
};

static struct need need_for(const struct scaling_outcomes *outcomes, uint32_t entry, uint32_t count)
{
    struct need need = {0};
    for (uint32_t i = 0; i < outcomes->items.count; i++) {
        const struct scaling_outcome *outcome = &outcomes->items.items[i];
        if (!outcome->looked_down || outcome->removes)
            continue; /* soft taints are left as they are */
        need.unneeded |= outcome->unneeded[entry] > 0;
        need.needed |= outcome->unneeded[entry] < count;
    }
    return need;
}

static void emit_soft_taints(struct expansion *expansion, const struct scaling_outcomes *outcomes)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    if (expansion->population->autoscaling->options.max_soft_taints == 0)
        return;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const enum node_condition condition = config_condition(worker, state->nodes[n].config);
        if (!condition_is_up(condition))
            continue;
        const struct need need = need_for(outcomes, n, state->nodes[n].count);
        if (condition == NODE_UP && need.unneeded)
            expansion_emit_mark(expansion, n, NODE_CANDIDATE, ACT_NODE_UNNEEDED);
        else if (condition == NODE_CANDIDATE && need.needed)
            expansion_emit_mark(expansion, n, NODE_UP, ACT_NODE_NEEDED);
    }
}

/* An instance whose Node object somebody has deleted is not registered. After
 * --max-node-provision-time it is deleted, unless its group is as small as it may be. */
static bool collect_instances(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    bool any = false;
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const uint32_t config = expansion->state->nodes[n].config;
        if (!config_is_lost_instance(worker, config) ||
            config_entry_count(config_at(worker, config)) > 0 ||
            !state_group_is_above_min(worker, expansion->state,
                                      config_scaled_group(worker, config)) ||
            (expansion->population->clock && !instance_is_given_up(worker, expansion->state, n)))
            continue;
        expansion_emit_absence(expansion, config_emptied(worker, config, NODE_ABSENT),
                               happening_at(ACT_INSTANCE_REMOVED, n));
        expansion_note_unrest(expansion);
        any = true;
    }
    return any;
}

/* ---- with clocks ---- */

/* True if every loop removes nodes. */
static bool remove_nodes(struct expansion *expansion, const struct scaling_outcomes *outcomes)
{
    bool idle = false;
    for (uint32_t i = 0; i < outcomes->items.count; i++)
        idle |= !outcomes->items.items[i].removes ||
                !emit_removal(expansion, &outcomes->items.items[i]);
    return !idle;
}

static bool step_due(struct expansion *expansion)
{
    if (!expansion->rests)
        return false;
    const bool collects = collect_instances(expansion);
    const struct scaling_outcomes *outcomes =
        may_shrink(expansion)
            ? scaling_outcomes(expansion->worker, expansion->state, SCALING_LOOK_DOWN)
            : NULL;
    bool needed_again;
    const bool keeps = scale_down_keep_times(expansion, outcomes, &needed_again);
    return (outcomes && !needed_again && remove_nodes(expansion, outcomes)) || keeps || collects;
}

/* ---- without them ---- */

static void step_scale_down(struct expansion *expansion)
{
    collect_instances(expansion);
    if (!may_shrink(expansion))
        return;
    const struct scaling_outcomes *outcomes =
        scaling_outcomes(expansion->worker, expansion->state, SCALING_LOOK_DOWN);
    for (uint32_t i = 0; i < outcomes->items.count; i++)
        if (outcomes->items.items[i].removes)
            emit_removal(expansion, &outcomes->items.items[i]);
    emit_soft_taints(expansion, outcomes);
}

const struct actor actor_scale_down = {
    .name = "cluster autoscaler",
    .pace = PACE_SLOW,
    .step = step_scale_down,
    .step_due = step_due,
    .writes = PART_NODES | PART_PODS | PART_NOMINATIONS | PART_CLOCKS,
};
