/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster autoscaler asks for nodes, in every way in which a loop of its can come out
 * (ask/scaling_loops.h). A loop comes every ten seconds: kubelets may be in the middle of their
 * work.
 *
 * A node that the provider did not create is given up, and its group backed off. The next loop
 * finds it so. How much longer it lasts is not known, because any time may pass: each further loop
 * may find it backed off still, or not.
 */
#include "cluster/actor_type.h"
#include "cluster/ask/scaling_loops.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/clock.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Is there anything that a loop would ask for nodes for? */
static bool may_grow(const struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct autoscaling *autoscaling = population->autoscaling;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (expansion->state->pending[r] > 0)
            return true;
    for (uint32_t n = 0; n < expansion->state->node_count; n++)
        if (config_condition(worker, expansion->state->nodes[n].config) == NODE_LEAVING)
            return true; /* its pods will need a place */
    for (uint32_t g = 0; autoscaling->options.enforce_min_size && g < autoscaling->group_count; g++)
        if (state_group_target(worker, expansion->state, g) < autoscaling->groups[g].least)
            return true;
    return false;
}

/* Has the scheduler tried all pods that wait? It has if prompt actors have nothing to do, or have
 * not begun to react to what has changed since then: then no pod was made since. */
static bool all_are_tried(const struct expansion *expansion)
{
    return expansion->rests || !expansion->prompts || expansion->state->early;
}

/* Nodes that are asked for, group by group. Where nodes of a group that are not there are told
 * apart (by their names, or because one is distinguished), any of them may come. */
struct growth {
    struct expansion *expansion;
    const struct scaling_outcome *outcome;
    struct happening happening;
};

static void ask_from(const struct growth *growth, const struct state *state, uint32_t entry,
                     uint32_t group, uint32_t count);

/* Asks for the nodes of the groups from this one on, and hands over what comes of it. */
static void ask_for_groups(const struct growth *growth, const struct state *state, uint32_t group)
{
    struct expansion *expansion = growth->expansion;
    const struct population *population = expansion->population;
    while (group < population->autoscaling->group_count && growth->outcome->added[group] == 0)
        group++;
    if (group < population->autoscaling->group_count) {
        ask_from(growth, state, 0, group, growth->outcome->added[group]);
        return;
    }
    struct state *next = state_copy(expansion->worker, state);
    if (notes_have_backoffs(population))
        next->notes[population->note_of_backoffs] &= BACKOFFS_OLD;
    if (population->clock)
        next->clocks.cooldown_left =
            greater(next->clocks.cooldown_left, population->clock->delay_after_add);
    expansion_emit(expansion, next, growth->happening);
}

/* So many nodes of the group, of the entries from this one on. */
static void ask_from(const struct growth *growth, const struct state *state, uint32_t entry,
                     uint32_t group, uint32_t count)
{
    struct worker *worker = growth->expansion->worker;
    const uint32_t entries = growth->expansion->state->node_count;
    while (entry < entries && (config_scaled_group(worker, state->nodes[entry].config) != group ||
                               config_condition(worker, state->nodes[entry].config) != NODE_ABSENT))
        entry++;
    if (count == 0) {
        ask_for_groups(growth, state, group + 1);
        return;
    }
    if (entry == entries)
        return; /* others have been asked for that are not enough */
    const uint32_t config = state->nodes[entry].config;
    const uint32_t most = state->nodes[entry].count < count ? state->nodes[entry].count : count;
    for (uint32_t asked = 0; asked <= most; asked++) {
        struct state *next = state_copy(worker, state);
        for (uint32_t i = 0; i < asked; i++)
            state_move_node(worker, next, entry, config_emptied(worker, config, NODE_ORDERED));
        ask_from(growth, next, entry + 1, group, count - asked);
    }
}

static void emit_growth(struct expansion *expansion, const struct scaling_outcome *outcome)
{
    struct growth growth = {expansion, outcome, happening_of(ACT_NODES_ADD)};
    for (uint32_t g = 0; g < expansion->population->autoscaling->group_count; g++)
        growth.happening.amount += outcome->added[g];
    growth.happening.revision = outcome->helped; /* only told: other pods may need the nodes, too */
    ask_for_groups(&growth, expansion->state, 0);
    expansion_note_unrest(expansion);
}

static void give_up(struct expansion *expansion, uint32_t entry)
{
    struct worker *worker = expansion->worker;
    const uint32_t config = expansion->state->nodes[entry].config;
    struct state *next = state_copy(worker, expansion->state);
    state_move_node(worker, next, entry, config_emptied(worker, config, NODE_ABSENT));
    next->notes[expansion->population->note_of_backoffs] |=
        BACKOFF_OF(config_scaled_group(worker, config)) |
        BACKOFF_NEW(config_scaled_group(worker, config));
    expansion_emit(expansion, next, happening_at(ACT_NODES_GIVE_UP, entry));
    expansion_note_unrest(expansion);
}

/* A loop that asks for nothing: who was backed off just before it may not be so after it. True if
 * that makes a difference. */
static bool emit_aging(struct expansion *expansion)
{
    const uint32_t note = expansion->population->note_of_backoffs;
    struct state *next = state_copy(expansion->worker, expansion->state);
    next->notes[note] &= BACKOFFS_OLD;
    if (next->notes[note] == expansion->state->notes[note])
        return false;
    expansion_emit(expansion, next, happening_of(ACT_BACKOFF_AGES));
    return true;
}

/* With clocks loops come in every instant: true if each of them does something. */
static bool scale_up(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    bool acts = false;
    bool idle = false;
    for (uint32_t n = 0; n < expansion->state->node_count; n++)
        if (config_condition(worker, expansion->state->nodes[n].config) == NODE_FAILED) {
            give_up(expansion, n);
            acts = true;
        }
    if (!may_grow(expansion))
        return acts;
    const struct scaling_outcomes *outcomes = scaling_outcomes(
        worker, expansion->state, all_are_tried(expansion) ? SCALING_LOOK_UP : SCALING_LOOK_EARLY);
    for (uint32_t i = 0; i < outcomes->items.count; i++)
        if (outcomes->items.items[i].adds)
            emit_growth(expansion, &outcomes->items.items[i]);
        else
            idle = true;
    const bool ages = idle && notes_have_backoffs(expansion->population) && emit_aging(expansion);
    return acts || ages || !idle;
}

static void step_scale_up(struct expansion *expansion)
{
    scale_up(expansion);
}

const struct actor actor_scale_up = {
    .name = "cluster autoscaler",
    .pace = PACE_PERIODIC,
    .step = step_scale_up,
    .step_due = scale_up,
    .writes = PART_NODES | PART_PODS | PART_NOTES | PART_CLOCKS,
};
