/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With clocks: since when the cluster autoscaler does not need a node. The node is in a condition
 * of its own from the first loop on that finds it so, and as old as it is in that condition.
 */
#include "cluster/actor/step_scale_times.h"
#include "cluster/ask/scaling_loops.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

/* Is some node of the entry not needed in some loop? If all groups are as small as they may be,
 * there are no outcomes, and none is. */
static bool may_be_spared(const struct scaling_outcomes *outcomes, uint32_t entry)
{
    for (uint32_t i = 0; outcomes && i < outcomes->items.count; i++)
        if (outcomes->items.items[i].looked_down && outcomes->items.items[i].unneeded[entry] > 0)
            return true;
    return false;
}

/* Does every loop come so far as to look? */
static bool all_look(const struct scaling_outcomes *outcomes)
{
    for (uint32_t i = 0; outcomes && i < outcomes->items.count; i++)
        if (!outcomes->items.items[i].looked_down)
            return false;
    return true;
}

/* Does every loop find a node whose time has to begin? */
static bool all_begin_one(struct expansion *expansion, const struct scaling_outcomes *outcomes)
{
    for (uint32_t i = 0; outcomes && i < outcomes->items.count; i++) {
        bool begins = false;
        for (uint32_t n = 0; n < expansion->state->node_count; n++)
            begins |=
                outcomes->items.items[i].unneeded[n] > 0 &&
                config_condition(expansion->worker, expansion->state->nodes[n].config) == NODE_UP;
        if (!begins)
            return false;
    }
    return outcomes && all_look(outcomes);
}

static void emit_taint(struct expansion *expansion, uint32_t entry)
{
    const uint32_t config = expansion->state->nodes[entry].config;
    if (expansion->population->autoscaling->options.max_soft_taints > 0 &&
        expansion->state->clocks.cooldown_left == 0)
        expansion_emit_node(expansion,
                            config_keeping_age(expansion->worker, config, NODE_CANDIDATE),
                            happening_at(ACT_NODE_UNNEEDED, entry));
}

bool scale_down_keep_times(struct expansion *expansion, const struct scaling_outcomes *outcomes)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    const bool look = all_look(outcomes);
    bool due = all_begin_one(expansion, outcomes);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const enum node_condition condition = config_condition(worker, state->nodes[n].config);
        if (!condition_is_up(condition) ||
            config_scaled_group(worker, state->nodes[n].config) == UINT32_MAX)
            continue;
        const bool spared = may_be_spared(outcomes, n);
        if (condition == NODE_UP && spared) {
            expansion_emit_condition(expansion, n, NODE_UNNEEDED, ACT_NODE_IDLE);
        } else if (condition_is_unneeded(condition) && !spared && look) {
            expansion_emit_condition(expansion, n, NODE_UP,
                                     condition == NODE_CANDIDATE ? ACT_NODE_NEEDED : ACT_NODE_BUSY);
            due = true;
        }
        if (condition == NODE_UNNEEDED && spared)
            emit_taint(expansion, n);
    }
    return due;
}
