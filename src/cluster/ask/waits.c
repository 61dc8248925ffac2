/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/waits.h"
#include "cluster/ask/admission.h"
#include "cluster/ask/tolerations.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/pool.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/waits.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/taint_manager.h"

bool waits_in_pool(const struct worker *worker, uint32_t class)
{
    const struct class_info *info = class_info(worker, class);
    return worker->population->waits != WAITS_KEPT && info->stage == STAGE_STARTING &&
           worker->population->revisions.items[info->revision].workload <
               worker->population->managed_count;
}

uint32_t waits_class(struct worker *worker, uint32_t revision)
{
    return class_late(worker, class_of_new(worker, revision), false);
}

uint32_t waits_count(struct worker *worker, const struct state *state, uint32_t revision)
{
    const uint32_t class = waits_class(worker, revision);
    const struct node_config *pool = state_config(worker, state, pool_entry(worker, state));
    for (uint32_t p = 0; p < pool->pod_entry_count; p++)
        if (pool->pods[p].pod == class)
            return pool->pods[p].count;
    return 0;
}

/* Is the pod evicted in the end, and does its ReplicaSet make another one? */
static bool is_lost(struct worker *worker, const struct node_config *config, uint32_t class)
{
    const struct revision *revision = class_revision(worker, class);
    return revision->workload < worker->population->managed_count &&
           node_tolerated_seconds(&worker->scratch, config->template->node, &revision->pod->spec,
                                  true) != TOLERATED_FOREVER;
}

/* The config without the pods that are lost on such a node. */
static uint32_t without_lost(struct worker *worker, uint32_t number)
{
    for (uint32_t p = 0; p < config_at(worker, number)->pod_entry_count;) {
        const struct node_config *config = config_at(worker, number);
        const uint32_t class = config->pods[p].pod;
        if (is_lost(worker, config, class))
            number = config_replace(worker, number, class, VIEW_NONE);
        else
            p++;
    }
    return number;
}

/* How many pods the set of the revision lacks. */
static uint32_t lacking(struct worker *worker, const struct state *state, uint32_t revision)
{
    const int32_t wanted = state->sets[revision].replicas;
    const uint32_t active = wanted > 0 ? state_active(worker, state, revision) : 0;
    return wanted > 0 && active < (uint32_t)wanted ? (uint32_t)wanted - active : 0;
}

void waits_forget(struct worker *worker, struct state *next)
{
    const struct population *population = worker->population;
    if (population->waits == WAITS_AND_LOSSES_FORGOTTEN)
        for (uint32_t n = 0; n < next->node_count; n++)
            if (config_condition(worker, next->nodes[n].config) == NODE_DOWN)
                next->nodes[n].config = without_lost(worker, next->nodes[n].config);
    struct view_node *pool = &next->nodes[pool_entry(worker, next)];
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        if (population->revisions.items[r].workload >= population->managed_count)
            continue;
        const uint32_t added = next->pending[r] + lacking(worker, next, r);
        next->pending[r] = 0;
        for (uint32_t i = 0; i < added; i++)
            pool->config = config_with_new_pod(worker, pool->config, r);
    }
}
