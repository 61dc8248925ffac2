/* SPDX-License-Identifier: Apache-2.0 */
/* kernelPanic: a rule by which a node that works harder than it can stand goes down and
 * comes up again. */
#include "cluster/ask/event_scope.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/ask/usage.h"
#include "cluster/emit.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/conditions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

static void panic(struct expansion *expansion, uint32_t entry)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    struct state *next = state_copy(worker, expansion->state);
    state_move_node(
        worker, next, entry,
        config_with_condition(worker, next->nodes[entry].config,
                              population->clock ? NODE_LOST_AWAY : failed_condition(population)));
    lifecycle_forget_taints(worker, next);
    expansion_emit(expansion, next, happening_at(ACT_PANIC, entry));
}

static void follow(struct expansion *expansion, uint32_t number)
{
    struct worker *worker = expansion->worker;
    const struct check_event *event = expansion->population->events.items[number].event;
    const struct usage usage = usage_of(worker, expansion->state);
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const struct node_config *node = state_config(worker, expansion->state, n);
        if (config_condition(worker, node->id) == NODE_UP &&
            event_concerns(worker, event, node->id) &&
            node_cpu_used(&usage, node) >
                level_amount(&event->above_cpu, node->template->allocatable.cpu_milli))
            panic(expansion, n);
    }
}

const struct event_type event_kernel_panic = {
    .follow = follow,
    .traits = NEEDS_NO_READINESS | LEAVES_ADMISSION_ALONE | LEAVES_OBJECTS_ALONE | NODES_RETURN,
};
