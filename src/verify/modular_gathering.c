/* SPDX-License-Identifier: Apache-2.0 */
/* How many pods of a revision can be on one node: what a model without a pool says of that is given
 * to models with one (cluster/ask/gathering.h). */
#include "cluster/ask/fill_order.h"
#include "cluster/ask/gathering.h"
#include "verify/modular_internal.h"

#include <string.h>

/* If no event takes nodes away, nobody asks who is on one of them. Where somebody preempts, pods do
 * not go by scores alone. */
bool modular_asks_gathered(const struct modular *modular, uint64_t open)
{
    const uint64_t own = settles_bit(modular) | leaves_bit(modular);
    return modular_placeless(modular, open) & ~own && modular->nodes_back > 0 &&
           !modular->priorities_differ;
}

/* ---- in which order pods fill nodes ---- */

/* What pods of the component request is between these. */
static void note_requests(const struct component *component, struct fill_order *order, bool first)
{
    for (uint32_t k = 0; k < component->held.kind_count; k++)
        for (uint32_t r = 0; r < ROOM_MOST; r++) {
            const int64_t amount = component->held.kinds[k].request.amounts[r];
            if ((first && k == 0) || amount < order->least.amounts[r])
                order->least.amounts[r] = amount;
            if (amount > order->most.amounts[r])
                order->most.amounts[r] = amount;
        }
}

/* Adds what is known of the component to what is known of those before it. */
static bool add_order(struct modular *modular, const struct component *component,
                      struct fill_order *order)
{
    struct population_options how = setup_options(modular->query, REDUCTIONS_NEVER);
    struct others others = modular->unknown;
    struct fill_order own = *order;
    struct problems problems;
    problems_init(&problems, &modular->arena);
    others.unknown = true;
    others.pools = false;
    how.others = &others;
    struct population *population = population_create(modular->memory, &component->part.scope,
                                                      component->setup, NULL, 0, &how, &problems);
    if (!population)
        return false;
    struct worker *worker = population_worker_create(population, modular->memory);
    const bool known = fill_order_find(worker, &own);
    population_worker_free(worker);
    population_free(population);
    order->made += own.made;
    order->avoided = own.avoided < order->avoided ? own.avoided : order->avoided;
    return known;
}

/* What is known of all of them; NULL: nothing. */
static const struct fill_order *find_order(struct modular *modular)
{
    struct fill_order *order = ARENA_NEW(&modular->arena, struct fill_order);
    bool known = modular->component_count > 1;
    order->avoided = UINT32_MAX;
    for (uint32_t c = 0; c < modular->component_count; c++) {
        /* Where kinds are taken together, it is not known how little a pod of them requests. */
        known &=
            modular->components[c].bounded && modular->components[c].held.kind_count < ROOM_KINDS;
        note_requests(&modular->components[c], order, c == 0);
    }
    for (uint32_t c = 0; known && c < modular->component_count; c++)
        known = add_order(modular, &modular->components[c], order);
    return known ? order : NULL;
}

/* ---- how many pods gather ---- */

static void find_gathered(struct modular *modular, struct component *component,
                          const struct others *pooled)
{
    struct population_options how = setup_options(modular->query, REDUCTIONS_NEVER);
    struct others others = *pooled;
    struct problems problems;
    problems_init(&problems, &modular->arena);
    others.pools = false;
    /* Its siblings are asked by themselves. */
    others.sibling_count = 0;
    how.others = &others;
    struct population *population = population_create(modular->memory, &component->part.scope,
                                                      component->setup, NULL, 0, &how, &problems);
    if (!population)
        return;
    /* Nodes that are away count like those that have come back, and are full. */
    others.nodes_back = gathering_nodes_away(population, modular->nodes_back);
    if (others.nodes_back == 0) {
        /* No node was away yet, so pods that are shown were counted among those of the component.
         */
        others.shown = true;
        if (!modular->order_is_known)
            modular->order = find_order(modular);
        modular->order_is_known = true;
        others.order = modular->order;
    }
    component->gathered_count = gathering_count(population);
    component->gathered = ARENA_ARRAY(&modular->arena, uint32_t, component->gathered_count + 1);
    struct worker *worker = population_worker_create(population, modular->memory);
    gathering_find(worker, component->gathered, &component->gathered_by_images);
    population_worker_free(worker);
    population_free(population);
}

void modular_add_gathered(struct modular *modular, struct component *component,
                          struct others *pooled)
{
    if (!component->gathered_is_known)
        find_gathered(modular, component, pooled);
    component->gathered_is_known = true;
    pooled->gathered = component->gathered;
    pooled->gathered_count = component->gathered_count;
    pooled->gathered_by_images |= component->gathered_by_images;
}

bool modular_join_gathered(struct modular *modular, struct others *pooled,
                           const struct others *siblings, uint32_t count)
{
    bool same = true;
    uint32_t *most = ARENA_ARRAY(&modular->arena, uint32_t, pooled->gathered_count + 1);
    if (pooled->gathered)
        memcpy(most, pooled->gathered, pooled->gathered_count * sizeof(*most));
    for (uint32_t s = 0; s < count; s++) {
        const uint32_t *other = siblings[s].gathered;
        if (!pooled->gathered || !other || siblings[s].gathered_count != pooled->gathered_count) {
            same &= !pooled->gathered && !other;
            pooled->gathered = NULL;
            continue;
        }
        for (uint32_t i = 0; i < pooled->gathered_count; i++) {
            same &= other[i] == pooled->gathered[i];
            most[i] = other[i] > most[i] ? other[i] : most[i];
        }
        pooled->gathered_by_images |= siblings[s].gathered_by_images;
    }
    if (pooled->gathered)
        pooled->gathered = most;
    return same;
}
