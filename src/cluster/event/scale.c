/* SPDX-License-Identifier: Apache-2.0 */
/* scale: the user gives a workload another number of replicas. */
#include "cluster/ask/support.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"

#include <string.h>

static void emit(struct expansion *expansion, const struct population_event *event)
{
    const uint32_t workload = event->workload;
    for (uint32_t i = 0; i < event->event->to_count; i++) {
        const int32_t replicas = event->event->to[i];
        if (expansion->state->present[workload] == WORKLOAD_ABSENT ||
            replicas == expansion->state->replicas[workload])
            continue;
        struct state *next = state_after_event(expansion, event);
        state_set_replicas(expansion->population, next, workload, replicas);
        expansion_emit(expansion, next,
                       happening_to(event->type->action, workload, (uint32_t)replicas));
    }
}

static void check(const struct support *support, const struct check_event *event)
{
    if (strcmp(event->object.kind, "DaemonSet") == 0)
        problem_error(support->problems, event->place, NULL,
                      "a DaemonSet cannot be scaled: it has as many pods as there are nodes for "
                      "them");
}

const struct event_type event_scale = {
    .action = ACT_EVENT_SCALE,
    .emit = emit,
    .check = check,
    .words = "the user scales",
    .traits = NEEDS_NO_READINESS | NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE | LEAVES_OBJECTS_ALONE |
              LEAVES_NODES_READY | LEAVES_PLACES_ALONE | LEAVES_ENDS_ALONE | LEAVES_WAITS_ALONE,
};
