/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/endings.h"
#include "cluster/population.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

static uint32_t ending_pods(struct worker *worker, const struct state *state, uint32_t workload)
{
    const struct workload *of = &worker->population->workloads.items[workload];
    uint32_t total = 0;
    for (uint32_t r = of->first_revision; r < of->first_revision + of->revision_count; r++)
        total += state_terminating(worker, state, r);
    return total;
}

/* Of these, the pods that a kubelet can be done with. */
static uint32_t ending_pods_served(struct worker *worker, const struct state *state,
                                   uint32_t workload)
{
    uint32_t total = 0;
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);)
        if (pods.info->stage == STAGE_TERMINATING &&
            worker->population->revisions.items[pods.info->revision].workload == workload &&
            condition_traits[config_condition(worker, pods.config->id)].works)
            total += pods.count * pods.nodes;
    return total;
}

bool endings_lag(struct worker *worker, const struct state *state, uint32_t workload)
{
    const struct population *population = worker->population;
    if (population->clock || population->options.interleaving == INTERLEAVING_SETTLED ||
        population->workloads.items[workload].bystander)
        return false;
    const int64_t replicas = state->replicas[workload];
    return ending_pods(worker, state, workload) > replicas &&
           ending_pods_served(worker, state, workload) > replicas;
}
