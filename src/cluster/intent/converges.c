/* SPDX-License-Identifier: Apache-2.0 */
/* converges and rolloutCompletes: in the end every workload is, and stays, as its spec
 * wants it. */
#include "cluster/ask/progress.h"
#include "cluster/intent/focus.h"
#include "cluster/intent_class.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

/* ---- converges ---- */

static bool is_unconverged(struct population_worker *worker, const struct population_state *state,
                           const struct intent *intent, uint32_t workload)
{
    (void)intent;
    return !is_out_of_focus(state, workload) && !workload_converged(worker, state, workload, false);
}

static bool all_converged(struct population_worker *worker, const struct population_state *state,
                          const struct intent *intent)
{
    const struct population *population = worker->population;
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (intent_concerns(intent, w) && state->present[w] != WORKLOAD_ABSENT &&
            is_unconverged(worker, state, intent, w))
            return false;
    return true;
}

const struct intent_class intent_converges = {
    .kind = INTENT_CONVERGES,
    .violated_by = VIOLATED_BY_LEAVING,
    .atom = all_converged,
    .displeases = is_unconverged,
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS | IGNORES_PLACES,
    .blames = BLAMES_PROGRESS,
    .usual = 4,
};

/* ---- rolloutCompletes ---- */

static bool is_rolling_out(struct population_worker *worker, const struct population_state *state,
                           const struct intent *intent, uint32_t workload)
{
    (void)intent;
    return !is_out_of_focus(state, workload) && !workload_converged(worker, state, workload, true);
}

static bool all_rolled_out(struct population_worker *worker, const struct population_state *state,
                           const struct intent *intent)
{
    const struct population *population = worker->population;
    /* A Job has nothing to roll out. */
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (intent_concerns(intent, w) && state->present[w] != WORKLOAD_ABSENT &&
            population->workloads.items[w].kind != OBJECT_JOB &&
            is_rolling_out(worker, state, intent, w))
            return false;
    return true;
}

const struct intent_class intent_rollout_completes = {
    .kind = INTENT_ROLLOUT_COMPLETES,
    .violated_by = VIOLATED_BY_LEAVING,
    .atom = all_rolled_out,
    .displeases = is_rolling_out,
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS | IGNORES_PLACES,
    .refuses_jobs = true,
    .blames = BLAMES_ROLLOUT,
    .usual = 5,
};
