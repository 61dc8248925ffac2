/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One cycle of the descheduler, at rest: all that it may evict, in every way
 * that the order of its maps allows. Its evictions are polite: the eviction API
 * answers from the budgets as they are now, and the pods terminate.
 */
#include "model/descheduler/descheduler.h"
#include "model/population/population_internal.h"

/* How many cycles are tried to find every outcome of one state. */
enum { RUNS_MOST = 200000 };

static const struct descheduler_policy *policy_of(const struct population *population)
{
    const struct check *check = population->scope->check;
    if (check && check->controllers.descheduler && check->controllers.descheduler->policy)
        return check->controllers.descheduler->policy;
    const struct objects *objects = population->scope->objects;
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_DESCHEDULER_POLICY)
            return objects->items[i].as.descheduler_policy;
    return NULL;
}

/* The losses of one node make one new config; they stand together. */
static uint32_t apply_losses(struct population *population, const struct cluster *cluster,
                             const struct descheduler_outcome *outcome, uint32_t first,
                             uint32_t config, uint64_t *victims, uint32_t *config_after)
{
    const uint32_t node = outcome->losses[first].node;
    uint32_t next = first;
    while (next < outcome->loss_count && outcome->losses[next].node == node) {
        const struct descheduler_loss *loss = &outcome->losses[next++];
        const uint32_t class = cluster->kinds.items[loss->kind].class;
        const uint32_t revision = population->classes.items[class].revision;
        *victims |= victims_of(population, revision);
        for (uint32_t i = 0; i < loss->count; i++)
            config = config_replace(population, config, class,
                                    class_at(population, revision, STAGE_TERMINATING, 0));
    }
    *config_after = config;
    return next;
}

static void emit_outcome(struct expansion *expansion, const struct cluster *cluster,
                         const struct descheduler_outcome *outcome)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    struct happening happening = {.action = ACT_DESCHEDULE,
                                  .workload = UINT32_MAX,
                                  .revision = UINT32_MAX,
                                  .node = UINT32_MAX};
    for (uint32_t i = 0; i < outcome->loss_count;) {
        const uint32_t entry = cluster->nodes[outcome->losses[i].node].entry;
        const uint32_t class = cluster->kinds.items[outcome->losses[i].kind].class;
        uint32_t config;
        happening.revision = population->classes.items[class].revision;
        happening.workload = population->revisions.items[happening.revision].workload;
        happening.node = entry;
        i = apply_losses(population, cluster, outcome, i, expansion->state->nodes[entry].config,
                         &happening.victims, &config);
        state_move_node(population, next, entry, config);
    }
    for (uint32_t i = 0; i < outcome->loss_count; i++)
        happening.amount += outcome->losses[i].count;
    expansion_emit(expansion, next, &happening);
}

void step_descheduler(struct expansion *expansion)
{
    struct population *population = expansion->population;
    const struct descheduler_policy *policy = policy_of(population);
    if (!policy)
        return;
    const struct surroundings *around = &population->catalog->surroundings;
    struct view_budget *budgets =
        ARENA_ARRAY(&population->scratch, struct view_budget, around->budgets.count + 1);
    for (uint32_t b = 0; b < around->budgets.count; b++)
        budgets[b] = (struct view_budget){
            around->budgets.items[b],
            budget_allows(population, expansion->state, around->budgets.items[b])};
    const struct view view = {
        .catalog = population->catalog,
        .nodes = expansion->state->nodes,
        .node_count = expansion->state->node_count,
        .budgets = budgets,
        .budget_count = around->budgets.count,
    };
    const struct descheduler_setup setup = {
        .policy = policy,
        .objects = population->scope->objects,
        .rules = descheduler_rules_of(DESCHEDULER_MINOR_FIRST),
        .mode = DESCHEDULER_GRACEFUL,
    };
    struct cluster *cluster = cluster_of_view(&population->scratch, &view);
    struct descheduler_outcomes outcomes = {0};
    descheduler_enumerate(&population->scratch, &setup, cluster,
                          (struct descheduler_limits){.runs_most = RUNS_MOST}, &outcomes);
    if (outcomes.too_many)
        population->overflow = true;
    for (uint32_t i = 0; i < outcomes.items.count; i++)
        if (outcomes.items.items[i].loss_count > 0)
            emit_outcome(expansion, cluster, &outcomes.items.items[i]);
}
