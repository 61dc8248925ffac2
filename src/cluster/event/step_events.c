/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of events: each comes at any time, at most as often as the Check says. */
#include "cluster/event/step_events.h"
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

/* Events are the last steps of an expansion, so `moved` is not read after them. */
static void emit_event(struct expansion *expansion, const struct population_event *event)
{
    expansion->moved = false;
    event->type->emit(expansion, event);
    if (expansion->moved && event->number < 64)
        expansion->worker->findings.came |= UINT64_C(1) << event->number;
}

void step_events(struct expansion *expansion)
{
    const struct state *state = expansion->state;
    for (uint32_t e = 0; e < expansion->population->events.count; e++) {
        const struct population_event *event = &expansion->population->events.items[e];
        if (event->type->emit && !event->event->repeats &&
            state->event_used[e] < (uint32_t)event->event->at_most &&
            (!event->event->after_settled || expansion->settled || state->settled_once))
            emit_event(expansion, event);
    }
}

static void step_rules(struct expansion *expansion)
{
    for (uint32_t e = 0; e < expansion->population->events.count; e++) {
        const struct population_event *event = &expansion->population->events.items[e];
        if (event->type->follow)
            event->type->follow(expansion, event);
    }
}

const struct actor actor_rule = {
    .name = "rules of the Check",
    .step = step_rules,
};
