/* SPDX-License-Identifier: Apache-2.0 */
/* What the steps of all events have in common. */
#include "cluster/event/event.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/emit.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/state.h"

struct state *state_after_event(struct expansion *expansion, uint32_t number)
{
    const struct check_event *event = expansion->population->events.items[number].event;
    struct state *next = state_copy(expansion->worker, expansion->state);
    next->event_used[number]++;
    /* What waits for the first settling comes when all pods have started. */
    next->bound &= !(event->after_settled && expansion->settles);
    return next;
}

struct happening event_happening(const struct expansion *expansion, uint32_t number,
                                 uint32_t workload, uint32_t node, uint32_t amount)
{
    return (struct happening){.action = expansion->population->events.items[number].type->action,
                              .workload = workload,
                              .revision = UINT32_MAX,
                              .node = node,
                              .amount = amount,
                              .event = number};
}

void event_emit_node(struct expansion *expansion, uint32_t number, uint32_t entry, uint32_t config)
{
    struct state *next = state_after_event(expansion, number);
    state_move_node(expansion->worker, next, entry, config);
    expansion_emit(expansion, next, event_happening(expansion, number, UINT32_MAX, entry, 1));
}

void event_emit_condition(struct expansion *expansion, uint32_t number, uint32_t entry,
                          uint32_t config)
{
    struct state *next = state_after_event(expansion, number);
    state_move_node(expansion->worker, next, entry, config);
    lifecycle_forget_taints(expansion->worker, next);
    expansion_emit(expansion, next, event_happening(expansion, number, UINT32_MAX, entry, 1));
}
