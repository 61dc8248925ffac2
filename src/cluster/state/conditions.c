/* SPDX-License-Identifier: Apache-2.0 */
/* The conditions of nodes, and which of them the events can bring about. */
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"

#include <string.h>

const struct condition_traits condition_traits[NODE_CONDITION_COUNT] = {
#define CONDITION(constant, word, ready, works, evicts, reached, returns, becomes) \
    [constant] = {word, ready, works, evicts, reached, returns, becomes},
#include "cluster/state/conditions.def"
#undef CONDITION
};

enum node_condition failed_condition(const struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].event->kind == EVENT_MAINTENANCE)
            return NODE_REPAIRED;
    return NODE_AWAY;
}

static enum node_condition taken_by(const struct population *population,
                                    const struct check_event *event, bool doubt)
{
    const bool clocked = population->clock != NULL;
    if (event->kind == EVENT_PARTITION && event->from == PARTITION_CLIENTS)
        return event->recovers ? NODE_CUT_AWHILE : NODE_CUT;
    if (clocked)
        return event->recovers ? NODE_LOST_AWAY : NODE_LOST;
    if (event->kind == EVENT_PARTITION && event->from == PARTITION_CONTROL_PLANE)
        return event->recovers ? NODE_PARTED_AWHILE : doubt ? NODE_PARTED_DOUBTED : NODE_PARTED;
    if (event->recovers)
        return failed_condition(population);
    return doubt ? NODE_DOUBTED : NODE_DOWN;
}

enum node_condition event_condition(const struct population *population,
                                    const struct check_event *event)
{
    return taken_by(population, event, population->doubts);
}

bool condition_is_possible(const struct population *population, enum node_condition condition)
{
    if (condition <= NODE_AWAY || (condition == NODE_DOUBTED && population->doubts))
        return true;
    if (condition == NODE_REPAIRED)
        return failed_condition(population) == NODE_REPAIRED;
    if (condition == NODE_LOST || condition == NODE_LOST_AWAY)
        return population->clock != NULL;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        if (event->kind == EVENT_DELETE && strcmp(event->object.kind, "Node") == 0 &&
            condition == (event->recovers ? NODE_GONE_AWHILE : NODE_GONE))
            return true;
        const enum node_condition doubted = taken_by(population, event, true);
        if ((event->kind == EVENT_NODE_FAILURE || event->kind == EVENT_ZONE_OUTAGE ||
             event->kind == EVENT_PARTITION) &&
            (condition == doubted || condition == condition_traits[doubted].becomes))
            return true;
    }
    return false;
}
