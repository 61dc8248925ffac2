/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/threads/shelf.h"
#include "cluster/build/build_nodes.h"
#include "cluster/build/population_build.h"
#include "cluster/intent_class.h"
#include "cluster/population.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

/* A model that takes more than this, or this part of all memory, is not kept. */
enum { SHELF_BYTES_MOST = 8 << 20, SHELF_PART = 256 };

static bool same_options(const struct population_options *left,
                         const struct population_options *right)
{
    return features_equal(&left->features, &right->features) &&
           left->interleaving == right->interleaving && left->tick_parts == right->tick_parts &&
           left->reductions == right->reductions && !left->every_size && !right->every_size &&
           left->nodes == right->nodes && left->budgets_lag == right->budgets_lag &&
           left->sets_lag == right->sets_lag && left->images_pulled == right->images_pulled &&
           left->image_bytes == right->image_bytes;
}

/* Does nothing but numbers of nodes and replicas depend on the setup? */
static bool may_serve_others(const struct population *population)
{
    if (population->clock || population->autoscaling || population->options.nodes != NODES_ALIKE ||
        (population->scope->start != START_EMPTY && population->scope->start != START_SETTLED))
        return false;
    /* Nodes with names of their own: those that it has, and those of larger setups. */
    if (nodes_may_be_mentioned(population->scope))
        return false;
    for (uint32_t k = 0; k < population->node_kinds.count; k++)
        if (population->node_kinds.items[k].named)
            return false;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].node_name || population->revisions.items[r].ordinal >= 0)
            return false;
    return !population->has_jobs;
}

/* Were the same intents compiled? */
static bool same_intents(const struct population *population, const struct check_intent *intents,
                         uint32_t intent_count)
{
    if (population->intents.count != intent_count)
        return false;
    for (uint32_t i = 0; i < intent_count; i++)
        if (!check_intent_same(population->intents.items[i].source, &intents[i]))
            return false;
    return true;
}

/* Are there nodes of just the groups that it has kinds of? */
static bool same_groups(const struct population *population, const struct setup *setup)
{
    uint32_t kind = 0;
    for (uint32_t g = 0; g < population->scope->group_count; g++) {
        if (setup->nodes[g] == 0)
            continue;
        if (kind == population->node_kinds.count || population->node_kinds.items[kind].group != g)
            return false;
        kind += population->image_choices;
    }
    return kind == population->node_kinds.count;
}

struct population *population_take(struct population_shelf *shelf, struct memory *memory,
                                   const struct scope *scope, const struct setup *setup,
                                   const struct check_intent *intents, uint32_t intent_count,
                                   const struct population_options *options,
                                   struct problems *problems, struct worker **worker)
{
    for (uint32_t i = 0; shelf && i < SHELF_PLACES; i++) {
        struct population *kept = shelf->items[i].population;
        if (!kept || kept->scope != scope || kept->memory != memory ||
            !same_options(&kept->options, options) || !same_intents(kept, intents, intent_count) ||
            !same_groups(kept, setup) || !population_resize(kept, setup))
            continue;
        *worker = shelf->items[i].worker;
        (*worker)->findings = kept->maker->findings;
        /* Where the cluster rests depends on its size. */
        (*worker)->rests = (struct rests){0};
        shelf->items[i] = (struct population_kept){0};
        return kept;
    }
    struct population *population =
        population_create(memory, scope, setup, intents, intent_count, options, problems);
    *worker = population ? population_worker_create(population, memory) : NULL;
    return population;
}

static void release(const struct population_kept *kept)
{
    if (kept->worker)
        population_worker_free(kept->worker);
    if (kept->population)
        population_free(kept->population);
}

/* Is what they take so little that it may be kept? Numbers that a worker has in common with
 * others (numbering.h) are of no use to the next setup. */
static bool is_small(const struct population_kept *kept)
{
    if (!kept->worker || kept->worker->catalog->number_config)
        return false;
    const size_t bytes = arena_bytes(&kept->population->arena) +
                         arena_bytes(&kept->population->maker->arena) +
                         arena_bytes(&kept->worker->arena) + arena_bytes(&kept->worker->scratch);
    return bytes <= SHELF_BYTES_MOST && bytes <= kept->population->memory->limit_bytes / SHELF_PART;
}

void population_put(struct population_shelf *shelf, struct population *population,
                    struct worker *worker)
{
    struct population_kept kept = {population, worker};
    if (!shelf || !may_serve_others(population) || !is_small(&kept)) {
        release(&kept);
        return;
    }
    uint32_t place = 0;
    while (place + 1 < SHELF_PLACES && shelf->items[place].population)
        place++;
    release(&shelf->items[place]);
    memmove(shelf->items + 1, shelf->items, place * sizeof(shelf->items[0]));
    shelf->items[0] = kept;
}

void population_shelf_release(struct population_shelf *shelf)
{
    for (uint32_t i = 0; i < SHELF_PLACES; i++)
        release(&shelf->items[i]);
    *shelf = (struct population_shelf){0};
}
