/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cloud provider: nodes that the cluster autoscaler asked for register, and are Ready at once.
 * That takes minutes, so the cluster may rest meanwhile. A group whose capacity is exhausted gets
 * no more nodes (event/provisioning.c).
 */
#include "cluster/actor_type.h"
#include "cluster/ask/event_scope.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

static bool is_exhausted(const struct expansion *expansion, uint32_t config)
{
    const struct population *population = expansion->population;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (event->event->kind == EVENT_CAPACITY_EXHAUSTED && expansion->state->event_used[e] > 0 &&
            event_concerns(expansion->worker, event, config))
            return true;
    }
    return false;
}

/* When all nodes have come that were asked for, the scale-up has succeeded, and the back-off of the
 * group is forgotten. */
static void forget_backoff(struct worker *worker, struct state *next, uint32_t group)
{
    const struct population *population = worker->population;
    if (!notes_have_backoffs(population))
        return;
    for (uint32_t n = 0; n < next->node_count; n++)
        if (next->nodes[n].count > 0 &&
            config_scaled_group(worker, next->nodes[n].config) == group &&
            (config_condition(worker, next->nodes[n].config) == NODE_ORDERED ||
             config_condition(worker, next->nodes[n].config) == NODE_FAILED))
            return;
    next->notes[population->note_of_backoffs] &= ~(BACKOFF_OF(group) | BACKOFF_NEW(group));
}

static void step_provider(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const uint32_t config = expansion->state->nodes[n].config;
        if (config_condition(worker, config) != NODE_ORDERED)
            continue;
        struct state *next = state_copy(worker, expansion->state);
        const bool exhausted = is_exhausted(expansion, config);
        state_move_node(worker, next, n,
                        config_with_condition(worker, config, exhausted ? NODE_FAILED : NODE_UP));
        if (!exhausted) {
            forget_backoff(worker, next, config_scaled_group(worker, config));
            state_note_template(worker->population, next, config_scaled_group(worker, config));
        }
        expansion_emit(expansion, next,
                       happening_at(exhausted ? ACT_NODE_FAILS_TO_COME : ACT_NODE_JOINS, n));
    }
}

const struct actor actor_provider = {
    .name = "cloud provider",
    .pace = PACE_LAZY,
    .step = step_provider,
    .writes = PART_NODES | PART_PODS | PART_NOTES,
};
