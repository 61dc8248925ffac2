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

#include <assert.h>
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

static struct view_node entry_at(const struct state *state, uint32_t number)
{
    return number < state->node_count ? state->nodes[number] : (struct view_node){0, 0};
}

static bool entries_differ(struct view_node left, struct view_node right)
{
    return left.config != right.config || left.count != right.count;
}

void state_keep_tally(struct worker *worker, struct state *state)
{
    const size_t counted = worker->population->revisions.count * sizeof(struct revision_pods);
    state->tally = arena_allocate_raw(&worker->scratch, sizeof(*state->tally) + counted, 16);
    state->tally->counted = false;
}

/* Adds the pods on nodes of the entry, or (`sign` -1) takes them away: modulo 2^32. */
static void add_entry(struct worker *worker, struct pod_tally *tally, struct view_node entry,
                      uint32_t sign)
{
    const struct config_facts *facts = config_facts(worker, entry.config);
    for (uint32_t p = 0; p < facts->pod_count; p++)
        add_pods(&tally->by_revision[facts->pods[p].revision], &facts->pods[p], entry.count * sign);
}

static bool all_are_plain(struct worker *worker, const struct state *state)
{
    bool plain = true;
    for (uint32_t n = 0; n < state->node_count && plain; n++) {
        const struct config_facts *facts = config_facts(worker, state->nodes[n].config);
        plain = facts->condition == NODE_UP && !facts->tainted;
    }
    return plain;
}

/* Entries of both are in one order, so most of them have the same before or behind them. */
void state_tally_after(struct worker *worker, const struct state *from, struct state *state)
{
    const uint32_t count = worker->population->revisions.count;
    if (state->tally)
        return;
    state_keep_tally(worker, state);
    const struct pod_tally *before = tally_of(worker, from);
    if (!before)
        return;
    struct pod_tally *tally = state->tally;
    memcpy(tally, before, sizeof(*tally) + count * sizeof(tally->by_revision[0]));
    uint32_t old = 0;
    uint32_t new = 0;
    while (old < from->node_count || new < state->node_count) {
        const struct view_node left = entry_at(from, old);
        const struct view_node right = entry_at(state, new);
        const bool gone = left.count > 0 && !entries_differ(entry_at(from, old + 1), right);
        const bool came = right.count > 0 && !entries_differ(left, entry_at(state, new + 1));
        const bool same = !entries_differ(left, right);
        if (!same && left.count > 0 && (gone || !came))
            add_entry(worker, tally, left, UINT32_MAX);
        if (!same && right.count > 0 && (came || !gone))
            add_entry(worker, tally, right, 1);
        old += same || gone || !came;
        new += same || came || !gone;
    }
    tally->nodes_are_plain = all_are_plain(worker, state);
}

bool state_nodes_are_plain(struct worker *worker, const struct state *state)
{
    const struct pod_tally *tally = tally_of(worker, state);
    return tally && tally->nodes_are_plain;
}

/* Adds the pods that each node of the config has of `count` revisions, which stand together. */
static inline void add_pods_of(struct revision_pods *sum, const struct config_facts *facts,
                               uint32_t first, uint32_t count, uint32_t nodes)
{
    uint32_t left = count; /* a config has each revision once */
    for (uint32_t p = 0; left > 0 && p < facts->pod_count; p++)
        if (facts->pods[p].revision - first < count) {
            add_pods(sum, &facts->pods[p], nodes);
            left--;
        }
}

static struct revision_pods count_pods(struct worker *worker, const struct state *state,
                                       uint32_t first, uint32_t count)
{
    struct revision_pods sum = {0};
    for (uint32_t n = 0; n < state->node_count; n++)
        add_pods_of(&sum, config_facts(worker, state->nodes[n].config), first, count,
                    state->nodes[n].count);
    return sum;
}

/* The pods of `count` revisions, which stand together. */
static inline struct revision_pods pods_of(struct worker *worker, const struct state *state,
                                           uint32_t first, uint32_t count)
{
    const struct pod_tally *tally = tally_of(worker, state);
    if (!tally)
        return count_pods(worker, state, first, count);
    struct revision_pods sum = tally->by_revision[first];
    for (uint32_t r = first + 1; r < first + count; r++)
        add_pods(&sum, &tally->by_revision[r], 1);
    return sum;
}

uint32_t state_active(struct worker *worker, const struct state *state, uint32_t revision)
{
    return state->pending[revision] + pods_of(worker, state, revision, 1).active;
}

const uint32_t *state_active_of_all(struct worker *worker, const struct state *state)
{
    const uint32_t count = worker->population->revisions.count;
    uint32_t *active = ARENA_ARRAY(&worker->scratch, uint32_t, count + 1);
    memcpy(active, state->pending, count * sizeof(*active));
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_facts *facts = config_facts(worker, state->nodes[n].config);
        for (uint32_t p = 0; p < facts->pod_count; p++)
            active[facts->pods[p].revision] += facts->pods[p].active * state->nodes[n].count;
    }
    return active;
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
    return pods_of(worker, state, revision, 1).ready;
}

uint32_t state_terminating(struct worker *worker, const struct state *state, uint32_t revision)
{
    return pods_of(worker, state, revision, 1).terminating;
}

struct revision_pods state_workload_pods(struct worker *worker, const struct state *state,
                                         uint32_t workload)
{
    const struct workload *of = &worker->population->workloads.items[workload];
    return pods_of(worker, state, of->first_revision, of->revision_count);
}

uint32_t state_workload_active(struct worker *worker, const struct state *state, uint32_t workload)
{
    const struct workload *of = &worker->population->workloads.items[workload];
    uint32_t total = state_workload_pods(worker, state, workload).active;
    for (uint32_t r = of->first_revision; r < of->first_revision + of->revision_count; r++)
        total += state->pending[r];
    return total;
}

uint32_t config_ready(struct worker *worker, uint32_t config, uint32_t workload)
{
    const struct workload *of = &worker->population->workloads.items[workload];
    const struct config_facts *facts = config_facts(worker, config);
    uint32_t ready = 0;
    for (uint32_t p = 0; p < facts->pod_count; p++)
        if (facts->pods[p].revision - of->first_revision < of->revision_count)
            ready += facts->pods[p].ready;
    return ready;
}

struct entry_range state_changed_entries(const struct state *from, const struct state *state)
{
    const uint32_t less =
        from->node_count < state->node_count ? from->node_count : state->node_count;
    const uint32_t most = from->node_count + state->node_count - less;
    struct entry_range range = {0, most};
    while (range.first < less &&
           !entries_differ(from->nodes[range.first], state->nodes[range.first]))
        range.first++;
    while (less == most && range.first < range.end &&
           !entries_differ(from->nodes[range.end - 1], state->nodes[range.end - 1]))
        range.end--;
    return range;
}

uint32_t state_workload_ready_after(struct worker *worker, const struct state *from,
                                    const struct state *state, struct entry_range changed,
                                    uint32_t workload)
{
    uint32_t total = state_workload_pods(worker, from, workload).ready;
    /* What is less is added modulo 2^32. */
    for (uint32_t n = changed.first; n < changed.end; n++) {
        const struct view_node old = entry_at(from, n);
        const struct view_node new = entry_at(state, n);
        if (!entries_differ(old, new))
            continue;
        if (old.count > 0)
            total -= config_ready(worker, old.config, workload) * old.count;
        if (new.count > 0)
            total += config_ready(worker, new.config, workload) * new.count;
    }
    return total;
}

uint32_t state_find_named(struct worker *worker, const struct state *state, const char *name)
{
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_template *template = state_config(worker, state, n)->template;
        assert(state->nodes[n].count > 0);
        if (!template->anonymous && strcmp(template->node->meta.name, name) == 0)
            return n;
    }
    return UINT32_MAX;
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
