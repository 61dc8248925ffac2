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

/* Nodes of one entry of the state that have lost the same pods. */
struct alike_nodes {
    struct view_node nodes;
    uint32_t entry;
    uint32_t item; /* the last place that they lost pods of; UINT32_MAX: none */
};

struct nodes_left {
    struct alike_nodes *items;
    uint32_t count;
};

void removal_find_places(struct removal *removal, bool terminating)
{
    struct worker *worker = removal->expansion->worker;
    const struct state *state = removal->expansion->state;
    const uint32_t revision = removal->happening.revision;
    struct pods_at place = {.entry = UINT32_MAX, .count = state->pending[revision]};
    if (place.count > 0)
        VEC_PUSH(&worker->scratch, &removal->places, place);
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);) {
        if (pods.info->revision != revision ||
            (pods.info->stage == STAGE_TERMINATING && !terminating))
            continue;
        place = (struct pods_at){pods.entry, pods.class, pods.count * pods.nodes};
        VEC_PUSH(&worker->scratch, &removal->places, place);
    }
}

static uint32_t config_pods(struct worker *worker, uint32_t config, uint32_t class)
{
    const struct node_config *node = config_at(worker, config);
    for (uint32_t p = 0; p < node->pod_entry_count; p++)
        if (node->pods[p].pod == class)
            return node->pods[p].count;
    return 0;
}

static void remove_next(struct removal *removal, uint32_t item, struct nodes_left parts);

static void distribute(struct removal *removal, uint32_t item, struct nodes_left parts, uint32_t at,
                       uint32_t each, uint32_t untouched, uint32_t left);

/* All that is left comes from the parts of the entry behind this one. */
static void distribute_behind(struct removal *removal, uint32_t item, struct nodes_left parts,
                              uint32_t at, uint32_t left)
{
    struct worker *worker = removal->expansion->worker;
    const struct pods_at *place = &removal->places.items[item];
    for (uint32_t next = at + 1; next < parts.count; next++) {
        const struct alike_nodes *part = &parts.items[next];
        const uint32_t pods = config_pods(worker, part->nodes.config, place->class);
        /* Nodes that have lost pods of this item are not considered again. */
        if (part->entry != place->entry || part->item == item || pods == 0)
            continue;
        distribute(removal, item, parts, next, pods, part->nodes.count, left);
        return;
    }
}

/*
 * Takes `left` pods of the item's class from the nodes of its entry, in every
 * way that differs: `at` is the current part of the entry. Its nodes may lose
 * at most `each` pods, and `untouched` of them have lost none yet. What each loses
 * is a loop and not a call, because a node may have a hundred thousand pods.
 */
static void distribute(struct removal *removal, uint32_t item, struct nodes_left parts, uint32_t at,
                       uint32_t each, uint32_t untouched, uint32_t left)
{
    struct worker *worker = removal->expansion->worker;
    const struct pods_at *place = &removal->places.items[item];
    if (left == 0) {
        remove_next(removal, item + 1, parts);
        return;
    }
    distribute_behind(removal, item, parts, at, left);
    uint32_t config = untouched > 0 ? parts.items[at].nodes.config : 0;
    for (uint32_t lost = 1; untouched > 0 && lost <= each && lost <= left; lost++) {
        const uint32_t most = left / lost < untouched ? left / lost : untouched;
        config = config_end(worker, config, place->class, END_DISOWNED);
        for (uint32_t chosen = 1; chosen <= most; chosen++) {
            struct nodes_left changed = parts;
            changed.items = ARENA_ARRAY(&worker->scratch, struct alike_nodes, parts.count + 1);
            memcpy(changed.items, parts.items, parts.count * sizeof(*parts.items));
            changed.items[at].nodes.count -= chosen;
            changed.items[changed.count++] =
                (struct alike_nodes){{config, chosen}, place->entry, item};
            distribute(removal, item, changed, at, lost - 1, untouched - chosen,
                       left - chosen * lost);
        }
    }
}

static void emit(void *context, struct state *next)
{
    const struct removal *removal = context;
    expansion_emit(removal->expansion, next, removal->happening);
}

static void remove_next(struct removal *removal, uint32_t item, struct nodes_left parts)
{
    struct worker *worker = removal->expansion->worker;
    uint32_t waiting = 0;
    for (; item < removal->places.count; item++)
        if (removal->amounts[item] > 0 && removal->places.items[item].entry != UINT32_MAX) {
            /* Behind UINT32_MAX comes the first part. */
            distribute(removal, item, parts, UINT32_MAX, 0, 0, removal->amounts[item]);
            return;
        }
    struct state *next = state_copy(worker, removal->expansion->state);
    for (uint32_t i = 0; i < removal->places.count; i++)
        if (removal->places.items[i].entry == UINT32_MAX)
            waiting += removal->amounts[i];
    next->pending[removal->happening.revision] -= waiting;
    next->nodes = ARENA_ARRAY(&worker->scratch, struct view_node, parts.count + 1);
    for (uint32_t n = 0; n < parts.count; n++)
        next->nodes[n] = parts.items[n].nodes;
    next->node_count = parts.count;
    next->node_capacity = parts.count + 1;
    if (removal->status)
        next->statuses[removal->happening.workload] = *removal->status;
    state_each_loss(worker, next, removal->happening.revision, waiting, emit, removal);
}

void removal_emit(void *context, const uint32_t *amounts)
{
    struct removal *removal = context;
    const struct state *state = removal->expansion->state;
    removal->amounts = amounts;
    struct nodes_left parts = {
        .items = ARENA_ARRAY(&removal->expansion->worker->scratch, struct alike_nodes,
                             state->node_count),
        .count = state->node_count,
    };
    for (uint32_t n = 0; n < state->node_count; n++)
        parts.items[n] = (struct alike_nodes){state->nodes[n], n, UINT32_MAX};
    remove_next(removal, 0, parts);
}
