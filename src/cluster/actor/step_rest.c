/* SPDX-License-Identifier: Apache-2.0 */
/* Those who act upon what events have left: the garbage collector, and who applies again. */
#include "cluster/actor/actor.h"
#include "cluster/actor/steps.h"
#include "cluster/emit.h"

const struct actor actor_garbage_collector = {
    .name = "garbage collector",
    .pace = PACE_FAST,
    .step = step_garbage,
    .writes = PART_WAITING | PART_PODS | PART_SETS | PART_STATUSES | PART_NOMINATIONS,
};

const struct actor actor_rollback = {
    .name = "user who takes an apply back",
    .pace = PACE_FAST,
    .step = step_rollbacks,
    .lazy_with_clocks = true,
};

static void reapply(struct expansion *expansion)
{
    step_reapplies(expansion, expansion->settled);
}

const struct actor actor_gitops = {
    .name = "GitOps controller",
    .pace = PACE_WATCHING,
    .step = reapply,
};
