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
#include "cluster/ask/room_held.h"
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

/* The most pods of the revision on one node that is up, by group; false: nobody knows. */
static bool find_of(struct worker *worker, uint32_t revision, uint32_t *most, bool *images_decide)
{
    const uint32_t groups = worker->population->scope->group_count;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    struct spreads *spreads = spreads_create(worker, revision);
    struct gathering gathering = {.most = ARENA_ARRAY(&worker->scratch, uint32_t, groups + 1)};
    spreads_find(spreads, add_bound, &gathering);
    const bool known = !spreads->overflowed;
    for (uint32_t n = 0; known && n < spreads->items[0].node_count; n++)
        note_most(worker, &gathering, spreads->items[0].nodes[n].config);
    if (known) {
        memcpy(most, gathering.most, groups * sizeof(*most));
        *images_decide |= gathering.images_decide;
    }
    arena_rewind(&worker->scratch, mark);
    return known;
}

void gathering_find(struct worker *worker, uint32_t *most, bool *images_decide)
{
    const struct population *population = worker->population;
    const uint32_t groups = population->scope->group_count;
    for (uint32_t i = 0; i < gathering_count(population); i++)
        most[i] = UINT32_MAX;
    *images_decide = false;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (spreads_are_known(worker, r))
            find_of(worker, r, &most[(size_t)r * groups], images_decide);
}

/* ---- where runs start from a dump ---- */

uint32_t gathering_nodes_at_once(const struct population *population)
{
    uint32_t nodes = 0;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        const struct check_event *of = event->event;
        if (event_has(event, LEAVES_NODES_READY))
            continue;
        if (!event_has(event, TAKES_ONE_NODE))
            return UINT32_MAX;
        const bool drains = event_kind_has(of->kind, EVENT_FACT_DRAINS) && of->drain;
        nodes += (uint32_t)(drains && of->concurrent < of->at_most ? of->concurrent : of->at_most);
    }
    return nodes;
}

/* Does a pod of one of the model's workloads go to the node of the dump if nothing is on it? */
static bool is_wanted(struct worker *worker, uint32_t node)
{
    const struct population *population = worker->population;
    struct view_node empty = population->initial->nodes[node];
    while (config_at(worker, empty.config)->pod_entry_count > 0)
        empty.config = config_replace(worker, empty.config,
                                      config_at(worker, empty.config)->pods[0].pod, VIEW_NONE);
    const struct view view = {.catalog = worker->catalog, .nodes = &empty, .node_count = 1};
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        const struct decision *decision =
            revision->workload < population->managed_count
                ? scheduler_decide(worker->scheduler, &view, revision->pending_class, VIEW_NONE)
                : NULL;
        if (decision && decision->best_count > 0)
            return true;
    }
    return false;
}

static void add_bystander(const struct worker *worker, uint32_t class, uint32_t count,
                          struct pods_held *kind)
{
    *kind = (struct pods_held){.on_node = count};
    for (uint32_t r = 0; r < ROOM_EXTENDED + worker->population->options.others->resource_count;
         r++)
        kind->request.amounts[r] = room_request(worker, class, r);
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        kind->most[p] = kind->lasting[p] = count;
}

uint32_t gathering_add_bystanders(struct worker *worker, struct pods_held *kinds)
{
    const struct population *population = worker->population;
    const struct state *initial = population->initial;
    uint32_t added = 0;
    for (uint32_t n = 0; n < initial->node_count; n++) {
        if (!is_wanted(worker, n))
            continue;
        const struct node_config *config = state_config(worker, initial, n);
        for (uint32_t p = 0; p < config->pod_entry_count; p++)
            if (class_revision(worker, config->pods[p].pod)->workload >= population->managed_count)
                add_bystander(worker, config->pods[p].pod,
                              config->pods[p].count * initial->nodes[n].count, &kinds[added++]);
    }
    return added;
}

static uint32_t kind_of(const struct worker *worker, const struct room_held *held,
                        uint32_t revision)
{
    const uint32_t class = worker->population->revisions.items[revision].pending_class;
    struct room request = {0};
    uint32_t kind = 0;
    for (uint32_t r = 0; r < ROOM_EXTENDED + worker->population->options.others->resource_count;
         r++)
        request.amounts[r] = room_request(worker, class, r);
    while (kind < held->kind_count &&
           memcmp(&held->kinds[kind].request, &request, sizeof(request)) != 0)
        kind++;
    return kind;
}

void gathering_on_node(struct worker *worker, const struct room_held *held, uint32_t *on_node,
                       bool *images_decide)
{
    const struct population *population = worker->population;
    const uint32_t groups = population->scope->group_count;
    uint32_t *by_group = ARENA_ARRAY(&worker->arena, uint32_t, groups + 1);
    memset(on_node, 0, ROOM_KINDS * sizeof(*on_node));
    *images_decide = false;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        if (population->revisions.items[r].workload >= population->managed_count)
            continue;
        const uint32_t kind = kind_of(worker, held, r);
        uint32_t most = 0;
        if (kind == held->kind_count || held->kind_count == ROOM_KINDS ||
            !spreads_are_known_of_dump(worker, r) || on_node[kind] == UINT32_MAX ||
            !find_of(worker, r, by_group, images_decide)) {
            if (kind < held->kind_count)
                on_node[kind] = UINT32_MAX;
            continue;
        }
        for (uint32_t g = 0; g < groups; g++)
            most = by_group[g] > most ? by_group[g] : most;
        on_node[kind] += most;
    }
}
