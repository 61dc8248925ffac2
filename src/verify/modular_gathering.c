/* SPDX-License-Identifier: Apache-2.0 */
/* How many pods of a revision can be on one node: what a model without a pool says of that is given
 * to models with one (cluster/ask/gathering.h). */
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

static void find_gathered(struct modular *modular, struct component *component,
                          const struct others *pooled)
{
    struct population_options how = setup_options(modular->query, REDUCTIONS_NEVER);
    struct others others = *pooled;
    struct problems problems;
    problems_init(&problems, &modular->arena);
    others.pools = false;
    how.others = &others;
    struct population *population = population_create(modular->memory, &component->part.scope,
                                                      component->setup, NULL, 0, &how, &problems);
    if (!population)
        return;
    /* Nodes that are away count like those that have come back, and are full. */
    others.nodes_back = gathering_nodes_away(population, modular->nodes_back);
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
    pooled->gathered_by_images = component->gathered_by_images;
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
