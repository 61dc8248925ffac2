/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traffic: whom the Services send requests to.
 *
 * A ready pod that a Service selects is an endpoint. When it begins to
 * terminate, two things happen that know nothing of each other: the endpoint is
 * removed, everywhere (a step), and the kubelet stops the pod (another). A
 * preStop hook holds up the second, and so does the grace period that cuts it
 * short. Premise: after ENDPOINT_SECONDS the endpoint is removed everywhere, so
 * who sleeps as long is not stopped before. Once no ready endpoint is left,
 * proxies send requests to those that terminate, until they are stopped.
 *
 * A class of pods that terminate has as its level what it is to traffic.
 */
#include "cluster/traffic.h"
#include "cluster/configs.h"
#include "cluster/expansion.h"
#include "decide/scheduler/node_match.h"
#include "object/policy.h"

#include <string.h>

bool service_selects(const struct service *service, const struct object_meta *pod)
{
    if (service->selector.count == 0 || strcmp(service->type, "ExternalName") == 0 ||
        strcmp(service->meta.namespace, pod->namespace) != 0)
        return false;
    for (uint32_t i = 0; i < service->selector.count; i++) {
        const char *value = labels_find(&pod->labels, service->selector.items[i].key);
        if (!value || strcmp(value, service->selector.items[i].value) != 0)
            return false;
    }
    return true;
}

/* How long the containers that serve go on after the pod was told to end: those
 * with ports, or all if none has any. */
static int64_t serves_on_seconds(const struct pod_spec *spec)
{
    int64_t least = INT64_MAX;
    bool ports = false;
    for (uint32_t c = 0; c < spec->container_count; c++)
        ports |= spec->containers[c].port_count > 0;
    for (uint32_t c = 0; c < spec->container_count; c++)
        if ((!ports || spec->containers[c].port_count > 0) &&
            spec->containers[c].pre_stop_seconds < least)
            least = spec->containers[c].pre_stop_seconds;
    return least < spec->termination_grace_seconds ? least : spec->termination_grace_seconds;
}

bool pod_serves_on(const struct pod_spec *spec)
{
    return serves_on_seconds(spec) >= ENDPOINT_SECONDS;
}

void add_services(struct population *population)
{
    const struct surroundings *around = &population->catalog->surroundings;
    bool wanted = false;
    for (uint32_t i = 0; i < population->intents.count; i++)
        wanted |= population->intents.items[i].source->kind == INTENT_ENDPOINTS_LIVE ||
                  population->intents.items[i].source->kind == INTENT_TRAFFIC_BALANCED;
    for (uint32_t s = 0; wanted && s < around->services.count; s++) {
        struct service_info info = {
            .service = around->services.items[s],
            .selects = ARENA_ARRAY(&population->arena, bool, population->revisions.count + 1),
        };
        for (uint32_t r = 0; r < population->revisions.count; r++) {
            struct revision *revision = &population->revisions.items[r];
            info.selects[r] = service_selects(info.service, &revision->pod->meta);
            if (!info.selects[r])
                continue;
            revision->served = true;
            revision->published |= info.service->publish_not_ready_addresses;
            revision->serves_on = pod_serves_on(&revision->pod->spec);
        }
        VEC_PUSH(&population->arena, &population->services, info);
    }
}

uint32_t class_ending(const struct population *population, uint32_t config, uint32_t class)
{
    const struct class_info *info = &population->classes.items[class];
    if (!population->endpoints)
        return class_at(population, info->revision, STAGE_TERMINATING, 0);
    const bool endpoint = population->revisions.items[info->revision].served &&
                          pod_is_ready_on(population, info, config);
    return class_at(population, info->revision, STAGE_TERMINATING,
                    endpoint ? ENDING_ENDPOINT : ENDING_UNSERVED);
}

uint32_t class_deleted(const struct population *population, uint32_t config, uint32_t class)
{
    const struct class_info *info = &population->classes.items[class];
    return info->stage == STAGE_WAITING ? VIEW_NONE : class_ending(population, config, class);
}

bool kubelet_must_wait(const struct population *population, const struct class_info *info)
{
    const struct revision *revision = &population->revisions.items[info->revision];
    return population->endpoints && info->stage == STAGE_TERMINATING &&
           info->level == ENDING_ENDPOINT && revision->served && revision->serves_on &&
           !revision->published;
}

void step_endpoints(struct expansion *expansion)
{
    struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    for (uint32_t n = 0; population->endpoints && n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info info = population->classes.items[config->pods[p].pod];
            const struct revision *revision = &population->revisions.items[info.revision];
            if (info.stage != STAGE_TERMINATING || info.level != ENDING_ENDPOINT ||
                !revision->served || revision->published)
                continue;
            struct population_state *next = state_copy(population, state);
            state_move_node(population, next, n,
                            config_replace(population, state->nodes[n].config, config->pods[p].pod,
                                           class_at(population, info.revision, STAGE_TERMINATING,
                                                    ENDING_REMOVED)));
            expansion_emit(expansion, next,
                           &(struct happening){.action = ACT_ENDPOINT_REMOVED,
                                               .workload = revision->workload,
                                               .revision = info.revision,
                                               .node = n,
                                               .amount = 1});
        }
    }
}

/* ---- endpointsLive ---- */

static uint32_t ending_pods(const struct population *population,
                            const struct population_state *state, uint32_t revision, uint32_t level)
{
    uint32_t total = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info *info = &population->classes.items[config->pods[p].pod];
            if (info->revision == revision && info->stage == STAGE_TERMINATING &&
                info->level == level)
                total += config->pods[p].count * state->nodes[n].count;
        }
    }
    return total;
}

static uint32_t ready_endpoints(const struct population *population,
                                const struct population_state *state,
                                const struct service_info *service)
{
    uint32_t total = 0;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (service->selects[r])
            total += state_ready(population, state, r);
    return total;
}

/* A pod was stopped: did anybody still send it requests? */
bool endpoint_stopped(const struct population *population, const struct population_state *state,
                      const struct population_state *next, uint32_t revision)
{
    if (ending_pods(population, next, revision, ENDING_ENDPOINT) <
        ending_pods(population, state, revision, ENDING_ENDPOINT))
        return true;
    if (ending_pods(population, next, revision, ENDING_REMOVED) ==
        ending_pods(population, state, revision, ENDING_REMOVED))
        return false;
    for (uint32_t s = 0; s < population->services.count; s++)
        if (population->services.items[s].selects[revision] &&
            ready_endpoints(population, state, &population->services.items[s]) == 0)
            return true;
    return false;
}

bool endpoint_was_removed(const struct population *population, const struct population_state *state,
                          const struct population_state *next, uint32_t revision)
{
    return ending_pods(population, next, revision, ENDING_REMOVED) <
           ending_pods(population, state, revision, ENDING_REMOVED);
}

/* Endpoints of the workload that clients reach. */
static uint32_t reached_endpoints(const struct population *population,
                                  const struct population_state *state, const struct intent *intent)
{
    uint32_t total = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        if (!condition_traits[config_condition(population, state->nodes[n].config)].reached)
            continue;
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info *info = &population->classes.items[config->pods[p].pod];
            const struct revision *revision = &population->revisions.items[info->revision];
            const bool endpoint = info->stage == STAGE_READY || (info->stage == STAGE_TERMINATING &&
                                                                 info->level == ENDING_ENDPOINT);
            if (endpoint && revision->served &&
                (intent->workload == UINT32_MAX || intent->workload == revision->workload))
                total += config->pods[p].count * state->nodes[n].count;
        }
    }
    return total;
}

bool endpoint_dies(const struct population *population, const struct population_state *state,
                   const struct population_state *next, const struct intent *intent,
                   const struct happening *happening)
{
    if (happening->action == ACT_TERMINATED)
        return (intent->workload == UINT32_MAX || intent->workload == happening->workload) &&
               endpoint_stopped(population, state, next, happening->revision);
    /* Whoever deletes a pod tells it to end. If a node is gone, however that came about, it
     * takes a while until that is noticed, and until then requests go there. */
    return (action_is_event(happening->action) || happening->action == ACT_PANIC) &&
           happening->revision == UINT32_MAX &&
           reached_endpoints(population, next, intent) <
               reached_endpoints(population, state, intent);
}

/* ---- trafficBalanced ---- */

static bool by_node(const struct service *service)
{
    const bool external =
        strcmp(service->type, "NodePort") == 0 || strcmp(service->type, "LoadBalancer") == 0;
    const char *policy =
        external ? service->external_traffic_policy : service->internal_traffic_policy;
    return policy && strcmp(policy, "Local") == 0;
}

static bool may_have_pods(const struct population *population, const struct population_state *state,
                          const struct service_info *service, const struct node_config *config)
{
    if (population->templates.items[config->template->id].condition != NODE_UP)
        return false;
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const uint32_t present = state->present[w];
        if (present < population->revisions.count && service->selects[present] &&
            node_match_pod(population->revisions.items[present].pod, config->template))
            return true;
    }
    return false;
}

/*
 * With the policy Cluster every endpoint gets as much, so a node as much as it
 * has endpoints; with Local every node that has any gets as much. The mean is
 * over as many nodes as could share: no more than there are endpoints.
 */
static bool uneven(const struct population *population, const struct population_state *state,
                   const struct service_info *service, double ratio)
{
    int64_t most = 0;
    int64_t total = 0;
    int64_t having = 0;
    int64_t nodes = 0;
    for (uint32_t n = 0; n < state->listed_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        int64_t pods = 0;
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info *info = &population->classes.items[config->pods[p].pod];
            if (service->selects[info->revision] &&
                pod_is_ready_on(population, info, state->nodes[n].config))
                pods += config->pods[p].count;
        }
        most = pods > most ? pods : most;
        total += pods * state->nodes[n].count;
        having += pods > 0 ? state->nodes[n].count : 0;
        if (pods > 0 || may_have_pods(population, state, service, config))
            nodes += state->nodes[n].count;
    }
    if (total == 0)
        return false;
    const int64_t sharing = nodes < total ? nodes : total;
    if (by_node(service->service))
        return (double)sharing > ratio * (double)having;
    return (double)(most * sharing) > ratio * (double)total;
}

bool traffic_is_uneven(const struct population *population, const struct population_state *state,
                       const struct intent *intent)
{
    for (uint32_t s = 0; s < population->services.count; s++) {
        const struct service_info *service = &population->services.items[s];
        bool ours = false;
        for (uint32_t r = 0; r < population->revisions.count; r++)
            ours |= service->selects[r] &&
                    (intent->workload == UINT32_MAX ||
                     intent->workload == population->revisions.items[r].workload);
        if (ours && uneven(population, state, service, intent->source->max_ratio))
            return true;
    }
    return false;
}
