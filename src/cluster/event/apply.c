/* SPDX-License-Identifier: Apache-2.0 */
/* apply: the user applies manifests, which gives workloads other specs or brings new ones.
 * Controllers that apply theirs again and again (`repeats`), and the user who takes it back
 * (`recovers`), are in step_applies.c. */
#include "cluster/ask/effects.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/state.h"

static void emit(struct expansion *expansion, const struct population_event *event)
{
    struct state *next = state_after_event(expansion, event);
    const uint32_t workload = effects_apply(expansion->worker, event, next,
                                            expansion->state->event_used[event->number] == 0);
    expansion_emit(expansion, next, happening_to(event->type->action, workload, 0));
}

const struct event_type event_apply = {
    .action = ACT_EVENT_APPLY,
    .emit = emit,
    .words = "the user applies a manifest",
    /* Rollouts go by readiness. */
    .traits = NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE | LEAVES_OBJECTS_ALONE | LEAVES_NODES_READY |
              LEAVES_PLACES_ALONE | LEAVES_ENDS_ALONE | LEAVES_WAITS_ALONE,
};
