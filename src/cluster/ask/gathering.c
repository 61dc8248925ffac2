/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the pods of one revision that do not terminate can be, in all: *spreads*, each of which
 * says how many nodes have how many of them.
 *
 * Of what the scheduler looks at, a spread has all but the room that other pods take and nodes that
 * are away: the pods of the revision neither look at others nor do others look at them. So
 * whichever pods others have, and those of the component itself, a new pod goes to one of the nodes
 * that may be the best beside them (best_beside.c). Nodes that are away, or have come back with
 * pods that still terminate, count as nodes that others are in the way of. From the spread without
 * pods on, a pod that is bound is added to such a node, as long as there may be more of them, and
 * any pod may be gone. What is found so are all spreads that there can be, and more.
 *
 * A pod that waits for a node that was nominated goes there first, whatever its score, so who asks
 * must know that nobody preempts.
 */
#include "cluster/ask/gathering.h"
#include "cluster/ask/admission.h"
#include "cluster/ask/best_beside.h"
#include "cluster/event_type.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/default_selector.h"
#include "decide/scheduler/plugin_reads.h"
#include "decide/scheduler/scheduler.h"

#include <stdlib.h>
#include <string.h>

/* With more spreads nothing is concluded. */
enum { SPREADS_MOST = 400 };

/* Node configs, with no pods but those of the revision, and how many nodes have each. */
struct spread {
    struct view_node *nodes; /* by config */
    uint32_t node_count;
    uint32_t pods;
};

struct gathering {
    struct worker *worker;
    uint32_t revision;
    uint32_t pods_most; /* of the revision that do not terminate, at once */
    uint32_t *most;     /* by group */
    struct spread spreads[SPREADS_MOST];
    uint32_t count;
    bool overflowed;
    bool images_decide;
};

/* ---- of which revisions it is known ---- */

/* Do pods of the revision look at pods, of any revision, but for default spreading? */
static bool looks_at_pods(const struct pod_spec *spec)
{
    return spec->topology_spread_constraint_count > 0 ||
           (spec->affinity && (spec->affinity->pod_affinity || spec->affinity->pod_anti_affinity));
}

/* Is nothing but room between the pods of the revision and those of all others of the model? */
static bool is_apart(const struct worker *worker, uint32_t number)
{
    const struct population *population = worker->population;
    const struct pod *own = population->revisions.items[number].pod;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct pod *other = population->revisions.items[r].pod;
        if (r != number && (scheduler_looks_at(worker->catalog, own, other) ||
                            scheduler_looks_at(worker->catalog, other, own)))
            return false;
    }
    return true;
}

/* A ReplicaSet makes pods only as long as it has fewer than it should have, and its Deployment
 * never wants more of it than its replicas and the surge. */
static uint32_t pods_most(const struct population *population, uint32_t number)
{
    const struct workload *workload = &population->workloads.items[number];
    const int64_t replicas = population_replicas_most(population, number);
    int64_t surge_most = 0;
    for (uint32_t i = 0; workload->deployment && i < workload->specs.count; i++) {
        const struct deployment *deployment = workload->specs.items[i]->as.deployment;
        const int64_t surge = int_or_percent_of(deployment->max_surge, replicas, true);
        surge_most = surge > surge_most ? surge : surge_most;
    }
    return (uint32_t)(replicas + surge_most);
}

static bool is_known(const struct worker *worker, uint32_t number)
{
    const struct population *population = worker->population;
    const struct revision *revision = &population->revisions.items[number];
    if (revision->workload >= population->managed_count)
        return false;
    const struct workload *workload = &population->workloads.items[revision->workload];
    return (workload->deployment || workload->is_set) && !revision->node_name && !revision->gated &&
           revision->disks.count == 0 && revision->home == 0 &&
           !looks_at_pods(&revision->pod->spec) && is_apart(worker, number);
}

/* ---- spreads ---- */

static int by_config(const void *left, const void *right)
{
    const struct view_node *a = left;
    const struct view_node *b = right;
    return (a->config > b->config) - (a->config < b->config);
}

/* Nodes of one config are one entry. */
static void put_in_order(struct spread *spread)
{
    uint32_t count = 0;
    qsort(spread->nodes, spread->node_count, sizeof(*spread->nodes), by_config);
    for (uint32_t n = 0; n < spread->node_count; n++) {
        const struct view_node node = spread->nodes[n];
        if (count > 0 && spread->nodes[count - 1].config == node.config)
            spread->nodes[count - 1].count += node.count;
        else if (node.count > 0)
            spread->nodes[count++] = node;
    }
    spread->node_count = count;
}

static bool is_same(const struct spread *one, const struct spread *other)
{
    return one->node_count == other->node_count &&
           memcmp(one->nodes, other->nodes, one->node_count * sizeof(*one->nodes)) == 0;
}

static void add_spread(struct gathering *gathering, struct spread spread)
{
    put_in_order(&spread);
    for (uint32_t s = 0; s < gathering->count; s++)
        if (is_same(&gathering->spreads[s], &spread))
            return;
    if (gathering->count == SPREADS_MOST)
        gathering->overflowed = true;
    else
        gathering->spreads[gathering->count++] = spread;
}

/* Adds the spread in which one node of the entry has this config instead. */
static void add_changed(struct gathering *gathering, const struct spread *spread, uint32_t entry,
                        uint32_t config)
{
    struct worker *worker = gathering->worker;
    struct spread changed = {
        .nodes = ARENA_ARRAY(&worker->scratch, struct view_node, spread->node_count + 1),
        .node_count = spread->node_count + 1,
        .pods = spread->pods + config_at(worker, config)->pod_count -
                config_at(worker, spread->nodes[entry].config)->pod_count};
    memcpy(changed.nodes, spread->nodes, spread->node_count * sizeof(*changed.nodes));
    changed.nodes[entry].count--;
    changed.nodes[spread->node_count] = (struct view_node){config, 1};
    add_spread(gathering, changed);
}

static void note_most(struct gathering *gathering, uint32_t config)
{
    const struct worker *worker = gathering->worker;
    const uint32_t kind = config_template(worker, config)->node;
    uint32_t *most = &gathering->most[worker->population->node_kinds.items[kind].group];
    const uint32_t pods = config_at(worker, config)->pod_count;
    *most = pods > *most ? pods : *most;
}

/* A pod is bound, to any node that may be the best. */
static void add_bound(struct gathering *gathering, const struct spread *spread)
{
    struct worker *worker = gathering->worker;
    const uint32_t class = worker->population->revisions.items[gathering->revision].pending_class;
    const struct view view = {
        .catalog = worker->catalog, .nodes = spread->nodes, .node_count = spread->node_count};
    const struct decision *decision = scheduler_decide(worker->scheduler, &view, class, VIEW_NONE);
    uint32_t count = 0;
    if (!decision || decision->best_count == 0)
        return;
    const uint32_t *best = best_beside(worker, &view, class, decision, &count,
                                       gathering->images_decide ? NULL : &gathering->images_decide);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t config =
            config_with_new_pod(worker, spread->nodes[best[i]].config, gathering->revision);
        note_most(gathering, config);
        add_changed(gathering, spread, best[i], config);
    }
}

/* A pod is gone, or begins to terminate: scores do not count it any more. */
static void add_gone(struct gathering *gathering, const struct spread *spread)
{
    struct worker *worker = gathering->worker;
    for (uint32_t n = 0; n < spread->node_count; n++) {
        const uint32_t number = spread->nodes[n].config;
        if (config_at(worker, number)->pod_count > 0)
            add_changed(
                gathering, spread, n,
                config_replace(worker, number, config_at(worker, number)->pods[0].pod, VIEW_NONE));
    }
}

/* Runs begin without pods on nodes. */
static bool begins_empty(struct worker *worker)
{
    const struct state *initial = worker->population->initial;
    for (uint32_t n = 0; n < initial->node_count; n++)
        if (state_config(worker, initial, n)->pod_count > 0 ||
            config_condition(worker, initial->nodes[n].config) != NODE_UP)
            return false;
    return true;
}

static void find_spreads(struct gathering *gathering)
{
    struct worker *worker = gathering->worker;
    const struct state *initial = worker->population->initial;
    struct spread none = {
        .nodes = ARENA_ARRAY(&worker->scratch, struct view_node, initial->node_count + 1),
        .node_count = initial->node_count};
    memcpy(none.nodes, initial->nodes, initial->node_count * sizeof(*none.nodes));
    add_spread(gathering, none);
    for (uint32_t s = 0; s < gathering->count && !gathering->overflowed; s++) {
        const struct spread spread = gathering->spreads[s];
        add_gone(gathering, &spread);
        if (spread.pods < gathering->pods_most)
            add_bound(gathering, &spread);
    }
}

/* Does the event come to nodes without taking any? */
static bool looks_at_nodes(const struct population_event *event)
{
    return event->workload == UINT32_MAX && event->effects.count == 0 &&
           event_has(event, LEAVES_NODES_READY);
}

uint32_t gathering_nodes_away(const struct population *population, uint32_t nodes_back)
{
    bool takes = nodes_back > 0 && nodes_back < UINT32_MAX;
    for (uint32_t e = 0; e < population->events.count; e++)
        takes &= !looks_at_nodes(&population->events.items[e]);
    /* All others may have come before, but not the one that comes. */
    return takes ? nodes_back - 1 : nodes_back;
}

uint32_t gathering_count(const struct population *population)
{
    return population->revisions.count * population->scope->group_count;
}

void gathering_find(struct worker *worker, uint32_t *most, bool *images_decide)
{
    const struct population *population = worker->population;
    const uint32_t groups = population->scope->group_count;
    const enum check_start start = population->scope->start;
    const bool asks = (start == START_EMPTY || start == START_SETTLED) && begins_empty(worker) &&
                      !population->options.sets_lag && !population->autoscaling;
    for (uint32_t i = 0; i < gathering_count(population); i++)
        most[i] = UINT32_MAX;
    *images_decide = false;
    for (uint32_t r = 0; asks && r < population->revisions.count; r++) {
        if (!is_known(worker, r))
            continue;
        const struct arena_mark mark = arena_mark(&worker->scratch);
        struct gathering *gathering = ARENA_ARRAY(&worker->scratch, struct gathering, 1);
        gathering->worker = worker;
        gathering->revision = r;
        gathering->pods_most = pods_most(population, population->revisions.items[r].workload);
        gathering->most = ARENA_ARRAY(&worker->scratch, uint32_t, groups + 1);
        find_spreads(gathering);
        if (!gathering->overflowed) {
            memcpy(&most[(size_t)r * groups], gathering->most, groups * sizeof(*most));
            *images_decide |= gathering->images_decide;
        }
        arena_rewind(&worker->scratch, mark);
    }
}
