/* SPDX-License-Identifier: Apache-2.0 */
/* nodesHealthy: no node goes down because of load; with `loop`, none does so for ever. */
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/happening.h"

static bool mark(const struct judged *judged)
{
    return judged->happening->action == ACT_PANIC;
}

#define NODES_HEALTHY \
    .mark = mark, .ignores = IGNORES_READINESS | IGNORES_CREATION_ORDER, .blames = BLAMES_REQUESTS

static const struct intent_class loop = {NODES_HEALTHY, .violated_by = VIOLATED_BY_LOOP};

static const struct intent_class *form(const struct check_intent *source)
{
    return source->loop ? &loop : &intent_nodes_healthy;
}

const struct intent_class intent_nodes_healthy = {NODES_HEALTHY, .form = form};
