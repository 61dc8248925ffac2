/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traffic: the pods that Services send requests to.
 *
 * A ready pod that a Service selects is an endpoint. When it begins to terminate,
 * two things happen independently: the endpoint is removed everywhere (one step),
 * and the kubelet stops the pod (another step). A preStop hook delays the second,
 * at most for the grace period. Premise: after ENDPOINT_SECONDS the endpoint is
 * removed everywhere, so a pod that sleeps as long is not stopped before. Once no
 * ready endpoint is left, proxies send requests to those that terminate, until
 * they are stopped.
 *
 * The level of a class of terminating pods says whether they are endpoints.
 */
#include "cluster/ask/traffic.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/node_match.h"
#include "object/policy.h"

#include <string.h>

bool service_selects(const struct service *service, const struct object_meta *pod)
{
    return service->selector.count > 0 && strcmp(service->type, "ExternalName") != 0 &&
           strcmp(service->meta.namespace, pod->namespace) == 0 &&
           labels_include(&pod->labels, &service->selector);
}

/* The containers that serve are those with ports, or all if none has any. */
bool pod_serves_on(const struct pod_spec *spec)
{
    bool ports = false;
    for (uint32_t c = 0; c < spec->container_count; c++)
        ports |= spec->containers[c].port_count > 0;
    for (uint32_t c = 0; c < spec->container_count; c++)
        if ((!ports || spec->containers[c].port_count > 0) &&
            spec->containers[c].pre_stop_seconds < ENDPOINT_SECONDS)
            return false;
    return spec->termination_grace_seconds >= ENDPOINT_SECONDS;
}

bool kubelet_must_wait(const struct population *population, const struct class_info *info)
{
    const struct revision *revision = &population->revisions.items[info->revision];
    return population->endpoints && info->stage == STAGE_TERMINATING &&
           info->level == ENDING_ENDPOINT && revision->served && revision->serves_on &&
           !revision->published;
}

/* ---- pods that were endpoints ---- */

static uint32_t ending_pods(struct worker *worker, const struct state *state, uint32_t revision,
                            uint32_t level)
{
    uint32_t total = 0;
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);)
        if (pods.info->revision == revision && pods.info->stage == STAGE_TERMINATING &&
            pods.info->level == level)
            total += pods.count * pods.nodes;
    return total;
}

/* Is there a pod less of those that end at this level? */
static bool ending_is_over(struct worker *worker, const struct state *state,
                           const struct state *next, uint32_t revision, uint32_t level)
{
    return ending_pods(worker, next, revision, level) < ending_pods(worker, state, revision, level);
}

static bool has_ready_endpoint(struct worker *worker, const struct state *state,
                               const struct service_info *service)
{
    for (uint32_t r = 0; r < worker->population->revisions.count; r++)
        if (service->selects[r] && state_ready(worker, state, r) > 0)
            return true;
    return false;
}

bool endpoint_stopped(struct worker *worker, const struct state *state, const struct state *next,
                      uint32_t revision)
{
    const struct population *population = worker->population;
    if (ending_is_over(worker, state, next, revision, ENDING_ENDPOINT))
        return true;
    if (!endpoint_was_removed(worker, state, next, revision))
        return false;
    for (uint32_t s = 0; s < population->services.count; s++)
        if (population->services.items[s].selects[revision] &&
            !has_ready_endpoint(worker, state, &population->services.items[s]))
            return true;
    return false;
}

bool endpoint_was_removed(struct worker *worker, const struct state *state,
                          const struct state *next, uint32_t revision)
{
    return ending_is_over(worker, state, next, revision, ENDING_REMOVED);
}
