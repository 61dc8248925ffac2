/* SPDX-License-Identifier: Apache-2.0 */
/* The taint manager, which evicts pods from tainted nodes, and drains of cordoned nodes. */
#include "cluster/actor_type.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/ask/taint_ages.h"
#include "cluster/ask/tolerations.h"
#include "cluster/emit.h"
#include "cluster/intent/victims.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/taint_manager.h"
#include "object/taint.h"

#include <string.h>

/* One of the pods is evicted. */
static void evict(struct expansion *expansion, const struct pod_walk *pods,
                  enum population_action action)
{
    struct happening happening =
        happening_with(expansion->population, action, pods->info->revision, pods->entry, 1);
    happening.victims = victims_of(expansion->population, pods->info->revision);
    expansion_emit_pod(expansion, pods->class,
                       class_ending(expansion->worker, pods->config->id, pods->class), happening);
}

/* May pods of the revision still come to a node that is silent? The scheduler binds
 * none there. */
static bool reaches_silent_nodes(const struct population *population, uint32_t revision)
{
    return population->revisions.items[revision].node_name ||
           revision_workload(population, revision)->kind == OBJECT_DAEMON_SET;
}

/* Premise: a kubelet is done with a pod before as many others of its workload
 * as that has replicas are evicted from the same node. Without it terminating
 * pods would pile up without end. It does not count on a node whose kubelet does not work, if
 * no more pods can come there. */
static bool kubelet_lags(const struct expansion *expansion, const struct pod_walk *pods)
{
    const struct node_config *config = pods->config;
    const uint32_t revision = pods->info->revision;
    const int32_t replicas =
        expansion->state->replicas[expansion->population->revisions.items[revision].workload];
    int64_t ending = 0;
    if (!condition_traits[config_condition(pods->worker, config->id)].works &&
        !reaches_silent_nodes(expansion->population, revision))
        return false;
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct class_info *info = class_info(pods->worker, config->pods[p].pod);
        if (info->revision == revision && info->stage == STAGE_TERMINATING)
            ending += config->pods[p].count;
    }
    return ending > 0 && ending >= (replicas > 1 ? replicas : 1);
}

/* A NoExecute taint that the pod does not tolerate, or tolerates for a while
 * only. Without clocks time passes, so the while is over some day. */
static void taint_manager(struct expansion *expansion, const struct pod_walk *pods)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct revision *revision = &population->revisions.items[pods->info->revision];
    if (pods->info->stage == STAGE_TERMINATING ||
        expansion_ignores(expansion, revision->workload) ||
        (!population->workloads.items[revision->workload].bystander &&
         kubelet_lags(expansion, pods)))
        return;
    /* No pod is evicted from silent nodes when all nodes are silent. */
    const bool silent = !condition_traits[config_condition(worker, pods->config->id)].ready &&
                        lifecycle_evicts(worker, expansion->state);
    const int64_t seconds = node_tolerated_seconds(&worker->scratch, pods->config->template->node,
                                                   &revision->pod->spec, silent);
    if (seconds == TOLERATED_FOREVER ||
        (population->clock &&
         !clock_tolerated_for(worker, expansion->state, pods->entry, pods->class, seconds)))
        return;
    /* A node is given up after 40 s and more, and tolerated for minutes. */
    expansion->lazy = !population->clock && (silent || seconds > 0);
    evict(expansion, pods, ACT_TAINT_EVICT);
    expansion->lazy = false;
}

static void step_taints(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    if (state_nodes_are_plain(worker, expansion->state))
        return;
    for (struct pod_walk pods = pods_on_nodes(worker, expansion->state); pods_next(&pods);)
        if (config_facts(worker, pods.config->id)->tainted)
            taint_manager(expansion, &pods);
        else
            pods_skip_nodes(&pods);
}

/* ---- maintenance ---- */

static void drain_pod(struct expansion *expansion, const struct pod_walk *pods)
{
    const uint32_t revision = pods->info->revision;
    if (pods->info->stage != STAGE_TERMINATING &&
        !expansion->population->revisions.items[revision].pinned &&
        eviction_is_allowed(expansion->worker, expansion->state, revision, pods->info->stage))
        evict(expansion, pods, ACT_DRAIN_EVICT);
}

static void change_node(struct expansion *expansion, uint32_t entry, enum node_condition condition,
                        enum population_action action)
{
    struct worker *worker = expansion->worker;
    struct state *next = state_copy(worker, expansion->state);
    state_move_node(worker, next, entry,
                    config_with_condition(worker, next->nodes[entry].config, condition));
    lifecycle_forget_taints(worker, next);
    expansion_emit(expansion, next, happening_at(action, entry));
}

/* Are the node's own pods the only ones left? */
static bool is_drained(struct worker *worker, uint32_t number)
{
    const struct node_config *config = config_at(worker, number);
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (!class_revision(worker, config->pods[p].pod)->pinned)
            return false;
    return true;
}

static void step_drains(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    if (state_nodes_are_plain(worker, expansion->state))
        return;
    for (struct pod_walk pods = pods_on_nodes(worker, expansion->state); pods_next(&pods);)
        if (config_condition(worker, pods.config->id) == NODE_CORDONED)
            drain_pod(expansion, &pods);
        else
            pods_skip_nodes(&pods);
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const uint32_t config = expansion->state->nodes[n].config;
        const enum node_condition condition = config_condition(worker, config);
        if (condition == NODE_CORDONED && is_drained(worker, config))
            change_node(expansion, n, NODE_AWAY, ACT_DRAIN_DONE);
        /* Repairs take their time. */
        expansion->lazy = true;
        if (condition_traits[condition].returns &&
            (condition != NODE_GONE_AWHILE || config_entry_count(config_at(worker, config)) == 0))
            change_node(expansion, n, NODE_UP, ACT_NODE_RETURN);
        expansion->lazy = false;
    }
}

/* May a node be tainted, or in a condition that it has to come back from? */
static bool is_present(const struct population *population)
{
    for (uint32_t t = 0; t < population->templates.count; t++)
        if (population->templates.items[t].condition != NODE_UP ||
            population->catalog->templates.items[t]->node->spec.taint_count > 0)
            return true;
    return false;
}

const struct actor actor_taint_manager = {
    .name = "taint manager",
    .is_present = is_present,
    .step = step_taints,
    .reads = PART_WORKLOADS | PART_PODS | PART_NODES | PART_CLOCKS,
    .writes = PART_PODS,
};

const struct actor actor_drain = {
    .name = "drain",
    .is_present = is_present,
    .step = step_drains,
    .writes = PART_PODS | PART_NODES,
};
