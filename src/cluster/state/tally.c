/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of pods in a state, and other questions about it that need no decider. */
#include "cluster/state/tally.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

bool revision_has_set(const struct population *population, uint32_t revision)
{
    const struct workload *workload = revision_workload(population, revision);
    return workload->deployment || workload->is_set;
}

void state_set_replicas(const struct population *population, struct state *state, uint32_t workload,
                        int32_t replicas)
{
    state->replicas[workload] = replicas;
    if (population->workloads.items[workload].is_set)
        state->sets[population->workloads.items[workload].first_revision].replicas = replicas;
}

const struct object *state_spec(const struct population *population, const struct state *state,
                                uint32_t workload)
{
    return population->workloads.items[workload].specs.items[state->statuses[workload].spec];
}

static void add_pods(struct revision_pods *sum, const struct revision_pods *pods, uint32_t nodes)
{
    sum->active += pods->active * nodes;
    sum->ready += pods->ready * nodes;
    sum->terminating += pods->terminating * nodes;
}

/* The pods of so many revisions, from the first one on. */
static struct revision_pods count_pods(struct worker *worker, const struct state *state,
                                       uint32_t first, uint32_t count)
{
    struct revision_pods sum = {0};
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_facts *facts = config_facts(worker, state->nodes[n].config);
        for (uint32_t p = 0; p < facts->pod_count; p++)
            if (facts->pods[p].revision - first < count)
                add_pods(&sum, &facts->pods[p], state->nodes[n].count);
    }
    return sum;
}

static const struct pod_tally *tally_of(struct worker *worker, const struct state *state)
{
    const struct population *population = worker->population;
    struct pod_tally *tally = state->tally;
    if (!tally || tally->counted)
        return tally;
    bool plain = true;
    memset(tally->by_revision, 0, population->revisions.count * sizeof(tally->by_revision[0]));
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_facts *facts = config_facts(worker, state->nodes[n].config);
        const uint32_t nodes = state->nodes[n].count;
        plain = plain && facts->condition == NODE_UP && !facts->tainted;
        for (uint32_t p = 0; p < facts->pod_count; p++)
            add_pods(&tally->by_revision[facts->pods[p].revision], &facts->pods[p], nodes);
    }
    tally->nodes_are_plain = plain;
    tally->counted = true;
    return tally;
}

bool state_nodes_are_plain(struct worker *worker, const struct state *state)
{
    const struct pod_tally *tally = tally_of(worker, state);
    return tally && tally->nodes_are_plain;
}

static struct revision_pods pods_of_revision(struct worker *worker, const struct state *state,
                                             uint32_t revision)
{
    const struct pod_tally *tally = tally_of(worker, state);
    return tally ? tally->by_revision[revision] : count_pods(worker, state, revision, 1);
}

uint32_t state_active(struct worker *worker, const struct state *state, uint32_t revision)
{
    return state->pending[revision] + pods_of_revision(worker, state, revision).active;
}

bool state_waits_for_nodes(struct worker *worker, const struct state *state, uint32_t revision)
{
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = state_config(worker, state, n);
        for (uint32_t w = 0; w < config->waiting_entry_count; w++)
            if (class_info(worker, config->waiting[w].pod)->revision == revision)
                return true;
    }
    return false;
}

uint32_t state_ready(struct worker *worker, const struct state *state, uint32_t revision)
{
    return pods_of_revision(worker, state, revision).ready;
}

uint32_t state_terminating(struct worker *worker, const struct state *state, uint32_t revision)
{
    return pods_of_revision(worker, state, revision).terminating;
}

static struct revision_pods pods_of_workload(struct worker *worker, const struct state *state,
                                             const struct workload *workload)
{
    const struct pod_tally *tally = tally_of(worker, state);
    struct revision_pods sum = {0};
    if (!tally)
        return count_pods(worker, state, workload->first_revision, workload->revision_count);
    for (uint32_t i = 0; i < workload->revision_count; i++)
        add_pods(&sum, &tally->by_revision[workload->first_revision + i], 1);
    return sum;
}

uint32_t state_workload_active(struct worker *worker, const struct state *state, uint32_t workload)
{
    const struct workload *of = &worker->population->workloads.items[workload];
    uint32_t total = pods_of_workload(worker, state, of).active;
    for (uint32_t i = 0; i < of->revision_count; i++)
        total += state->pending[of->first_revision + i];
    return total;
}

uint32_t state_workload_ready(struct worker *worker, const struct state *state, uint32_t workload)
{
    return pods_of_workload(worker, state, &worker->population->workloads.items[workload]).ready;
}

/* So many pods of the workload are ready on the nodes of the entry. */
static uint32_t ready_on(struct worker *worker, struct view_node node, uint32_t workload)
{
    if (node.count == 0)
        return 0;
    const struct workload *of = &worker->population->workloads.items[workload];
    const struct config_facts *facts = config_facts(worker, node.config);
    uint32_t total = 0;
    for (uint32_t p = 0; p < facts->pod_count; p++)
        if (facts->pods[p].revision - of->first_revision < of->revision_count)
            total += facts->pods[p].ready;
    return total * node.count;
}

uint32_t state_workload_ready_after(struct worker *worker, const struct state *from,
                                    const struct state *state, uint32_t workload)
{
    const struct view_node *old = from->nodes;
    const struct view_node *new = state->nodes;
    const uint32_t least =
        from->node_count < state->node_count ? from->node_count : state->node_count;
    uint32_t total = state_workload_ready(worker, from, workload);
    /* What is less is added modulo 2^32. */
    for (uint32_t n = 0; n < least; n++)
        if (old[n].config != new[n].config || old[n].count != new[n].count)
            total += ready_on(worker, new[n], workload) - ready_on(worker, old[n], workload);
    for (uint32_t n = least; n < from->node_count; n++)
        total -= ready_on(worker, old[n], workload);
    for (uint32_t n = least; n < state->node_count; n++)
        total += ready_on(worker, new[n], workload);
    return total;
}

uint32_t state_find_named(struct worker *worker, const struct state *state, const char *name)
{
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_template *template = state_config(worker, state, n)->template;
        /* While a state is made it may have entries of no node. */
        if (state->nodes[n].count > 0 && !template->anonymous &&
            strcmp(template->node->meta.name, name) == 0)
            return n;
    }
    return UINT32_MAX;
}

const struct template_info *state_template(struct worker *worker, const struct state *state,
                                           uint32_t entry)
{
    return config_template(worker, state->nodes[entry].config);
}

static int32_t greater(int64_t a, int64_t b)
{
    return (int32_t)(a > b ? a : b);
}

int32_t population_replicas_most(const struct population *population, uint32_t number)
{
    const struct object *object = population->scope->workloads[number].object;
    int32_t most =
        greater(population->setup->replicas[number], population->setup->autoscaler_max[number]);
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        for (uint32_t i = 0; event->workload == number && i < event->event->to_count; i++)
            most = greater(most, event->event->to[i]);
        const struct objects *applied = &population->scope->applied[e];
        for (uint32_t i = 0; i < applied->count; i++)
            if (same_object(&applied->items[i], object))
                most = greater(most, workload_replicas(&applied->items[i]));
    }
    return most;
}
