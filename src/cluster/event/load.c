/* SPDX-License-Identifier: Apache-2.0 */
/* load: what all pods of a workload bear together changes. */
#include "base/text.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* The workload bears another of the totals from now on. */
static void emit(struct expansion *expansion, const struct population_event *event)
{
    const struct workload *workload = &expansion->population->workloads.items[event->workload];
    const uint32_t before = expansion->state->loads[workload->load - 1];
    for (uint32_t t = 0; t < event->event->total_count; t++) {
        const uint32_t now = event->first_level + t + 1;
        if (before > 0 && workload->totals.items[before - 1] == workload->totals.items[now - 1])
            continue;
        struct state *next = state_after_event(expansion, event);
        next->loads[workload->load - 1] = now;
        expansion_emit(expansion, next, happening_to(event->type->action, event->workload, t));
    }
}

static void add_levels(struct level_building *building, struct population_event *event)
{
    struct population *population = building->population;
    struct workload *workload = building->workload;
    if (workload->load == 0)
        workload->load = ++population->load_count;
    event->first_level = workload->totals.count;
    for (uint32_t t = 0; t < event->event->total_count; t++)
        VEC_PUSH(&population->arena, &workload->totals,
                 quantity_milli_value(event->event->totals[t]));
    if (!event->event->initial)
        return;
    VEC_PUSH(&population->arena, &workload->totals, quantity_milli_value(*event->event->initial));
    workload->first_total = workload->totals.count;
}

static void describe(const struct event_telling *telling, struct text *text)
{
    for (uint32_t w = 0; w < telling->worker->population->workloads.count; w++) {
        const struct workload *workload = &telling->worker->population->workloads.items[w];
        const uint32_t now = workload->load == 0 ? 0 : telling->to->loads[workload->load - 1];
        if (now > 0 && telling->from->loads[workload->load - 1] != now)
            text_printf(text, "the load of %s is %lldm of CPU from now on",
                        workload->setup->object->meta->name,
                        (long long)workload->totals.items[now - 1]);
    }
}

const struct event_type event_load = {
    .action = ACT_EVENT_LOAD,
    .emit = emit,
    .add_levels = add_levels,
    .describe = describe,
    .traits = LEAVES_SETS_ALONE | LEAVES_STARTS_ALONE | NEEDS_NO_READINESS | NEEDS_NO_USAGE |
              LEAVES_ADMISSION_ALONE | LEAVES_OBJECTS_ALONE | LEAVES_NODES_READY |
              LEAVES_PLACES_ALONE,
};
