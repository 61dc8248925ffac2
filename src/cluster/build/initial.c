/* SPDX-License-Identifier: Apache-2.0 */
/* The state in which runs begin, and those that differ from it in their clocks, or in
 * which node is apart from the others, alone. */
#include "cluster/actor/actor.h"
#include "cluster/build/build.h"
#include "cluster/build/observed.h"
#include "cluster/intent/intent.h"
#include "cluster/intent/intents.h"
#include "cluster/state/clock.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

#include <assert.h>

const struct population_state *initial_state(struct population *population)
{
    int64_t nodes = 8;
    for (uint32_t g = 0; g < population->scope->group_count; g++)
        nodes += population->setup->nodes[g] + 1;
    struct population_state *state = state_new(population, &population->arena, (uint32_t)nodes);
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        state->replicas[w] = population->workloads.items[w].replicas;
        state->present[w] = population->workloads.items[w].present;
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct workload *of =
            &population->workloads.items[population->revisions.items[r].workload];
        state->sets[r].replicas = of->is_set && !of->setup->comes_later ? of->replicas : -1;
    }
    for (uint32_t w = 0; w < population->workloads.count; w++)
        if (population->workloads.items[w].load > 0)
            state->loads[population->workloads.items[w].load - 1] =
                population->workloads.items[w].first_total;
    population_add_nodes(population, state);
    find_daemon_places(population);
    state->begun = !population->starts_settled;
    if (population->scope->start == START_OBSERVED) {
        observed_begin(population, state);
        intents_begin(population, state);
    }
    return state;
}

void initial_state_resize(struct population *population)
{
    /* It is the population's own. */
    struct population_state *state = (struct population_state *)(uintptr_t)population->initial;
    for (uint32_t w = 0; w < population->managed_count; w++)
        state->replicas[w] = population->workloads.items[w].replicas;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct workload *of =
            &population->workloads.items[population->revisions.items[r].workload];
        if (of->is_set && !of->setup->comes_later)
            state->sets[r].replicas = of->replicas;
    }
    /* Each kind has its entry (build_nodes.c). */
    assert(state->node_count == population->node_kinds.count);
    for (uint32_t k = 0; k < population->node_kinds.count; k++) {
        struct node_kind *kind = &population->node_kinds.items[k];
        state->nodes[k].count = (uint32_t)population->setup->nodes[kind->group];
        kind->shared = state->nodes[k].count > 1;
    }
}

struct beginning {
    struct population *population;
    struct step_sink *sink;
};

/* False: the search has ended. */
static bool emit_one(void *context, struct population_state *state)
{
    const struct beginning *beginning = context;
    uint32_t words[WORDS_MOST];
    const uint32_t length = state_pack(beginning->population, state, words);
    if (length > 0)
        return step_sink_emit(beginning->sink, &(struct step){.words = words, .length = length});
    beginning->population->overflow = true;
    return true;
}

static bool emit_initial(void *context, struct population_state *state)
{
    const struct beginning *beginning = context;
    return choose_nodes_apart(beginning->population, state, emit_one, context);
}

void population_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    struct population *population = (struct population *)(uintptr_t)model->context;
    struct beginning beginning = {population, sink};
    const struct arena_mark mark = arena_mark(&population->scratch);
    (void)worker;
    struct population_state *state = state_copy(population, population->initial);
    if (population->clock)
        clock_each_start(population, state, emit_initial, &beginning);
    else
        emit_initial(&beginning, state);
    arena_rewind(&population->scratch, mark);
}
