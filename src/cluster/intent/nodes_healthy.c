/* SPDX-License-Identifier: Apache-2.0 */
/* nodesHealthy: no node goes down because of load; with `loop`, none does so for ever. */
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"

static bool mark(const struct judged *judged)
{
    return judged->happening->action == ACT_PANIC;
}

static bool may_panic(const struct judged *judged)
{
    for (uint32_t e = 0; e < judged->population->events.count; e++)
        if (event_kind_has(judged->population->events.items[e].event->kind, EVENT_FACT_PANICS))
            return true;
    return false;
}

#define NODES_HEALTHY                                                                     \
    .mark = mark, .applies = may_panic, .never_applied = "there is no kernelPanic event", \
    .ignores = IGNORES_READINESS | IGNORES_CREATION_ORDER, .blames = BLAMES_REQUESTS

static const struct intent_class loop = {NODES_HEALTHY, .violated_by = VIOLATED_BY_LOOP};

static const struct intent_class *form(const struct check_intent *source)
{
    return source->loop ? &loop : &intent_nodes_healthy;
}

const struct intent_class intent_nodes_healthy = {NODES_HEALTHY, .form = form};
