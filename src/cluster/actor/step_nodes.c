/* SPDX-License-Identifier: Apache-2.0 */
/* The taint manager, which evicts pods from tainted nodes, and drains of cordoned nodes. */
#include "cluster/actor_type.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/ask/taint_ages.h"
#include "cluster/ask/tolerations.h"
#include "cluster/emit.h"
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

/* May pods of the revision still come to a node that is silent? The scheduler binds
 * none there. */
static bool reaches_silent_nodes(const struct population *population, uint32_t revision)
{
    return population->revisions.items[revision].node_name ||
           revision_workload(population, revision)->kind == OBJECT_DAEMON_SET;
}

/* Premise: a pod terminates before as many other pods of its workload as the workload has
 * replicas are evicted from the same node. Without it the number of terminating pods would
 * have no bound. It does not apply to a node whose kubelet does not work, if no more pods can
 * come there. */
static bool kubelet_lags(const struct expansion *expansion, const struct pod_walk *pods)
{
    const struct config_facts *facts = config_facts(pods->worker, pods->config->id);
    const uint32_t revision = pods->info->revision;
    const int32_t replicas =
        expansion->state->replicas[expansion->population->revisions.items[revision].workload];
    uint32_t ending = 0;
    if (!condition_traits[facts->condition].works &&
        !reaches_silent_nodes(expansion->population, revision))
        return false;
    for (uint32_t p = 0; p < facts->pod_count; p++)
        if (facts->pods[p].revision == revision)
            ending = facts->pods[p].terminating;
    return ending > 0 && (int64_t)ending >= replicas;
}

/* A NoExecute taint that the pod does not tolerate, or tolerates for a while
 * only. Without clocks any time may pass, so the toleration ends some time. */
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
    /* Nodes that stop together are noticed within seconds, before a longer while is over. */
    if (seconds > NOTICE_SECONDS && !lifecycle_notices_all(worker, expansion->state))
        return;
    /* A node is given up after 40 s and more, and tolerated for minutes. */
    expansion->lazy = !population->clock && (silent || seconds > 0);
    expansion_emit_eviction(expansion, ACT_TAINT_EVICT, pods->entry, pods->class);
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

/* Is the pod one that a drain of its node evicts and waits for? It lists the pods once, and leaves
 * out those that belong to the node. */
static bool is_listed(const struct worker *worker, uint32_t class)
{
    return !class_revision(worker, class)->pinned &&
           !class_is_late(worker->population, class_info(worker, class));
}

/* Are all pods gone that the drain has listed? */
static bool is_drained(struct worker *worker, uint32_t number)
{
    const struct node_config *config = config_at(worker, number);
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (is_listed(worker, config->pods[p].pod))
            return false;
    return true;
}

static void step_drains(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    const struct others *others = expansion->population->options.others;
    if (state_nodes_are_plain(worker, state))
        return;
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);)
        if (config_condition(worker, pods.config->id) != NODE_CORDONED)
            pods_skip_nodes(&pods);
        else if (pods.info->stage != STAGE_TERMINATING && is_listed(worker, pods.class) &&
                 eviction_is_allowed(worker, state, pods.info->revision, pods.info->stage) &&
                 !expansion_refuses_request(expansion, REQUEST_EVICTION, pods.info->revision))
            expansion_emit_eviction(expansion, ACT_DRAIN_EVICT, pods.entry, pods.class);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        const enum node_condition condition = config_condition(worker, config);
        /* Others may still be there. */
        expansion->crowding = !others                       ? CROWDING_NONE
                              : others->leave_drained_nodes ? CROWDING_LENGTHY
                                                            : CROWDING_LASTING;
        if (condition == NODE_CORDONED && is_drained(worker, config)) {
            if (expansion->crowding == CROWDING_LASTING)
                worker->findings.hindered |= HINDERED_BY_STAYING;
            expansion_emit_condition(expansion, n, NODE_AWAY, ACT_DRAIN_DONE);
        }
        expansion->crowding = CROWDING_NONE;
        /* The cluster is at rest although the node will be repaired. */
        expansion->lazy = true;
        if (condition_traits[condition].returns &&
            (condition != NODE_GONE_AWHILE || config_entry_count(config_at(worker, config)) == 0))
            expansion_emit_condition(expansion, n, NODE_UP, ACT_NODE_RETURN);
        expansion->lazy = false;
    }
}

const struct actor actor_taint_manager = {
    .name = "taint manager",
    .step = step_taints,
    .minds_ends = never_minds,
    .minds_waits = never_minds,
    .reads = PART_WORKLOADS | PART_PODS | PART_NODES | PART_CLOCKS,
    .writes = PART_PODS,
};

const struct actor actor_drain = {
    .name = "drain",
    .step = step_drains,
    .minds_ends = budgets_span_workloads,
    .minds_waits = budgets_span_workloads,
    .writes = PART_PODS | PART_NODES | PART_NOTES,
};
