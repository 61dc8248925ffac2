/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a workload is as its spec wants, so that its controller has nothing to do. */
#include "cluster/ask/progress.h"
#include "cluster/ask/daemon_sets.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* So many pods of a StatefulSet are ready and as new as they should be: below the partition, and
 * with OnDelete, every revision is new enough. */
static uint32_t stateful_up_to_date(struct worker *worker, const struct state *state,
                                    uint32_t workload)
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

bool workload_converged(struct worker *worker, const struct state *state, uint32_t workload,
                        bool rolled_out)
{
    const struct population *population = worker->population;
    const enum object_kind kind = population->workloads.items[workload].kind;
    const uint32_t active = state_workload_active(worker, state, workload);
    const int64_t wanted = state->replicas[workload];
    /* With OnDelete the user replaces pods, and the controller wants one pod on each node, of any
     * template. */
    if (kind == OBJECT_DAEMON_SET)
        rolled_out |= state_spec(population, state, workload)->as.daemon_set->update_strategy !=
                      UPDATE_ON_DELETE;
    if (kind == OBJECT_DAEMON_SET)
        return daemon_set_converged(worker, state, workload, rolled_out);
    /* A suspended Job wants to have no pods. One that has succeeded wants nothing any more, even if
     * a pod of it never ends because its node is gone. */
    const enum job_end over = state->statuses[workload].over;
    if (kind == OBJECT_JOB)
        return state_spec(population, state, workload)->as.job->suspend
                   ? active == 0
                   : over == JOB_IS_COMPLETE || over == JOB_WILL_COMPLETE;
    return active == wanted &&
           wanted == (kind == OBJECT_STATEFUL_SET
                          ? stateful_up_to_date(worker, state, workload)
                          : state_ready(worker, state, state->present[workload]));
}
