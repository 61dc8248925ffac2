/* SPDX-License-Identifier: Apache-2.0 */
/* The conditions of nodes, and which of them the events can bring about. */
#include "cluster/state/conditions.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"

const struct condition_traits condition_traits[NODE_CONDITION_COUNT] = {
#define CONDITION(constant, word, ready, works, evicts, reached, returns, becomes, noticed) \
    [constant] = {word, ready, works, evicts, reached, returns, becomes, noticed},
#include "cluster/state/conditions.def"
#undef CONDITION
};

enum node_condition failed_condition(const struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].type->counts_nodes_away)
            return NODE_REPAIRED;
    return NODE_AWAY;
}

enum node_condition event_condition(const struct population *population,
                                    const struct population_event *event)
{
    return event->type->condition(population, event->event, population->taints_late);
}

enum node_condition condition_unnoticed(enum node_condition condition)
{
    for (int c = 0; c < NODE_CONDITION_COUNT; c++)
        if (condition_traits[c].noticed == condition && c != (int)condition)
            return (enum node_condition)c;
    return condition;
}

bool condition_is_possible(const struct population *population, enum node_condition condition)
{
    if (condition <= NODE_AWAY || (condition == NODE_DOWN_UNTAINTED && population->taints_late))
        return true;
    if (condition == NODE_POOL)
        return population->pools;
    if (condition >= NODE_CANDIDATE && condition <= NODE_ABSENT)
        return population->autoscaling != NULL;
    if (condition == NODE_UNNEEDED)
        return population->autoscaling && population->clock;
    if (condition == NODE_REPAIRED)
        return failed_condition(population) == NODE_REPAIRED;
    if (condition == NODE_LOST || condition == NODE_LOST_AWAY)
        return population->clock != NULL;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (!event->type->condition)
            continue;
        const enum node_condition untainted =
            event->type->condition(population, event->event, true);
        if (condition == untainted || condition == condition_traits[untainted].becomes ||
            (condition == condition_unnoticed(untainted) && population->taints_late &&
             !event_has(event, TAKES_ONE_NODE)))
            return true;
    }
    return false;
}
