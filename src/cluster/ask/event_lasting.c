/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/event_lasting.h"

#include "cluster/ask/effects.h"
#include "cluster/ask/event_scope.h"
#include "cluster/event_type.h"
#include "cluster/state/clock.h"
#include "cluster/state/conditions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

#include <string.h>

/* The condition that a node comes to without another event: once it is noticed, and tainted. */
static enum node_condition in_the_end(const struct population *population,
                                      enum node_condition condition)
{
    if (condition == NODE_LOST)
        return NODE_DOWN;
    if (condition == NODE_LOST_AWAY)
        return failed_condition(population);
    return condition_traits[condition_traits[condition].noticed].becomes;
}

/* Is a node of this config as the event leaves nodes? */
static bool bears_event(struct worker *worker, const struct population_event *event,
                        uint32_t config)
{
    const struct population *population = worker->population;
    const struct template_info *info = config_template(worker, config);
    if (event->type->pressure)
        return (info->pressures & event->type->pressure(event->event)) != 0;
    if (!event->type->condition)
        return info->condition == NODE_CORDONED || info->condition == NODE_AWAY;
    return in_the_end(population, info->condition) ==
           in_the_end(population, event_condition(population, event));
}

static bool a_node_bears_event(struct worker *worker, const struct state *state,
                               const struct population_event *event)
{
    for (uint32_t n = 0; n < state->node_count; n++)
        if (state->nodes[n].count > 0 && event_concerns(worker, event, state->nodes[n].config) &&
            bears_event(worker, event, state->nodes[n].config))
            return true;
    return false;
}

static bool an_effect_holds(const struct state *state, const struct population_event *event)
{
    for (uint32_t i = 0; i < event->effects.count; i++)
        if (effect_holds(state, &event->effects.items[i]))
            return true;
    return false;
}

static bool is_suspended(const struct population *population, const struct state *state,
                         const struct population_event *event)
{
    for (uint32_t c = 0; c < population->clock->cron_count; c++)
        if (state->clocks.crons[c].suspended &&
            object_name_matches(&event->event->object, population->clock->crons[c].setup->object))
            return true;
    return false;
}

/* A delete takes a node if its object is one. */
static bool takes_nodes(const struct population_event *event)
{
    const struct event_type *type = event->type;
    if (type->deletes_object)
        return strcmp(event->event->object.kind, "Node") == 0;
    return type->condition || type->pressure || type->counts_nodes_away;
}

bool event_lasts(struct worker *worker, const struct state *state,
                 const struct population_event *event)
{
    const struct event_type *type = event->type;
    if (!type->emit)
        return true;
    if (state->event_used[event->number] == 0)
        return false;
    if (type->suspends)
        return is_suspended(worker->population, state, event);
    if (takes_nodes(event))
        return a_node_bears_event(worker, state, event);
    return event->effects.count == 0 || an_effect_holds(state, event);
}
