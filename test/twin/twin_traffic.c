/* SPDX-License-Identifier: Apache-2.0 */
/* Services: whom they send requests to, pod by pod. */
#include "decide/scheduler/node_match.h"
#include "twin/twin_internal.h"

#include <string.h>

enum { REMOVED_AFTER_SECONDS = 5 };

static bool selects(const struct service *service, const struct object_meta *pod)
{
    bool all = service->selector.count > 0 && strcmp(service->meta.namespace, pod->namespace) == 0;
    for (uint32_t i = 0; i < service->selector.count; i++) {
        const char *value = labels_find(&pod->labels, service->selector.items[i].key);
        all = all && value && strcmp(value, service->selector.items[i].value) == 0;
    }
    return all;
}

static const struct service *service_at(const struct twin *twin, uint32_t number)
{
    return twin->catalog->surroundings.services.items[number];
}

static uint32_t service_count(const struct twin *twin)
{
    return twin->catalog->surroundings.services.count;
}

void twin_add_services(struct twin *twin)
{
    bool wanted = false;
    for (uint32_t i = 0; i < twin->intent_count; i++) {
        twin->endpoints |= twin->intents[i].kind == INTENT_ENDPOINTS_LIVE;
        wanted |= twin->intents[i].kind == INTENT_ENDPOINTS_LIVE ||
                  twin->intents[i].kind == INTENT_TRAFFIC_BALANCED;
    }
    for (uint32_t s = 0; wanted && s < service_count(twin); s++)
        for (uint32_t r = 0; r < twin->revision_count; r++) {
            struct twin_revision *revision = &twin->revisions[r];
            const struct pod_spec *spec = &revision->pod->spec;
            if (!selects(service_at(twin, s), &revision->pod->meta))
                continue;
            revision->served = true;
            revision->published |= service_at(twin, s)->publish_not_ready_addresses;
            /* No container has ports, so that any of them may be the one that answers. */
            revision->serves_on = spec->termination_grace_seconds >= REMOVED_AFTER_SECONDS;
            for (uint32_t c = 0; c < spec->container_count; c++)
                revision->serves_on &=
                    spec->containers[c].pre_stop_seconds >= REMOVED_AFTER_SECONDS;
        }
}

enum ending ending_of(const struct twin *twin, const struct twin_state *state, uint32_t place)
{
    return twin->endpoints && twin->revisions[state->pods[place].revision].served &&
                   twin_pod_ready(state, place)
               ? ENDS_AS_ENDPOINT
               : ENDS_UNSERVED;
}

static bool is_removable(const struct twin *twin, const struct place_of_pod *pod)
{
    const struct twin_revision *revision = &twin->revisions[pod->revision];
    return twin->endpoints && pod->stage == POD_TERMINATES && pod->level == ENDS_AS_ENDPOINT &&
           revision->served && !revision->published;
}

bool kubelet_waits(const struct twin *twin, const struct place_of_pod *pod)
{
    return is_removable(twin, pod) && twin->revisions[pod->revision].serves_on;
}

void twin_remove_endpoints(struct twin_run *run)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        struct twin_state next = *run->state;
        if (!is_removable(run->twin, &run->state->pods[p]))
            continue;
        next.pods[p].level = ENDS_REMOVED;
        twin_emit(run, &next, TWIN_ACT_ENDPOINT_REMOVED, about_pod(p),
                  workload_of(run->twin, &next.pods[p]), 0, FAST);
    }
}

/* ---- endpointsLive ---- */

static bool concerns(const struct twin *twin, const struct check_intent *intent, uint32_t workload)
{
    const struct object *object = twin->workloads[workload].setup->object;
    return !intent->workload.name || (strcmp(intent->workload.kind, object->kind_name) == 0 &&
                                      strcmp(intent->workload.name, object->meta->name) == 0);
}

/* Is there no better endpoint, so that those that terminate are asked? */
static bool is_last_resort(const struct twin *twin, const struct twin_state *state,
                           uint32_t revision)
{
    for (uint32_t s = 0; s < service_count(twin); s++) {
        bool ready = false;
        if (!selects(service_at(twin, s), &twin->revisions[revision].pod->meta))
            continue;
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
            ready |=
                pod_is_there(&state->pods[p]) && twin_pod_ready(state, p) &&
                selects(service_at(twin, s), &twin->revisions[state->pods[p].revision].pod->meta);
        if (!ready)
            return true;
    }
    return false;
}

static bool is_stopped_too_soon(const struct twin *twin, const struct twin_state *state,
                                const struct twin_state *next, const struct check_intent *intent)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (pod->stage == POD_TERMINATES && next->pods[p].stage == PLACE_FREE &&
            concerns(twin, intent, workload_of(twin, pod)) &&
            (pod->level == ENDS_AS_ENDPOINT ||
             (pod->level == ENDS_REMOVED && is_last_resort(twin, state, pod->revision))))
            return true;
    }
    return false;
}

static uint32_t reached(const struct twin *twin, const struct twin_state *state,
                        const struct check_intent *intent)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        const bool endpoint = pod->stage == POD_IS_READY ||
                              (pod->stage == POD_TERMINATES && pod->level == ENDS_AS_ENDPOINT);
        count += endpoint && twin->revisions[pod->revision].served &&
                 concerns(twin, intent, workload_of(twin, pod)) &&
                 condition_is_reached((enum twin_condition)state->conditions[pod->node]);
    }
    return count;
}

bool twin_endpoint_dies(const struct twin *twin, const struct twin_state *state,
                        const struct twin_state *next, const struct check_intent *intent,
                        enum twin_action action, uint32_t workload)
{
    switch (action) {
    case TWIN_ACT_TERMINATED: return is_stopped_too_soon(twin, state, next, intent);
    case TWIN_ACT_EVENT_NODE_FAILS:
    case TWIN_ACT_EVENT_ZONE_FAILS:
    case TWIN_ACT_EVENT_PARTITION:
    case TWIN_ACT_EVENT_MAINTENANCE:
    case TWIN_ACT_PANIC: return reached(twin, next, intent) < reached(twin, state, intent);
    case TWIN_ACT_EVENT_DELETE:
        return workload == ALL && reached(twin, next, intent) < reached(twin, state, intent);
    default: return false;
    }
}

/* ---- trafficBalanced ---- */

static bool is_local(const struct service *service)
{
    const bool outside = strcmp(service->type, "ClusterIP") != 0;
    const char *policy =
        outside ? service->external_traffic_policy : service->internal_traffic_policy;
    return policy && strcmp(policy, "Local") == 0;
}

/* May the node have endpoints of the Service? */
static bool may_serve(const struct twin *twin, const struct twin_state *state,
                      const struct service *service, uint32_t node)
{
    for (uint32_t w = 0; w < twin->workload_count &&
                         (state->conditions[node] == UP || state->conditions[node] == CANDIDATE ||
                          state->conditions[node] == SPARE);
         w++) {
        const uint32_t present = state->present[w];
        if (present != NOBODY && selects(service, &twin->revisions[present].pod->meta) &&
            node_match_pod(twin->revisions[present].pod,
                           twin->catalog->templates.items[node_template_of(twin, state, node)]))
            return true;
    }
    return false;
}

static bool is_uneven(const struct twin *twin, const struct twin_state *state,
                      const struct service *service, double ratio)
{
    int64_t most = 0;
    int64_t total = 0;
    int64_t having = 0;
    int64_t nodes = 0;
    for (uint32_t n = 0; n < twin->node_count; n++) {
        int64_t pods = 0;
        if (!node_is_listed(state, n))
            continue;
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
            pods += pod_is_there(&state->pods[p]) && state->pods[p].node == n &&
                    twin_pod_ready(state, p) &&
                    selects(service, &twin->revisions[state->pods[p].revision].pod->meta);
        most = pods > most ? pods : most;
        total += pods;
        having += pods > 0;
        nodes += pods > 0 || may_serve(twin, state, service, n);
    }
    const double sharing = (double)(nodes < total ? nodes : total);
    if (total == 0)
        return false;
    return is_local(service) ? sharing > ratio * (double)having
                             : (double)most * sharing > ratio * (double)total;
}

static bool all_rest(const struct twin *twin, const struct service *service, uint32_t restless)
{
    for (uint32_t r = 0; r < twin->revision_count; r++)
        if ((restless >> twin->revisions[r].workload & 1) &&
            selects(service, &twin->revisions[r].pod->meta))
            return false;
    return true;
}

bool twin_traffic_is_uneven(const struct twin *twin, const struct twin_state *state,
                            const struct check_intent *intent, uint32_t restless)
{
    for (uint32_t s = 0; s < service_count(twin); s++)
        for (uint32_t r = 0; r < twin->revision_count; r++)
            if (selects(service_at(twin, s), &twin->revisions[r].pod->meta) &&
                concerns(twin, intent, twin->revisions[r].workload) &&
                all_rest(twin, service_at(twin, s), restless) &&
                is_uneven(twin, state, service_at(twin, s), intent->max_ratio))
                return true;
    return false;
}
