/* SPDX-License-Identifier: Apache-2.0 */
/* endpointsLive: no request is sent to a pod that has stopped or cannot be reached. */
#include "cluster/ask/traffic.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"

/* How many endpoints clients reach in the state. */
static uint32_t reached_endpoints(const struct judged *judged, const struct state *state)
{
    struct worker *worker = judged->worker;
    uint32_t total = 0;
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);) {
        const struct revision *revision = class_revision(worker, pods.class);
        const bool endpoint =
            pods.info->stage == STAGE_READY ||
            (pods.info->stage == STAGE_TERMINATING && pods.info->level == ENDING_ENDPOINT);
        if (endpoint && revision->served && intent_concerns(judged->intent, revision->workload) &&
            condition_traits[config_condition(worker, state->nodes[pods.entry].config)].reached)
            total += pods.count * pods.nodes;
    }
    return total;
}

/* Can nodes go by the step, without their pods being told to end? */
static bool may_take_nodes(const struct happening *happening)
{
    return (action_has(happening->action, IS_EVENT) || happening->action == ACT_PANIC) &&
           happening->revision == UINT32_MAX;
}

/* Does a pod that serves stop, or may nodes go that have endpoints? */
static bool may_take_endpoints(const struct judged *judged)
{
    const struct happening *happening = judged->happening;
    if (!judged->next)
        return false;
    if (happening->action == ACT_TERMINATED)
        return intent_concerns(judged->intent, happening->workload) &&
               judged->population->revisions.items[happening->revision].served;
    return may_take_nodes(happening) && reached_endpoints(judged, judged->state) > 0;
}

/* Is a request sent to a pod that has stopped, or cannot be reached? */
static bool mark(const struct judged *judged)
{
    const struct happening *happening = judged->happening;
    if (happening->action == ACT_TERMINATED)
        return intent_concerns(judged->intent, happening->workload) &&
               endpoint_stopped(judged->worker, judged->state, judged->next, happening->revision);
    /* A pod that is deleted is told to end. That a node is gone is noticed only after a while,
     * and until then requests go there. */
    return may_take_nodes(happening) &&
           reached_endpoints(judged, judged->next) < reached_endpoints(judged, judged->state);
}

const struct intent_class intent_endpoints_live = {
    .mark = mark,
    .applies = may_take_endpoints,
    .never_applied = "nothing ever happened to an endpoint",
    .ignores = IGNORES_CREATION_ORDER,
    .needs_services = true,
    .needs_endpoints = true,
    .premise = "endpoints: 5 s after a pod was told to end nobody sends requests to it any "
               "more, as long as another one is ready",
};
