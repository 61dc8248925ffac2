/* SPDX-License-Identifier: Apache-2.0 */
/* endpointsLive: nobody sends requests to a pod that has stopped or cannot be reached. */
#include "cluster/ask/traffic.h"
#include "cluster/intent/services.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

/* Endpoints of the workload that clients reach. */
static uint32_t reached_endpoints(struct population_worker *worker,
                                  const struct population_state *state, const struct intent *intent)
{
    const struct population *population = worker->population;
    uint32_t total = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = worker->catalog->configs.items[state->nodes[n].config];
        if (!condition_traits[config_condition(worker, state->nodes[n].config)].reached)
            continue;
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info *info = &worker->classes.items[config->pods[p].pod];
            const struct revision *revision = &population->revisions.items[info->revision];
            const bool endpoint = info->stage == STAGE_READY || (info->stage == STAGE_TERMINATING &&
                                                                 info->level == ENDING_ENDPOINT);
            if (endpoint && revision->served && intent_concerns(intent, revision->workload))
                total += config->pods[p].count * state->nodes[n].count;
        }
    }
    return total;
}

/* Is a request sent to a pod that has stopped, or cannot be reached? */
static bool mark(struct population_worker *worker, const struct population_state *state,
                 struct population_state *next, const struct intent *intent,
                 const struct happening *happening)
{
    if (happening->action == ACT_TERMINATED)
        return intent_concerns(intent, happening->workload) &&
               endpoint_stopped(worker, state, next, happening->revision);
    /* Whoever deletes a pod tells it to end. If a node is gone, however that came about, it
     * takes a while until that is noticed, and until then requests go there. */
    return (action_has(happening->action, IS_EVENT) || happening->action == ACT_PANIC) &&
           happening->revision == UINT32_MAX &&
           reached_endpoints(worker, next, intent) < reached_endpoints(worker, state, intent);
}

static void check(const struct scope *scope, const struct check_intent *intent,
                  struct problems *problems)
{
    services_check(scope, intent, NULL, problems);
}

const struct intent_class intent_endpoints_live = {
    .kind = INTENT_ENDPOINTS_LIVE,
    .violated_by = VIOLATED_BY_STEP,
    .mark = mark,
    .ignores = IGNORES_CREATION_ORDER,
    .check = check,
    .needs_services = true,
    .needs_endpoints = true,
    .premise = "endpoints: 5 s after a pod was told to end nobody sends requests to it any "
               "more, as long as another one is ready",
};
