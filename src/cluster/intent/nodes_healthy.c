/* SPDX-License-Identifier: Apache-2.0 */
/* nodesHealthy: no node goes down because of load; with `loop`, none does so for ever. If it is
 * limited to a workload, no node that runs pods of it. */
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

/* Has the node a pod of the workload that does not terminate? */
static bool runs(const struct judged *judged, uint32_t entry, uint32_t workload)
{
    const struct worker *worker = judged->worker;
    const struct node_config *config = config_at(worker, judged->state->nodes[entry].config);
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (class_revision(worker, config->pods[p].pod)->workload == workload &&
            class_info(worker, config->pods[p].pod)->stage != STAGE_TERMINATING)
            return true;
    return false;
}

static bool mark(const struct judged *judged)
{
    const uint32_t workload = judged->intent->workload;
    return judged->happening->action == ACT_PANIC &&
           (workload == UINT32_MAX || runs(judged, judged->happening->node, workload));
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
