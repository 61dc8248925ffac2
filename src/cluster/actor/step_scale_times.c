/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With clocks: since when the cluster autoscaler does not need a node. The node is in a condition
 * of its own from the first loop on that finds it so, and as old as it is in that condition.
 */
#include "cluster/actor/step_scale_times.h"
#include "cluster/ask/scaling_loops.h"
#include "cluster/ask/scaling_picture.h"
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

static bool any_looks(const struct scaling_outcomes *outcomes)
{
    for (uint32_t i = 0; outcomes && i < outcomes->items.count; i++)
        if (outcomes->items.items[i].looked_down)
            return true;
    return !outcomes;
}

/* ---- loops that do without all that the one before did not need ---- */

static enum node_condition condition_of(const struct expansion *expansion, uint32_t entry)
{
    return config_condition(expansion->worker, expansion->state->nodes[entry].config);
}

static bool spares_all_of(const struct expansion *expansion, const struct scaling_outcome *outcome,
                          uint32_t entry)
{
    return outcome->unneeded[entry] >= expansion->state->nodes[entry].count;
}

static bool goes_on(const struct expansion *expansion, const struct scaling_outcome *outcome)
{
    for (uint32_t n = 0; n < expansion->state->node_count; n++)
        if (condition_is_unneeded(condition_of(expansion, n)) &&
            !spares_all_of(expansion, outcome, n))
            return false;
    return outcome->looked_down;
}

static bool any_goes_on(const struct expansion *expansion, const struct scaling_outcomes *outcomes)
{
    for (uint32_t i = 0; outcomes && i < outcomes->items.count; i++)
        if (goes_on(expansion, &outcomes->items.items[i]))
            return true;
    return false;
}

/* Loops look at empty nodes before all others, and then at those that the one before did not need.
 */
static bool may_begin(const struct expansion *expansion, const struct scaling_outcomes *outcomes,
                      uint32_t entry)
{
    const uint32_t config = expansion->state->nodes[entry].config;
    const bool first = !config_has_movers(expansion->worker, config_at(expansion->worker, config));
    for (uint32_t i = 0; outcomes && i < outcomes->items.count; i++) {
        const struct scaling_outcome *outcome = &outcomes->items.items[i];
        if (outcome->looked_down && outcome->unneeded[entry] > 0 &&
            (first || goes_on(expansion, outcome)))
            return true;
    }
    return false;
}

/* Where every loop needs one of the nodes again that the one before did not need, it may be any
 * that some loop needs. Empty ones are looked at before. */
static bool may_end(const struct expansion *expansion, const struct scaling_outcomes *outcomes,
                    uint32_t entry)
{
    const uint32_t config = expansion->state->nodes[entry].config;
    if (!may_be_spared(outcomes, entry))
        return true;
    if (!config_has_movers(expansion->worker, config_at(expansion->worker, config)) ||
        any_goes_on(expansion, outcomes))
        return false;
    for (uint32_t i = 0; i < outcomes->items.count; i++)
        if (outcomes->items.items[i].looked_down &&
            !spares_all_of(expansion, &outcomes->items.items[i], entry))
            return true;
    return false;
}

/* Does every loop find a node whose time has to begin? */
static bool all_begin_one(const struct expansion *expansion,
                          const struct scaling_outcomes *outcomes)
{
    for (uint32_t i = 0; outcomes && i < outcomes->items.count; i++) {
        const struct scaling_outcome *outcome = &outcomes->items.items[i];
        bool begins = !goes_on(expansion, outcome);
        for (uint32_t n = 0; n < expansion->state->node_count; n++)
            begins |= outcome->unneeded[n] > 0 && condition_of(expansion, n) == NODE_UP;
        if (!begins)
            return false;
    }
    return all_look(outcomes) && any_goes_on(expansion, outcomes);
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

bool scale_down_keep_times(struct expansion *expansion, const struct scaling_outcomes *outcomes,
                           bool *needed_again)
{
    const struct state *state = expansion->state;
    const bool look = all_look(outcomes);
    const bool some_look = any_looks(outcomes);
    *needed_again = false;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const enum node_condition condition = condition_of(expansion, n);
        if (!condition_is_up(condition) ||
            config_scaled_group(expansion->worker, state->nodes[n].config) == UINT32_MAX)
            continue;
        if (condition == NODE_UP && may_begin(expansion, outcomes, n)) {
            expansion_emit_condition(expansion, n, NODE_UNNEEDED, ACT_NODE_IDLE);
        } else if (condition_is_unneeded(condition) && some_look &&
                   may_end(expansion, outcomes, n)) {
            expansion_emit_condition(expansion, n, NODE_UP,
                                     condition == NODE_CANDIDATE ? ACT_NODE_NEEDED : ACT_NODE_BUSY);
            *needed_again = look;
        }
        if (condition == NODE_UNNEEDED && may_be_spared(outcomes, n))
            emit_taint(expansion, n);
    }
    return *needed_again || all_begin_one(expansion, outcomes);
}
