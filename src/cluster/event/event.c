/* SPDX-License-Identifier: Apache-2.0 */
/* What the steps of all events have in common. */
#include "cluster/event/event.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/emit.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/state.h"

struct state *state_after_event(struct expansion *expansion, const struct population_event *event)
{
    struct state *next = state_copy(expansion->worker, expansion->state);
    next->event_used[event->number] += !event->uncounted || next->event_used[event->number] == 0;
    /* What waits for the first settling comes when all pods have started. */
    next->bound &= !(event->event->after_settled && expansion->settles);
    return next;
}

void event_emit(struct expansion *expansion, const struct population_event *event,
                struct state *next, uint32_t entry)
{
    struct happening happening = happening_at(event->type->action, entry);
    happening.amount = 1;
    lifecycle_forget_taints(expansion->worker, next);
    expansion_emit(expansion, next, happening);
}

void event_emit_node(struct expansion *expansion, const struct population_event *event,
                     uint32_t entry, uint32_t config)
{
    struct state *next = state_after_event(expansion, event);
    state_move_node(expansion->worker, next, entry, config);
    event_emit(expansion, event, next, entry);
}
