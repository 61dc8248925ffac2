/* SPDX-License-Identifier: Apache-2.0 */
/* The state in which runs begin, and the others that differ from it only in their clocks or in
 * which node is taken by itself. */
#include "cluster/build/initial.h"
#include "cluster/build/build_daemon_sets.h"
#include "cluster/build/build_nodes.h"
#include "cluster/build/build_observed.h"
#include "cluster/build/clock.h"
#include "cluster/intent/intents.h"
#include "cluster/reduce/fold.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <assert.h>

/* The sizes of workloads, and of ReplicaSets that are workloads of their own. */
static void set_sizes(const struct population *population, struct state *state)
{
    for (uint32_t w = 0; w < population->workloads.count; w++)
        state->replicas[w] = population->workloads.items[w].replicas;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct workload *of = revision_workload(population, r);
        if (of->is_set && !of->setup->comes_later)
            state->sets[r].replicas = of->replicas;
    }
}

struct state *initial_state(struct population *population)
{
    int64_t nodes = 8;
    for (uint32_t g = 0; g < population->scope->group_count; g++)
        nodes += population->setup->nodes[g] + 1;
    struct state *state = state_new(population, &population->arena, (uint32_t)nodes);
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        state->present[w] = workload->present;
        if (workload->load > 0)
            state->loads[workload->load - 1] = workload->first_total;
    }
    for (uint32_t r = 0; r < population->revisions.count; r++)
        state->sets[r].replicas = -1;
    set_sizes(population, state);
    population_add_nodes(population, state);
    find_daemon_places(population);
    state->begun = !population->starts_settled;
    if (population->scope->start == START_OBSERVED) {
        observed_begin(population, state);
        intents_begin(population->maker, state);
    }
    return state;
}

void initial_state_resize(struct population *population)
{
    struct state *state = population->initial;
    set_sizes(population, state);
    /* Each kind has its entry (build_nodes.c). */
    assert(state->node_count == population->node_kinds.count);
    for (uint32_t k = 0; k < population->node_kinds.count; k++) {
        struct node_kind *kind = &population->node_kinds.items[k];
        state->nodes[k].count = (uint32_t)population->setup->nodes[kind->group];
        kind->shared = state->nodes[k].count > 1;
    }
}

struct beginning {
    struct worker *worker;
    struct step_sink *sink;
};

/* False: the search has ended. */
static bool emit_one(void *context, struct state *state)
{
    const struct beginning *beginning = context;
    uint32_t words[WORDS_MOST];
    const uint32_t length = state_pack(beginning->worker, state, words);
    if (length > 0)
        return step_sink_emit(beginning->sink, &(struct step){.words = words, .length = length});
    beginning->worker->findings.overflowed = true;
    return true;
}

static bool emit_initial(void *context, struct state *state)
{
    const struct beginning *beginning = context;
    return choose_nodes_apart(beginning->worker, state, 0, emit_one, context);
}

void population_initial(const struct model *model, void *own, struct step_sink *sink)
{
    struct worker *worker = own;
    const struct population *population = worker->population;
    struct beginning beginning = {worker, sink};
    const struct arena_mark mark = arena_mark(&worker->scratch);
    (void)model;
    struct state *state = state_copy(worker, population->initial);
    if (population->clock)
        clock_each_start(worker, state, emit_initial, &beginning);
    else
        emit_initial(&beginning, state);
    arena_rewind(&worker->scratch, mark);
}
