/* SPDX-License-Identifier: Apache-2.0 */
/* neverEvicted, neverPreempted and noEvictionLoop: steps that take pods away from their
 * nodes. */
#include "cluster/intent/victims.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"

static bool mark_evicted(const struct judged *judged)
{
    return action_has(judged->happening->action, EVICTS_PODS) &&
           victims_concern(judged->population, judged->intent, judged->happening);
}

static bool mark_preempted(const struct judged *judged)
{
    return action_has(judged->happening->action, PREEMPTS_PODS) &&
           victims_concern(judged->population, judged->intent, judged->happening);
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
