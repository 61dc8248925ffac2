/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One cycle of the descheduler, at rest: all that it may evict, in every way
 * that the order of its maps allows. Its evictions are polite: the eviction API
 * answers from the budgets as they are now, and the pods terminate.
 */
#include "model/descheduler/descheduler.h"
#include "model/population/population_internal.h"

#include <string.h>

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

static struct descheduler_rules rules_of(const struct population *population)
{
    const struct check *check = population->scope->check;
    int minor = descheduler_version_of(population->scope->objects);
    if (check && check->controllers.descheduler && check->controllers.descheduler->version)
        descheduler_parse_version(check->controllers.descheduler->version, &minor);
    return descheduler_rules_of(minor);
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

/* The state after the outcome, and what happened. */
static struct population_state *outcome_state(struct population *population,
                                              const struct population_state *state,
                                              const struct cluster *cluster,
                                              const struct descheduler_outcome *outcome,
                                              struct happening *happening)
{
    struct population_state *next = state_copy(population, state);
    *happening = (struct happening){.action = ACT_DESCHEDULE,
                                    .workload = UINT32_MAX,
                                    .revision = UINT32_MAX,
                                    .node = UINT32_MAX};
    for (uint32_t i = 0; i < outcome->loss_count;) {
        const uint32_t entry = cluster->nodes[outcome->losses[i].node].entry;
        const uint32_t class = cluster->kinds.items[outcome->losses[i].kind].class;
        uint32_t config;
        happening->revision = population->classes.items[class].revision;
        happening->workload = population->revisions.items[happening->revision].workload;
        happening->node = entry;
        i = apply_losses(population, cluster, outcome, i, state->nodes[entry].config,
                         &happening->victims, &config);
        state_move_node(population, next, entry, config);
    }
    for (uint32_t i = 0; i < outcome->loss_count; i++)
        happening->amount += outcome->losses[i].count;
    return next;
}

/* All that one cycle may do in this state. */
static struct cluster *enumerate(struct population *population,
                                 const struct population_state *state,
                                 const struct descheduler_policy *policy,
                                 struct descheduler_outcomes *outcomes)
{
    struct view view = {
        .catalog = population->catalog,
        .nodes = state->nodes,
        .node_count = state->node_count,
    };
    view.budgets = state_budgets(population, state, &view.budget_count);
    const struct descheduler_setup setup = {
        .policy = policy,
        .objects = population->scope->objects,
        .rules = rules_of(population),
        .mode = DESCHEDULER_GRACEFUL,
    };
    struct cluster *cluster = cluster_of_view(&population->scratch, &view);
    descheduler_enumerate(&population->scratch, &setup, cluster,
                          (struct descheduler_limits){.runs_most = RUNS_MOST}, outcomes);
    return cluster;
}

void step_descheduler(struct expansion *expansion)
{
    struct population *population = expansion->population;
    const struct descheduler_policy *policy = policy_of(population);
    if (!policy)
        return;
    struct descheduler_outcomes outcomes = {0};
    const struct cluster *cluster = enumerate(population, expansion->state, policy, &outcomes);
    if (outcomes.too_many)
        population->overflow = true;
    for (uint32_t i = 0; i < outcomes.items.count; i++) {
        struct happening happening;
        if (outcomes.items.items[i].loss_count == 0)
            continue;
        struct population_state *next = outcome_state(population, expansion->state, cluster,
                                                      &outcomes.items.items[i], &happening);
        expansion_emit(expansion, next, &happening);
    }
}

bool descheduler_blames(struct population *population, const struct population_state *from,
                        const struct population_state *to, uint32_t number,
                        enum descheduler_plugin *plugin)
{
    const struct descheduler_policy *policy = policy_of(population);
    struct descheduler_outcomes outcomes = {0};
    uint32_t *words = ARENA_ARRAY(&population->scratch, uint32_t, WORDS_MOST);
    uint32_t *wanted = ARENA_ARRAY(&population->scratch, uint32_t, WORDS_MOST);
    if (!policy)
        return false;
    const uint32_t length = state_pack(population, state_copy(population, to), wanted);
    const struct cluster *cluster = enumerate(population, from, policy, &outcomes);
    for (uint32_t i = 0; i < outcomes.items.count; i++) {
        const struct descheduler_outcome *outcome = &outcomes.items.items[i];
        struct happening happening;
        struct population_state *next =
            outcome_state(population, from, cluster, outcome, &happening);
        if (number >= outcome->loss_count || state_pack(population, next, words) != length ||
            memcmp(words + population->word_of_nodes, wanted + population->word_of_nodes,
                   (length - population->word_of_nodes) * sizeof(*words)) != 0)
            continue;
        *plugin = outcome->losses[number].plugin;
        return true;
    }
    return false;
}
