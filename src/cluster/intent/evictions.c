/* SPDX-License-Identifier: Apache-2.0 */
/* neverEvicted, neverPreempted and noEvictionLoop: steps that take pods away from their
 * nodes. */
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"

/* Does the step, by an action of this trait, take pods away from a workload that the intent is
 * about? */
static bool victims_concern(const struct judged *judged, unsigned trait)
{
    const struct intent *intent = judged->intent;
    const struct workload *workloads = judged->population->workloads.items;
    const uint64_t victims = judged->happening->victims;
    return action_has(judged->happening->action, trait) &&
           (intent->workload == UINT32_MAX ? victims != 0
                                           : victims >> workloads[intent->workload].victim_bit & 1);
}

static bool mark_evicted(const struct judged *judged)
{
    return victims_concern(judged, EVICTS_PODS);
}

static bool mark_preempted(const struct judged *judged)
{
    return victims_concern(judged, PREEMPTS_PODS);
}

/* Which pods are evicted is all that is asked, not from where or what else becomes of them. */
enum {
    IGNORED = IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER |
              IGNORES_OTHER_WORKLOADS | IGNORES_PLACES
};

const struct intent_class intent_never_evicted = {
    .mark = mark_evicted,
    .ignores = IGNORED,
};

const struct intent_class intent_never_preempted = {
    .mark = mark_preempted,
    .ignores = IGNORED,
};

const struct intent_class intent_no_eviction_loop = {
    .violated_by = VIOLATED_BY_LOOP,
    .mark = mark_evicted,
    .ignores = IGNORED,
    .usual = 2,
};
