/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A controller deletes pods, so many of each class in each place. Nodes of one
 * entry are alike, so that what counts is how many of them lose how many pods:
 * every way that differs is a step.
 */
#include "cluster/actor/removal.h"
#include "cluster/emit.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/nominations.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

#include <string.h>

struct nodes_left {
    struct view_node *items;
    uint32_t *origins; /* the entry of the state that a node was in */
    uint32_t count;
};

static void remove_next(struct removal *removal, uint32_t item, struct nodes_left nodes);

static struct nodes_left copy_nodes(struct worker *worker, const struct nodes_left *nodes)
{
    struct nodes_left copy = {
        .items = ARENA_ARRAY(&worker->scratch, struct view_node, nodes->count + 1),
        .origins = ARENA_ARRAY(&worker->scratch, uint32_t, nodes->count + 1),
        .count = nodes->count,
    };
    memcpy(copy.items, nodes->items, nodes->count * sizeof(*copy.items));
    memcpy(copy.origins, nodes->origins, nodes->count * sizeof(*copy.origins));
    return copy;
}

static uint32_t config_pods(struct worker *worker, uint32_t config, uint32_t class)
{
    const struct node_config *node = config_at(worker, config);
    for (uint32_t p = 0; p < node->pod_entry_count; p++)
        if (node->pods[p].pod == class)
            return node->pods[p].count;
    return 0;
}

/*
 * Takes `left` pods of the item's class from the nodes of its entry, in every
 * way that differs: `at` is the part of the entry looked at, whose nodes may
 * lose at most `each` pods, and `untouched` of them have not been asked yet.
 */
static void distribute(struct removal *removal, uint32_t item, struct nodes_left nodes, uint32_t at,
                       uint32_t each, uint32_t untouched, uint32_t left)
{
    struct worker *worker = removal->expansion->worker;
    const struct pods_at *place = &removal->places[item];
    if (left == 0) {
        remove_next(removal, item + 1, nodes);
        return;
    }
    if (each == 0 || untouched == 0) {
        uint32_t next = at + 1;
        while (next < nodes.count &&
               (nodes.origins[next] != place->entry ||
                config_pods(worker, nodes.items[next].config, place->class) == 0))
            next++;
        if (next < nodes.count)
            distribute(removal, item, nodes, next,
                       config_pods(worker, nodes.items[next].config, place->class),
                       nodes.items[next].count, left);
        return;
    }
    const uint32_t most = left / each < untouched ? left / each : untouched;
    for (uint32_t chosen = 0; chosen <= most; chosen++) {
        struct nodes_left changed = nodes;
        if (chosen > 0) {
            uint32_t config = nodes.items[at].config;
            for (uint32_t i = 0; i < each; i++)
                config = config_end(worker, config, place->class);
            changed = copy_nodes(worker, &nodes);
            changed.items[at].count -= chosen;
            changed.items[changed.count] = (struct view_node){config, chosen};
            /* Nodes that have given are done with: they belong to no entry. */
            changed.origins[changed.count++] = UINT32_MAX - 1 - place->entry;
        }
        distribute(removal, item, changed, at, each - 1, untouched - chosen, left - chosen * each);
    }
}

static void emit(void *context, struct state *next)
{
    const struct removal *removal = context;
    expansion_emit(removal->expansion, next, removal->happening);
}

static void remove_next(struct removal *removal, uint32_t item, struct nodes_left nodes)
{
    struct worker *worker = removal->expansion->worker;
    uint32_t waiting = 0;
    while (item < removal->place_count &&
           (removal->amounts[item] == 0 || removal->places[item].entry == UINT32_MAX))
        item++;
    if (item < removal->place_count) {
        /* Nodes that gave pods of another class belong to the entry again. */
        struct nodes_left again = copy_nodes(worker, &nodes);
        const uint32_t entry = removal->places[item].entry;
        uint32_t first = UINT32_MAX;
        for (uint32_t n = again.count; n > 0; n--) {
            if (again.origins[n - 1] == UINT32_MAX - 1 - entry)
                again.origins[n - 1] = entry;
            if (again.origins[n - 1] == entry &&
                config_pods(worker, again.items[n - 1].config, removal->places[item].class) > 0)
                first = n - 1;
        }
        if (first != UINT32_MAX)
            distribute(removal, item, again, first,
                       config_pods(worker, again.items[first].config, removal->places[item].class),
                       again.items[first].count, removal->amounts[item]);
        return;
    }
    struct state *next = state_copy(worker, removal->expansion->state);
    for (uint32_t i = 0; i < removal->place_count; i++)
        if (removal->places[i].entry == UINT32_MAX)
            waiting += removal->amounts[i];
    next->pending[removal->happening.revision] -= waiting;
    next->nodes = copy_nodes(worker, &nodes).items;
    next->node_count = nodes.count;
    next->node_capacity = nodes.count + 1;
    if (removal->status)
        next->statuses[removal->happening.workload] = *removal->status;
    state_each_loss(worker, next, removal->happening.revision, waiting, emit, removal);
}

void removal_emit(struct removal *removal, const uint32_t *amounts)
{
    struct worker *worker = removal->expansion->worker;
    const struct state *state = removal->expansion->state;
    removal->amounts = amounts;
    struct nodes_left nodes = {
        .items = state->nodes,
        .origins = ARENA_ARRAY(&worker->scratch, uint32_t, state->node_count + 1),
        .count = state->node_count,
    };
    for (uint32_t n = 0; n < state->node_count; n++)
        nodes.origins[n] = n;
    remove_next(removal, 0, nodes);
}
