/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of events: each comes at any time, at most as often as the Check says. */
#include "cluster/event/step_events.h"
#include "cluster/actor_type.h"
#include "cluster/ask/event_conditions.h"
#include "cluster/ask/pods_on_node.h"
#include "cluster/emit.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/pool.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

/* An event that comes to nodes, which pods of the pool may be on. */
struct drawing {
    struct expansion *expansion;
    const struct population_event *event;
};

static void emit_from(struct expansion *expansion, const struct population_event *event,
                      const struct state *drawn)
{
    struct expansion after = *expansion;
    after.undrawn = drawn != expansion->state ? expansion->state : NULL;
    after.state = drawn;
    event->type->emit(&after, event);
    expansion->moved |= after.moved;
    expansion->unnoticed |= after.unnoticed;
    expansion->answered |= after.answered;
}

static void emit_after_draw(void *context, const struct state *drawn)
{
    const struct drawing *drawing = context;
    emit_from(drawing->expansion, drawing->event, drawn);
}

/* No node has more pods than fit there. */
static const uint32_t *most_by_entry(const struct expansion *expansion)
{
    const struct state *state = expansion->state;
    struct worker *worker = expansion->worker;
    uint32_t *most = ARENA_ARRAY(&worker->scratch, uint32_t, state->node_count + 1);
    for (uint32_t n = 0; n < state->node_count; n++)
        most[n] = pods_on_node(worker, state->nodes[n].config);
    return most;
}

/* First without pods on the nodes that the event comes to: so it is known whether these are noticed
 * one after the other. */
static void emit_drawn(struct expansion *expansion, const struct population_event *event)
{
    struct drawing drawing = {expansion, event};
    expansion->unnoticed = false;
    emit_from(expansion, event, expansion->state);
    const struct pool_nodes nodes = {event->event->topology_key,
                                     event->lost_together && !expansion->unnoticed,
                                     most_by_entry(expansion)};
    if (!pool_draw(expansion->worker, expansion->state, nodes, emit_after_draw, &drawing))
        expansion->worker->findings.overflowed = true;
}

/* Events are the last steps of an expansion, so `moved` is not read after them. */
static void emit_event(struct expansion *expansion, const struct population_event *event)
{
    expansion->moved = false;
    expansion->finite = event->uncounted;
    if (expansion->population->pools && event->workload == UINT32_MAX && event->effects.count == 0)
        emit_drawn(expansion, event);
    else
        event->type->emit(expansion, event);
    expansion->finite = false;
    expansion->worker->findings.uncounted |= event->uncounted;
    if (expansion->moved && event->number < 64)
        expansion->worker->findings.came |= UINT64_C(1) << event->number;
}

void step_events(struct expansion *expansion)
{
    const struct state *state = expansion->state;
    for (uint32_t e = 0; e < expansion->population->events.count; e++) {
        const struct population_event *event = &expansion->population->events.items[e];
        if (event->type->emit && !event->event->repeats &&
            (event->uncounted || state->event_used[e] < (uint32_t)event->event->at_most) &&
            (!event->event->after_settled || expansion->settled || state->settled_once) &&
            event_condition_allows(expansion->worker, state, event))
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
