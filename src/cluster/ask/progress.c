/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a workload is as its spec wants, so that its controller has nothing to do. */
#include "cluster/ask/progress.h"
#include "cluster/ask/daemon_sets.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/workloads.h"

/* Are there as many ready and updated pods as the spec says, and no others? */
static bool set_converged(struct population_worker *worker, const struct population_state *state,
                          uint32_t workload)
{
    const int64_t wanted = state->replicas[workload];
    return state_workload_active(worker, state, workload) == wanted &&
           state_ready(worker, state, state->present[workload]) == wanted;
}

/* So many pods of a StatefulSet are ready and as new as they should be: below the partition, and
 * with OnDelete, every revision is new enough. */
static uint32_t stateful_up_to_date(struct population_worker *worker,
                                    const struct population_state *state, uint32_t workload)
{
    const struct population *population = worker->population;
    const struct workload *of = &population->workloads.items[workload];
    const struct stateful_set *set = state_spec(population, state, workload)->as.stateful_set;
    const uint32_t present = population->revisions.items[state->present[workload]].number;
    uint32_t total = 0;
    for (uint32_t i = 0; i < of->revision_count; i++) {
        const struct revision *revision = &population->revisions.items[of->first_revision + i];
        const int32_t index = revision->ordinal - of->first_ordinal;
        if (index < state->replicas[workload] &&
            (set->update_strategy == UPDATE_ON_DELETE || index < set->partition ||
             revision->number == present))
            total += state_ready(worker, state, of->first_revision + i);
    }
    return total;
}

/* Do pods of a former template not count? With OnDelete the user replaces pods, and the controller
 * wants one pod on each node, of any template. */
static bool wants_updated(const struct population *population, const struct population_state *state,
                          uint32_t workload, bool rolled_out)
{
    return rolled_out || state_spec(population, state, workload)->as.daemon_set->update_strategy !=
                             UPDATE_ON_DELETE;
}

/* Is the Job complete? A suspended one wants to have no pods. */
static bool job_converged(struct population_worker *worker, const struct population_state *state,
                          uint32_t workload)
{
    if (state_spec(worker->population, state, workload)->as.job->suspend)
        return state_workload_active(worker, state, workload) == 0;
    return state->statuses[workload].over == JOB_IS_COMPLETE;
}

bool workload_converged(struct population_worker *worker, const struct population_state *state,
                        uint32_t workload, bool rolled_out)
{
    const struct population *population = worker->population;
    if (population->workloads.items[workload].kind == OBJECT_DAEMON_SET)
        return daemon_set_converged(worker, state, workload,
                                    wants_updated(population, state, workload, rolled_out));
    if (population->workloads.items[workload].kind == OBJECT_JOB)
        return job_converged(worker, state, workload);
    if (population->workloads.items[workload].kind != OBJECT_STATEFUL_SET)
        return set_converged(worker, state, workload);
    const int64_t wanted = state->replicas[workload];
    return state_workload_active(worker, state, workload) == wanted &&
           stateful_up_to_date(worker, state, workload) == wanted;
}
