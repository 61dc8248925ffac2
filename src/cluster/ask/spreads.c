/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/spreads.h"
#include "cluster/ask/admission.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/default_selector.h"
#include "decide/scheduler/plugin_reads.h"

#include <stdlib.h>
#include <string.h>

/* ---- of which revisions they are known ---- */

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

/* So many pods a ReplicaSet of the workload should have in the dump that runs start from. */
static int64_t most_in_dump(const struct population *population, const struct workload *workload)
{
    int64_t most = 0;
    for (uint32_t r = 0; population->scope->start == START_OBSERVED && r < workload->revision_count;
         r++) {
        const int64_t wanted = population->initial->sets[workload->first_revision + r].replicas;
        most = wanted > most ? wanted : most;
    }
    return most;
}

/* May a Deployment make more pods than its replicas? It does where templates change. */
static bool surges(const struct population *population, const struct workload *workload)
{
    return workload->deployment &&
           (population->scope->start != START_OBSERVED || workload->revision_count > 1);
}

/* A ReplicaSet makes pods only as long as it has fewer than it should have, and its Deployment
 * never wants more of it than its replicas and the surge. */
static uint32_t pods_most(const struct population *population, uint32_t number)
{
    const struct workload *workload = &population->workloads.items[number];
    const int64_t replicas = population_replicas_most(population, number);
    int64_t surge_most = 0;
    for (uint32_t i = 0; surges(population, workload) && i < workload->specs.count; i++) {
        const struct deployment *deployment = workload->specs.items[i]->as.deployment;
        const int64_t surge = int_or_percent_of(deployment->max_surge, replicas, true);
        surge_most = surge > surge_most ? surge : surge_most;
    }
    const int64_t in_dump = most_in_dump(population, workload);
    return (uint32_t)(replicas + surge_most > in_dump ? replicas + surge_most : in_dump);
}

static bool goes_by_room(const struct worker *worker, uint32_t number)
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

/* All nodes are up where runs begin. */
static bool begins_up(struct worker *worker)
{
    const struct state *initial = worker->population->initial;
    for (uint32_t n = 0; n < initial->node_count; n++)
        if (config_condition(worker, initial->nodes[n].config) != NODE_UP)
            return false;
    return true;
}

/* Runs begin without pods on nodes. */
static bool begins_empty(struct worker *worker)
{
    const struct state *initial = worker->population->initial;
    for (uint32_t n = 0; n < initial->node_count; n++)
        if (state_config(worker, initial, n)->pod_count > 0)
            return false;
    return true;
}

/* Wherever runs begin. */
static bool are_known(struct worker *worker, uint32_t revision)
{
    const struct population *population = worker->population;
    return begins_up(worker) && !population->options.sets_lag && !population->autoscaling &&
           goes_by_room(worker, revision);
}

bool spreads_are_known(struct worker *worker, uint32_t revision)
{
    const enum check_start start = worker->population->scope->start;
    return (start == START_EMPTY || start == START_SETTLED) && begins_empty(worker) &&
           are_known(worker, revision);
}

bool spreads_are_known_of_dump(struct worker *worker, uint32_t revision)
{
    return worker->population->scope->start == START_OBSERVED && are_known(worker, revision);
}

/* ---- where runs begin ---- */

/* The config with nothing but the pods of the revision that do not terminate, as if they had just
 * been bound. */
static uint32_t only_of_revision(struct worker *worker, uint32_t number, uint32_t revision)
{
    uint32_t count = 0;
    while (config_at(worker, number)->pod_entry_count > 0) {
        const uint32_t class = config_at(worker, number)->pods[0].pod;
        const struct class_info *info = class_info(worker, class);
        count += info->revision == revision && info->stage != STAGE_TERMINATING;
        number = config_replace(worker, number, class, VIEW_NONE);
    }
    for (uint32_t i = 0; i < count; i++)
        number = config_with_new_pod(worker, number, revision);
    return number;
}

static struct spread first_spread(struct worker *worker, uint32_t revision)
{
    const struct state *initial = worker->population->initial;
    struct spread first = {
        .nodes = ARENA_ARRAY(&worker->scratch, struct view_node, initial->node_count + 1),
        .node_count = initial->node_count};
    for (uint32_t n = 0; n < initial->node_count; n++) {
        const struct view_node *nodes = &initial->nodes[n];
        const uint32_t config = only_of_revision(worker, nodes->config, revision);
        first.nodes[n] = (struct view_node){config, nodes->count};
        first.pods += config_at(worker, config)->pod_count * nodes->count;
    }
    return first;
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

static void add_spread(struct spreads *spreads, struct spread spread)
{
    put_in_order(&spread);
    for (uint32_t s = 0; s < spreads->count; s++)
        if (is_same(&spreads->items[s], &spread))
            return;
    if (spreads->count == SPREADS_MOST)
        spreads->overflowed = true;
    else
        spreads->items[spreads->count++] = spread;
}

/* Adds the spread in which one node of the entry has this config instead. */
static void add_changed(struct spreads *spreads, const struct spread *spread, uint32_t entry,
                        uint32_t config)
{
    struct worker *worker = spreads->worker;
    struct spread changed = {
        .nodes = ARENA_ARRAY(&worker->scratch, struct view_node, spread->node_count + 1),
        .node_count = spread->node_count + 1,
        .pods = spread->pods + config_at(worker, config)->pod_count -
                config_at(worker, spread->nodes[entry].config)->pod_count};
    memcpy(changed.nodes, spread->nodes, spread->node_count * sizeof(*changed.nodes));
    changed.nodes[entry].count--;
    changed.nodes[spread->node_count] = (struct view_node){config, 1};
    add_spread(spreads, changed);
}

/* A pod is gone, or begins to terminate: scores do not count it any more. */
static void add_gone(struct spreads *spreads, const struct spread *spread)
{
    struct worker *worker = spreads->worker;
    for (uint32_t n = 0; n < spread->node_count; n++) {
        const uint32_t number = spread->nodes[n].config;
        if (config_at(worker, number)->pod_count > 0)
            add_changed(
                spreads, spread, n,
                config_replace(worker, number, config_at(worker, number)->pods[0].pod, VIEW_NONE));
    }
}

struct spreads *spreads_create(struct worker *worker, uint32_t revision)
{
    const struct population *population = worker->population;
    struct spreads *spreads = ARENA_ARRAY(&worker->scratch, struct spreads, 1);
    spreads->worker = worker;
    spreads->revision = revision;
    spreads->pods_most = pods_most(population, population->revisions.items[revision].workload);
    return spreads;
}

uint32_t spreads_add_bound(struct spreads *spreads, const struct spread *spread, uint32_t entry)
{
    const uint32_t config =
        config_with_new_pod(spreads->worker, spread->nodes[entry].config, spreads->revision);
    add_changed(spreads, spread, entry, config);
    return config;
}

void spreads_find(struct spreads *spreads,
                  void (*bind)(struct spreads *spreads, const struct spread *spread, void *context),
                  void *context)
{
    add_spread(spreads, first_spread(spreads->worker, spreads->revision));
    for (uint32_t s = 0; s < spreads->count && !spreads->overflowed; s++) {
        const struct spread spread = spreads->items[s];
        add_gone(spreads, &spread);
        if (spread.pods < spreads->pods_most)
            bind(spreads, &spread, context);
    }
}
