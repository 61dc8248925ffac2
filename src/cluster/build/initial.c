/* SPDX-License-Identifier: Apache-2.0 */
/* The state in which runs begin, and the others that differ from it only in their clocks or in
 * which node is distinguished. */
#include "cluster/build/initial.h"
#include "cluster/build/build_daemon_sets.h"
#include "cluster/build/build_nodes.h"
#include "cluster/build/build_observed.h"
#include "cluster/build/clock.h"
#include "cluster/intent/intents.h"
#include "cluster/reduce/distinguished_node.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/pool.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <assert.h>

/* The sizes of workloads, and of ReplicaSets that are workloads of their own. */
static void set_sizes(const struct population *population, struct state *state)
{
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        state->replicas[w] = workload->replicas;
        if (workload->is_set && !workload->setup->comes_later)
            state->sets[workload->first_revision].replicas = workload->replicas;
    }
}

/* The cluster autoscaler has seen the nodes that are there from the beginning. */
static void note_templates(const struct population *population, struct state *state)
{
    struct worker *maker = population->maker;
    for (uint32_t n = 0; population->autoscaling && n < state->node_count; n++) {
        const uint32_t group = config_scaled_group(maker, state->nodes[n].config);
        if (group != UINT32_MAX && config_condition(maker, state->nodes[n].config) != NODE_ABSENT)
            state_note_template(population, state, group);
    }
}

/* So many nodes may be entries of their own. All others of a group are one entry, or two with those
 * that are not there yet. */
static uint32_t nodes_apart(const struct population *population)
{
    if (population->options.nodes == NODES_ALL_DISTINGUISHED ||
        population->scope->start == START_OBSERVED)
        return (uint32_t)population->total_nodes;
    return nodes_may_be_mentioned(population->scope) ? nodes_by_name_most(population) : 0;
}

struct state *initial_state(struct population *population)
{
    const uint32_t room = 9 + 4 * population->scope->group_count + 2 * nodes_apart(population);
    struct state *state = state_new(population, &population->arena, room);
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
    note_templates(population, state);
    find_daemon_places(population);
    state->begun = !population->starts_settled;
    if (population->scope->start == START_OBSERVED) {
        observed_begin(population, state);
        if (population->pools)
            pool_begin(population->maker, state);
        intents_begin(population->maker, state);
    }
    return state;
}

void initial_state_resize(struct population *population)
{
    struct state *state = population->initial;
    set_sizes(population, state);
    /* Each kind without pulled images has its entry (build_nodes.c). */
    assert(state->node_count * population->image_choices == population->node_kinds.count);
    for (uint32_t k = 0; k < population->node_kinds.count; k++) {
        struct node_kind *kind = &population->node_kinds.items[k];
        struct view_node *entry = &state->nodes[k / population->image_choices];
        entry->count = (uint32_t)population->setup->nodes[kind->group];
        kind->shared = entry->count > 1;
    }
}

void population_initial(const struct model *model, void *own, struct step_sink *sink)
{
    struct worker *worker = own;
    const struct population *population = worker->population;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    (void)model;
    struct state *state = state_copy(worker, population->initial);
    if (population->clock)
        clock_each_start(worker, state, sink);
    else
        choose_distinguished_nodes(worker, state, sink);
    arena_rewind(&worker->scratch, mark);
}
