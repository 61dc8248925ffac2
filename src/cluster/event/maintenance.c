/* SPDX-License-Identifier: Apache-2.0 */
/* maintenance: a node is taken out of service, drained first if that is asked for
 * (step_drains), and comes back. */
#include "base/text.h"
#include "cluster/ask/event_scope.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

static void emit(struct expansion *expansion, const struct population_event *event)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    const enum node_condition taken = event->event->drain ? NODE_CORDONED : NODE_AWAY;
    int64_t busy = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const enum node_condition condition = config_condition(worker, state->nodes[n].config);
        if (condition == NODE_CORDONED || condition == NODE_AWAY)
            busy += state->nodes[n].count;
    }
    for (uint32_t n = 0; busy < event->event->concurrent && n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        if (condition_is_up(config_condition(worker, config)) &&
            event_concerns(worker, event, config))
            event_emit_node(expansion, event, n, config_with_condition(worker, config, taken));
    }
}

static void describe(const struct event_telling *telling, struct text *text)
{
    text_printf(text, "maintenance begins on %s", telling->node);
}

const struct event_type event_maintenance = {
    .action = ACT_EVENT_MAINTENANCE,
    .emit = emit,
    .counts_nodes_away = true,
    .describe = describe,
    /* Drains go by readiness, because budgets do. */
    .traits = NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE | LEAVES_OBJECTS_ALONE | TAKES_ONE_NODE |
              NODES_RETURN | NOTICED_AT_ONCE | BOUNDS_ITSELF | LEAVES_ENDS_ALONE |
              LEAVES_WAITS_ALONE,
};
