/* SPDX-License-Identifier: Apache-2.0 */
/* nodePressure: a node that is up runs low of memory, disk or processes. What its kubelet
 * does about it is in step_pressure.c. */
#include "base/text.h"
#include "cluster/ask/event_scope.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "decide/controller/kubelet.h"

static uint32_t pressure(const struct check_event *event)
{
    static const enum kubelet_pressure pressures[] = {
        [PRESSURE_MEMORY] = KUBELET_MEMORY_PRESSURE,
        [PRESSURE_DISK] = KUBELET_DISK_PRESSURE,
        [PRESSURE_PID] = KUBELET_PID_PRESSURE,
    };
    return pressures[event->condition];
}

static void emit(struct expansion *expansion, const struct population_event *event)
{
    struct worker *worker = expansion->worker;
    const uint32_t pressures = pressure(event->event);
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const uint32_t config = expansion->state->nodes[n].config;
        const struct template_info *info = config_template(worker, config);
        if (!condition_is_in_use(info->condition) || info->pressures != 0 ||
            !event_concerns(worker, event, config))
            continue;
        const struct node_kind *kind = &expansion->population->node_kinds.items[info->node];
        event_emit_node(
            expansion, event, n,
            config_on(worker, config,
                      kind_pressed(kind, info->condition, pressures, event->event->recovers)));
    }
}

static void describe(const struct event_telling *telling, struct text *text)
{
    text_printf(text, "%s runs low", telling->node);
}

const struct event_type event_node_pressure = {
    .action = ACT_EVENT_PRESSURE,
    .emit = emit,
    .pressure = pressure,
    .describe = describe,
    .traits = NEEDS_NO_READINESS | NEEDS_NO_USAGE | LEAVES_OBJECTS_ALONE | LEAVES_NODES_READY,
};
