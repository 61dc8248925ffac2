/* SPDX-License-Identifier: Apache-2.0 */
/* kernelPanic: a rule by which a node goes down when its CPU usage is above a limit,
 * and comes up again. */
#include "cluster/ask/event_scope.h"
#include "cluster/ask/usage.h"
#include "cluster/emit.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/conditions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

static void follow(struct expansion *expansion, const struct population_event *event)
{
    struct worker *worker = expansion->worker;
    const enum node_condition down =
        expansion->population->clock ? NODE_LOST_AWAY : failed_condition(expansion->population);
    const struct usage usage = usage_of(worker, expansion->state);
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const struct node_config *node = state_config(worker, expansion->state, n);
        if (condition_is_in_use(config_condition(worker, node->id)) &&
            event_concerns(worker, event, node->id) &&
            node_cpu_used(&usage, node) >
                level_amount(&event->event->above_cpu, node->template->allocatable.cpu_milli))
            expansion_emit_condition(expansion, n, down, ACT_PANIC);
    }
}

const struct event_type event_kernel_panic = {
    .follow = follow,
    .traits = NEEDS_NO_READINESS | LEAVES_ADMISSION_ALONE | LEAVES_OBJECTS_ALONE | NODES_RETURN,
};
