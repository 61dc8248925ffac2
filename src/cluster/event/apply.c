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

static void emit(struct expansion *expansion, uint32_t number)
{
    struct state *next = state_after_event(expansion, number);
    struct happening happening = event_happening(expansion, number, UINT32_MAX, UINT32_MAX, 0);
    happening.workload =
        effects_apply(expansion->worker, &expansion->population->events.items[number], next,
                      expansion->state->event_used[number] == 0);
    expansion_emit(expansion, next, happening);
}

const struct event_type event_apply = {
    .action = ACT_EVENT_APPLY,
    .emit = emit,
    .words = "the user applies a manifest",
    /* Rollouts go by readiness. */
    .traits = NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE | LEAVES_OBJECTS_ALONE | LEAVES_NODES_READY,
};
