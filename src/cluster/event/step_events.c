/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of events: each comes at any time, at most as often as the Check says. */
#include "cluster/event/step_events.h"
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "decide/controller/disruption.h"
#include "decide/controller/eviction.h"

#include <string.h>

void step_events(struct expansion *expansion, bool settled)
{
    const struct population *population = expansion->population;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        const struct event_type *type = population->events.items[e].type;
        if (!type->emit || event->repeats ||
            expansion->state->event_used[e] >= (uint32_t)event->at_most ||
            (event->after_settled && !settled && !expansion->state->settled_once))
            continue;
        type->emit(expansion, e);
    }
}

static void step_rules(struct expansion *expansion)
{
    const struct population *population = expansion->population;
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].type->follow)
            population->events.items[e].type->follow(expansion, e);
}

static bool has_rules(const struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].type->follow)
            return true;
    return false;
}

const struct actor actor_rule = {
    .name = "rules of the Check",
    .is_present = has_rules,
    .step = step_rules,
};
