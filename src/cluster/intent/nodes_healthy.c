/* SPDX-License-Identifier: Apache-2.0 */
/* nodesHealthy: no node goes down because of load; with `loop`, none does so for ever. */
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"

static bool mark(struct population_worker *worker, const struct population_state *state,
                 struct population_state *next, const struct intent *intent,
                 const struct happening *happening)
{
    const struct population *population = worker->population;
    (void)population;
    (void)state;
    (void)next;
    (void)intent;
    return happening->action == ACT_PANIC;
}

static const struct intent_class loop = {
    .kind = INTENT_NODES_HEALTHY,
    .violated_by = VIOLATED_BY_LOOP,
    .mark = mark,
    .ignores = IGNORES_READINESS | IGNORES_CREATION_ORDER,
    .blames = BLAMES_REQUESTS,
};

static const struct intent_class *form(const struct check_intent *source)
{
    return source->loop ? &loop : &intent_nodes_healthy;
}

const struct intent_class intent_nodes_healthy = {
    .kind = INTENT_NODES_HEALTHY,
    .violated_by = VIOLATED_BY_STEP,
    .form = form,
    .mark = mark,
    .ignores = IGNORES_READINESS | IGNORES_CREATION_ORDER,
    .blames = BLAMES_REQUESTS,
};
