/* SPDX-License-Identifier: Apache-2.0 */
/* How far Jobs are, and what counts as a failure of one of their pods. */
#include "cluster/ask/jobs.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

bool job_pod_runs(struct worker *worker, uint32_t config, uint32_t class)
{
    const struct class_info *info = class_info(worker, class);
    const enum node_condition condition = config_condition(worker, config);
    return info->stage == STAGE_READY &&
           (condition == NODE_UP || condition == NODE_CORDONED || condition == NODE_POOL) &&
           revision_workload(worker->population, info->revision)->kind == OBJECT_JOB;
}

bool jobs_run(struct worker *worker, const struct state *state)
{
    if (!worker->population->has_jobs)
        return false;
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);)
        if (job_pod_runs(worker, pods.config->id, pods.class))
            return true;
    return false;
}

static int64_t all_pods(struct worker *worker, const struct state *state, uint32_t revision)
{
    return (int64_t)state_active(worker, state, revision) +
           state_terminating(worker, state, revision);
}

void jobs_count_lost(struct worker *worker, const struct state *state, struct state *next,
                     enum population_action action)
{
    if (action_has(action, IS_NO_FAILURE))
        return;
    for (uint32_t w = 0; w < worker->population->managed_count; w++) {
        const struct workload *workload = &worker->population->workloads.items[w];
        if (workload->kind == OBJECT_JOB && next->present[w] != WORKLOAD_ABSENT &&
            next->statuses[w].over == JOB_GOES_ON)
            next->statuses[w].failed +=
                (int32_t)(all_pods(worker, state, workload->first_revision) -
                          all_pods(worker, next, workload->first_revision));
    }
}

uint32_t jobs_finished(const struct population *population, const struct state *state,
                       uint32_t workload)
{
    const struct workload_status *status = &state->statuses[workload];
    if (population->workloads.items[workload].kind != OBJECT_JOB)
        return 0;
    if (status->over != JOB_GOES_ON)
        return 1;
    return (uint32_t)(status->succeeded + (status->failed > 0 ? status->failed : 0));
}
