/* SPDX-License-Identifier: Apache-2.0 */
#include "explore_size.h"

#include "verify/explore_setup.h"
#include "verify/modular.h"

int32_t size_replicas(const struct setup_workload *workload)
{
    const int32_t given = workload_replicas(workload->object);
    if (given < workload->least)
        return workload->least;
    return given > workload->most ? workload->most : given;
}

static struct setup setup_with(struct arena *arena, const struct scope *scope, const int32_t *nodes)
{
    const uint32_t count = scope->workload_count;
    int32_t *replicas = ARENA_ARRAY(arena, int32_t, count + 1);
    int32_t *least = ARENA_ARRAY(arena, int32_t, count + 1);
    int32_t *most = ARENA_ARRAY(arena, int32_t, count + 1);
    struct setup setup = {
        .nodes = nodes, .replicas = replicas, .autoscaler_min = least, .autoscaler_max = most};
    for (uint32_t w = 0; w < count; w++) {
        const struct setup_workload *workload = &scope->workloads[w];
        replicas[w] = size_replicas(workload);
        setup.total_pods += replicas[w];
        if (!workload->autoscaler)
            continue;
        const bool follows = workload->autoscaler_follows;
        least[w] = follows ? replicas[w] : workload->autoscaler->min_replicas;
        most[w] = follows ? (int32_t)(workload->autoscaler_factor * replicas[w])
                          : workload->autoscaler->max_replicas;
        most[w] = most[w] < least[w] ? least[w] : most[w];
    }
    for (uint32_t g = 0; g < scope->group_count; g++)
        setup.total_nodes += nodes[g];
    return setup;
}

struct seen explore_setup_of(const struct trial *trial, const struct scope *scope,
                             const struct setup *setup, struct exploring how_to)
{
    struct memory memory;
    struct setup_outcome outcome;
    atomic_uint_fast64_t progress = 0;
    memory_init(&memory, SIZE_MAX);
    const struct population_options how = {.features = features_of_version(FEATURES_MINOR_LAST),
                                           .interleaving = INTERLEAVING_CONTROLLERS,
                                           .every_size = how_to.noted};
    const uint64_t all =
        trial->check->intent_count == 0 ? 0 : UINT64_MAX >> (64 - trial->check->intent_count);
    const uint64_t asked = all & ~how_to.left_out;
    const struct setup_query query = {.scope = scope,
                                      .setup = setup,
                                      .intents = trial->check->intents,
                                      .intent_count = trial->check->intent_count,
                                      .asked = asked,
                                      .told = setup->total_nodes <= NODES_TOLD ? asked : 0,
                                      .population = &how,
                                      .states_most = how_to.states,
                                      .time_most_ms = UINT64_MAX,
                                      .threads = 1,
                                      .states = &progress,
                                      .modular = !how_to.whole,
                                      .components_first = how_to.components,
                                      .coupled_alone = how_to.components,
                                      .parts_for_sizes = how_to.parts};
    modular_explore(&query, &memory, &memory, &outcome);
    struct seen seen = {.decided = outcome.ended_by == EXPLORE_DECIDED,
                        .untold = outcome.ended_by >= EXPLORE_UNSUPPORTED,
                        .told = query.told != 0,
                        .states = outcome.states,
                        .transitions = outcome.transitions,
                        .violated = outcome.violated,
                        .undecided = outcome.undecided,
                        .components = outcome.components > 0,
                        .applied = outcome.applied,
                        .came = outcome.came,
                        .depth = outcome.depth,
                        .sizes = outcome.sizes};
    for (uint32_t i = 0; i < query.intent_count; i++)
        seen.lengths += outcome.violated >> i & 1 ? outcome.results[i].step_count : 0;
    setup_outcome_release(&outcome);
    return seen;
}

struct seen explore_at(const struct trial *trial, const int32_t *nodes, struct exploring how_to)
{
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    const struct setup setup = setup_with(&arena, &trial->scope, nodes);
    const struct seen seen = explore_setup_of(trial, &trial->scope, &setup, how_to);
    arena_release(&arena);
    return seen;
}
