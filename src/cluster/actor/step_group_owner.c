/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another owner of a group's size (GitOps, Terraform): whenever the size differs from what it
 * wants, it sets it back, one node after the other. The provider deletes any of the nodes, which
 * takes its pods along, or is asked for another one.
 */
#include "cluster/actor_type.h"
#include "cluster/ask/event_scope.h"
#include "cluster/emit.h"
#include "cluster/intent/victims.h"
#include "cluster/state/actions.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/node_reads.h"

static uint32_t size_of_group(struct worker *worker, const struct state *state,
                              const struct population_event *event)
{
    uint32_t size = 0;
    for (uint32_t n = 0; n < state->node_count; n++)
        if (event_concerns(worker, event, state->nodes[n].config) &&
            config_condition(worker, state->nodes[n].config) != NODE_ABSENT)
            size += node_count_exact(worker->catalog, state->nodes[n]);
    return size;
}

static uint64_t victims_on(struct worker *worker, uint32_t number)
{
    const struct node_config *config = config_at(worker, number);
    uint64_t victims = 0;
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        victims |=
            victims_of(worker->population, class_info(worker, config->pods[p].pod)->revision);
    return victims;
}

static void set_back(struct expansion *expansion, const struct population_event *event)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    const uint32_t size = size_of_group(worker, state, event);
    const uint32_t wanted = (uint32_t)event->event->to[0];
    for (uint32_t n = 0; size != wanted && n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        const bool absent = config_condition(worker, config) == NODE_ABSENT;
        if (!event_concerns(worker, event, config) || absent != (size < wanted))
            continue;
        struct happening happening = happening_at(absent ? ACT_GROUP_GROWS : ACT_GROUP_SHRINKS, n);
        happening.victims = victims_on(worker, config);
        expansion_emit_absence(expansion,
                               config_emptied(worker, config, absent ? NODE_ORDERED : NODE_ABSENT),
                               happening);
        expansion_note_unrest(expansion);
    }
}

static void step_group_owner(struct expansion *expansion)
{
    for (uint32_t e = 0; e < expansion->population->events.count; e++)
        if (expansion->population->events.items[e].event->kind == EVENT_GROUP_SIZE)
            set_back(expansion, &expansion->population->events.items[e]);
}

const struct actor actor_group_owner = {
    .name = "owner of a group's size",
    .pace = PACE_WATCHING,
    .step = step_group_owner,
    .writes = PART_NODES | PART_PODS | PART_NOMINATIONS,
};
