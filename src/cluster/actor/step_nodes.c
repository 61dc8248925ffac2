/* SPDX-License-Identifier: Apache-2.0 */
/* What happens on nodes beside the kubelets' work: taints, drains, load. */
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
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/workloads.h"
#include "decide/controller/taint_manager.h"
#include "object/taint.h"

#include <string.h>

typedef void (*each_pod)(struct expansion *expansion, uint32_t entry, uint32_t class,
                         const struct class_info *info);

/* Every kind of pod on every kind of node that `concerns` says yes to. */
static void for_each_pod(struct expansion *expansion, bool (*concerns)(const struct config_facts *),
                         each_pod visit)
{
    struct population_worker *worker = expansion->worker;
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const struct node_config *config =
            worker->catalog->configs.items[expansion->state->nodes[n].config];
        if (!concerns(config_facts(worker, config->id)))
            continue;
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info info = worker->classes.items[config->pods[p].pod];
            visit(expansion, n, config->pods[p].pod, &info);
        }
    }
}

/* One pod of the class on one node of the entry becomes another. */
static void change_pod(struct expansion *expansion, uint32_t entry, uint32_t from, uint32_t to,
                       enum population_action action)
{
    struct population_worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    struct population_state *next = state_copy(worker, expansion->state);
    const uint32_t revision = worker->classes.items[from].revision;
    state_move_node(worker, next, entry,
                    config_replace(worker, next->nodes[entry].config, from, to));
    expansion_emit(expansion, next,
                   &(struct happening){.action = action,
                                       .workload = population->revisions.items[revision].workload,
                                       .revision = revision,
                                       .node = entry,
                                       .amount = 1,
                                       .victims = victims_of(population, revision)});
}

/* May pods of the revision still come to a node that is silent? The scheduler binds
 * none there. */
static bool reaches_silent_nodes(const struct population *population, uint32_t revision)
{
    const uint32_t workload = population->revisions.items[revision].workload;
    return population->revisions.items[revision].node_name ||
           population->workloads.items[workload].kind == OBJECT_DAEMON_SET;
}

/* Premise: a kubelet is done with a pod before as many others of its workload
 * as that has replicas are evicted from the same node. Without it terminating
 * pods would pile up without end. Nobody waits for one that is gone, where no more
 * pods can come. */
static bool kubelet_lags(const struct expansion *expansion, uint32_t entry, uint32_t revision)
{
    struct population_worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct node_config *config =
        worker->catalog->configs.items[expansion->state->nodes[entry].config];
    const int32_t replicas =
        expansion->state->replicas[population->revisions.items[revision].workload];
    int64_t ending = 0;
    if (!condition_traits[config_condition(worker, config->id)].works &&
        !reaches_silent_nodes(population, revision))
        return false;
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct class_info *info = &worker->classes.items[config->pods[p].pod];
        if (info->revision == revision && info->stage == STAGE_TERMINATING)
            ending += config->pods[p].count;
    }
    return ending > 0 && ending >= (replicas > 1 ? replicas : 1);
}

/* A NoExecute taint that the pod does not tolerate, or tolerates for a while
 * only. Without clocks time passes, so the while is over some day. */
static void taint_manager(struct expansion *expansion, uint32_t entry, uint32_t class,
                          const struct class_info *info)
{
    struct population_worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct node *node =
        worker->catalog->configs.items[expansion->state->nodes[entry].config]->template->node;
    const struct pod_spec *spec = &population->revisions.items[info->revision].pod->spec;
    const bool bystander =
        population->workloads.items[population->revisions.items[info->revision].workload].bystander;
    if (info->stage == STAGE_TERMINATING ||
        expansion_ignores(expansion, population->revisions.items[info->revision].workload) ||
        (!bystander && kubelet_lags(expansion, entry, info->revision)))
        return;
    /* Nobody is driven from silent nodes when all are silent. */
    const bool silent =
        !condition_traits[config_condition(worker, expansion->state->nodes[entry].config)].ready &&
        lifecycle_evicts(worker, expansion->state);
    const int64_t seconds = node_tolerated_seconds(&worker->scratch, node, spec, silent);
    if (seconds == TOLERATED_FOREVER)
        return;
    if (population->clock && !clock_tolerated_for(worker, expansion->state, entry, class, seconds))
        return;
    /* A node is given up after 40 s and more, and tolerated for minutes. */
    expansion->lazy = !population->clock && (silent || seconds > 0);
    change_pod(expansion, entry, class,
               class_ending(worker, expansion->state->nodes[entry].config, class), ACT_TAINT_EVICT);
    expansion->lazy = false;
}

static bool is_tainted(const struct config_facts *facts)
{
    return facts->tainted;
}

static void step_taints(struct expansion *expansion)
{
    if (!state_nodes_are_plain(expansion->worker, expansion->state))
        for_each_pod(expansion, is_tainted, taint_manager);
}

/* ---- maintenance ---- */

static void drain_pod(struct expansion *expansion, uint32_t entry, uint32_t class,
                      const struct class_info *info)
{
    struct population_worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    if (info->stage == STAGE_TERMINATING || population->revisions.items[info->revision].pinned)
        return;
    if (!eviction_is_allowed(worker, expansion->state, info->revision, info->stage))
        return;
    change_pod(expansion, entry, class,
               class_ending(worker, expansion->state->nodes[entry].config, class), ACT_DRAIN_EVICT);
}

static void change_node(struct expansion *expansion, uint32_t entry, enum node_condition condition,
                        enum population_action action)
{
    struct population_worker *worker = expansion->worker;
    struct population_state *next = state_copy(worker, expansion->state);
    state_move_node(worker, next, entry,
                    config_with_condition(worker, next->nodes[entry].config, condition));
    lifecycle_forget_taints(worker, next);
    expansion_emit(
        expansion, next,
        &(struct happening){
            .action = action, .workload = UINT32_MAX, .revision = UINT32_MAX, .node = entry});
}

/* Nothing is left but the node's own pods. */
static bool is_drained(struct population_worker *worker, uint32_t number)
{
    const struct population *population = worker->population;
    const struct node_config *config = worker->catalog->configs.items[number];
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (!population->revisions.items[worker->classes.items[config->pods[p].pod].revision]
                 .pinned)
            return false;
    return true;
}

static bool is_cordoned(const struct config_facts *facts)
{
    return facts->condition == NODE_CORDONED;
}

static void step_drains(struct expansion *expansion)
{
    struct population_worker *worker = expansion->worker;
    if (state_nodes_are_plain(worker, expansion->state))
        return;
    for_each_pod(expansion, is_cordoned, drain_pod);
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const uint32_t config = expansion->state->nodes[n].config;
        const enum node_condition condition = config_condition(worker, config);
        if (condition == NODE_CORDONED && is_drained(worker, config))
            change_node(expansion, n, NODE_AWAY, ACT_DRAIN_DONE);
        /* Repairs take their time. */
        expansion->lazy = true;
        if (condition_traits[condition].returns &&
            (condition != NODE_GONE_AWHILE ||
             config_entry_count(worker->catalog->configs.items[config]) == 0))
            change_node(expansion, n, NODE_UP, ACT_NODE_RETURN);
        expansion->lazy = false;
    }
}

const struct actor actor_taint_manager = {
    .name = "taint manager",
    .pace = PACE_FAST,
    .step = step_taints,
    .reads = PART_WORKLOADS | PART_PODS | PART_NODES | PART_CLOCKS,
    .writes = PART_PODS,
};

const struct actor actor_drain = {
    .name = "drain",
    .pace = PACE_FAST,
    .step = step_drains,
    .writes = PART_PODS | PART_NODES,
};
