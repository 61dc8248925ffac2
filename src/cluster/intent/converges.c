/* SPDX-License-Identifier: Apache-2.0 */
/* converges and rolloutCompletes: in the end every workload is, and stays, as its spec
 * wants it. */
#include "cluster/ask/progress.h"
#include "cluster/intent_class.h"
#include "cluster/state/state.h"

static bool is_unconverged(const struct judged *judged, uint32_t workload)
{
    return judged->state->present[workload] != WORKLOAD_ABSENT &&
           !workload_converged(judged->worker, judged->state, workload,
                               judged->intent->source->kind == INTENT_ROLLOUT_COMPLETES);
}

const struct intent_class intent_converges = {
    .violated_by = VIOLATED_BY_LEAVING,
    .displeases = is_unconverged,
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS | IGNORES_PLACES,
    .blames = BLAMES_PROGRESS,
    .usual = 4,
};

const struct intent_class intent_rollout_completes = {
    .violated_by = VIOLATED_BY_LEAVING,
    .displeases = is_unconverged,
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS | IGNORES_PLACES,
    .refuses_jobs = true, /* a Job has nothing to roll out */
    .blames = BLAMES_ROLLOUT,
    .usual = 5,
};
