/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of what the scheduler looks at, a spread (spreads.h) has all but the room that other pods take
 * and nodes that are away. So whichever pods others have, and those of the component itself, a new
 * pod goes to one of the nodes that may be the best beside them (best_beside.c). Nodes that are
 * away, or have come back with pods that still terminate, count as nodes that others are in the way
 * of. What is found so are all spreads that there can be, and more.
 *
 * A pod that waits for a node that was nominated goes there first, whatever its score, so who asks
 * must know that nobody preempts.
 */
#include "cluster/ask/gathering.h"
#include "cluster/ask/best_beside.h"
#include "cluster/ask/spreads.h"
#include "cluster/event_type.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/scheduler.h"

#include <string.h>

struct gathering {
    uint32_t *most; /* by group */
    bool images_decide;
};

static void note_most(struct worker *worker, struct gathering *gathering, uint32_t config)
{
    const uint32_t kind = config_template(worker, config)->node;
    uint32_t *most = &gathering->most[worker->population->node_kinds.items[kind].group];
    const uint32_t pods = config_at(worker, config)->pod_count;
    *most = pods > *most ? pods : *most;
}

/* A pod is bound, to any node that may be the best. */
static void add_bound(struct spreads *spreads, const struct spread *spread, void *context)
{
    struct gathering *gathering = context;
    struct worker *worker = spreads->worker;
    const uint32_t class = worker->population->revisions.items[spreads->revision].pending_class;
    const struct view view = {
        .catalog = worker->catalog, .nodes = spread->nodes, .node_count = spread->node_count};
    const struct decision *decision = scheduler_decide(worker->scheduler, &view, class, VIEW_NONE);
    uint32_t count = 0;
    if (!decision || decision->best_count == 0)
        return;
    const uint32_t *best = best_beside(worker, &view, class, decision, &count,
                                       gathering->images_decide ? NULL : &gathering->images_decide);
    for (uint32_t i = 0; i < count; i++)
        note_most(worker, gathering, spreads_add_bound(spreads, spread, best[i]));
}

/* Does the event come to nodes without taking any? */
static bool looks_at_nodes(const struct population_event *event)
{
    return event->workload == UINT32_MAX && event->effects.count == 0 &&
           event_has(event, LEAVES_NODES_READY);
}

uint32_t gathering_nodes_away(const struct population *population, uint32_t nodes_back)
{
    bool takes = nodes_back > 0 && nodes_back < UINT32_MAX;
    for (uint32_t e = 0; e < population->events.count; e++)
        takes &= !looks_at_nodes(&population->events.items[e]);
    /* All others may have come before, but not the one that comes. */
    return takes ? nodes_back - 1 : nodes_back;
}

uint32_t gathering_count(const struct population *population)
{
    return population->revisions.count * population->scope->group_count;
}

void gathering_find(struct worker *worker, uint32_t *most, bool *images_decide)
{
    const struct population *population = worker->population;
    const uint32_t groups = population->scope->group_count;
    for (uint32_t i = 0; i < gathering_count(population); i++)
        most[i] = UINT32_MAX;
    *images_decide = false;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        if (!spreads_are_known(worker, r))
            continue;
        const struct arena_mark mark = arena_mark(&worker->scratch);
        struct spreads *spreads = spreads_create(worker, r);
        struct gathering gathering = {.most = ARENA_ARRAY(&worker->scratch, uint32_t, groups + 1)};
        spreads_find(spreads, add_bound, &gathering);
        if (!spreads->overflowed) {
            memcpy(&most[(size_t)r * groups], gathering.most, groups * sizeof(*most));
            *images_decide |= gathering.images_decide;
        }
        arena_rewind(&worker->scratch, mark);
    }
}
