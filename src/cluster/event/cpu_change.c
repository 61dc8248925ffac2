/* SPDX-License-Identifier: Apache-2.0 */
/* cpuChange: one pod of a workload uses another amount of CPU from now on. */
#include "base/text.h"
#include "cluster/ask/usage.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

static void emit(struct expansion *expansion, const struct population_event *event)
{
    struct worker *worker = expansion->worker;
    const uint32_t end = event->first_level + event->event->level_count;
    for (struct pod_walk pods = pods_on_nodes(worker, expansion->state); pods_next(&pods);) {
        if (pods.info->stage != STAGE_READY ||
            class_revision(worker, pods.class)->workload != event->workload)
            continue;
        for (uint32_t l = event->first_level; l < end; l++) {
            if (l == pods.info->level)
                continue;
            struct state *next = state_after_event(expansion, event);
            struct happening happening = happening_to(event->type->action, event->workload, l);
            const uint32_t to = class_like(worker, pods.info, STAGE_READY, l);
            state_move_node(worker, next, pods.entry,
                            config_replace(worker, pods.config->id, pods.class, to));
            happening.node = pods.entry;
            expansion_emit(expansion, next, happening);
        }
    }
}

static void add_levels(struct level_building *building, struct population_event *event)
{
    event->first_level = building->levels.count;
    for (uint32_t l = 0; l < event->event->level_count; l++) {
        const struct pod_level level = {
            level_amount(&event->event->levels[l], building->request_milli)};
        VEC_PUSH(&building->population->arena, &building->levels, level);
    }
}

static void describe(const struct event_telling *telling, struct text *text)
{
    const struct population *population = telling->worker->population;
    text_printf(text, "the CPU usage of one pod on %s changes", telling->node);
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (telling->amount < population->workloads.items[w].level_count) {
            text_printf(
                text, " to %lldm",
                (long long)population->workloads.items[w].levels[telling->amount].cpu_milli);
            return;
        }
}

const struct event_type event_cpu_change = {
    .action = ACT_EVENT_CPU,
    .emit = emit,
    .add_levels = add_levels,
    .describe = describe,
    .traits = LEAVES_SETS_ALONE | LEAVES_STARTS_ALONE | NEEDS_NO_READINESS | NEEDS_NO_USAGE |
              LEAVES_ADMISSION_ALONE | LEAVES_OBJECTS_ALONE | LEAVES_NODES_READY,
};
