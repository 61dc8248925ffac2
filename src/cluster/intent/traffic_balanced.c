/* SPDX-License-Identifier: Apache-2.0 */
/* trafficBalanced: when the cluster rests for good, no node gets more than maxRatio times
 * the mean of a Service's requests. */
#include "cluster/ask/traffic.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/node_reads.h"
#include "decide/scheduler/node_match.h"
#include "manifest/document.h"
#include "object/policy.h"

#include <string.h>

/* Do requests stay on the node that they come to? */
static bool by_node(const struct service *service)
{
    const bool external =
        strcmp(service->type, "NodePort") == 0 || strcmp(service->type, "LoadBalancer") == 0;
    const char *policy =
        external ? service->external_traffic_policy : service->internal_traffic_policy;
    return policy && strcmp(policy, "Local") == 0;
}

/* May pods that the Service selects be on nodes of the entry, which are up? */
static bool may_have_pods(const struct judged *judged, const struct service_info *service,
                          uint32_t entry)
{
    const struct population *population = judged->population;
    const struct node_template *template =
        state_config(judged->worker, judged->state, entry)->template;
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const uint32_t present = judged->state->present[w];
        if (present < population->revisions.count && service->selects[present] &&
            node_match_pod(population->revisions.items[present].pod, template))
            return true;
    }
    return false;
}

/*
 * With the policy Cluster every endpoint gets as much, so a node as much as it
 * has endpoints; with Local every node that has any gets as much. The mean is
 * over as many nodes as could share: no more than there are endpoints.
 */
struct shares {
    int64_t most;    /* endpoints on one node */
    int64_t total;   /* endpoints */
    int64_t having;  /* nodes that have any */
    int64_t sharing; /* nodes that could share */
};

static struct shares shares_of(const struct judged *judged, const struct service_info *service)
{
    const struct state *state = judged->state;
    struct shares shares = {0};
    const struct catalog *catalog = judged->worker->catalog;
    struct node_sum nodes = {0};
    for (uint32_t n = 0; n < state->listed_count; n++) {
        const struct config_facts *facts = config_facts(judged->worker, state->nodes[n].config);
        int64_t pods = 0;
        for (uint32_t p = 0; p < facts->pod_count; p++)
            if (service->selects[facts->pods[p].revision])
                pods += facts->pods[p].ready;
        shares.most = pods > shares.most ? pods : shares.most;
        shares.total += pods * state->nodes[n].count;
        shares.having += pods > 0 ? state->nodes[n].count : 0;
        if (pods > 0 || (condition_is_up(facts->condition) && may_have_pods(judged, service, n)))
            node_sum_add(catalog, &nodes, state->nodes[n]);
    }
    shares.sharing = node_sum_exceeds(catalog, &nodes, shares.total - 1)
                         ? shares.total
                         : node_sum_exact(catalog, &nodes);
    return shares;
}

static bool is_uneven(const struct judged *judged, const struct service_info *service)
{
    const double ratio = judged->intent->source->max_ratio;
    const struct shares shares = shares_of(judged, service);
    if (shares.total == 0)
        return false;
    if (by_node(service->service))
        return (double)shares.sharing > ratio * (double)shares.having;
    return (double)(shares.most * shares.sharing) > ratio * (double)shares.total;
}

/* Have several nodes requests of the Service to share? */
static bool is_shared(const struct judged *judged, const struct service_info *service)
{
    return shares_of(judged, service).sharing > 1;
}

/* Is this so of a Service whose workloads rest, and that the intent is about? */
static bool any_service(const struct judged *judged,
                        bool (*is_so)(const struct judged *, const struct service_info *))
{
    const struct population *population = judged->population;
    for (uint32_t s = 0; s < population->services.count; s++) {
        const struct service_info *service = &population->services.items[s];
        bool ours = false;
        bool rests = true;
        for (uint32_t r = 0; r < population->revisions.count; r++) {
            const uint32_t workload = population->revisions.items[r].workload;
            ours |= service->selects[r] && intent_concerns(judged->intent, workload);
            rests &= !service->selects[r] || intent_sees_rest(judged, workload);
        }
        if (ours && rests && is_so(judged, service))
            return true;
    }
    return false;
}

static bool minds_rest(const struct judged *judged)
{
    return any_service(judged, is_uneven);
}

static bool applies(const struct judged *judged)
{
    return judged->happening && judged->happening->action == ACT_SETTLED &&
           any_service(judged, is_shared);
}

/* The field of a Service that would change how requests are shared and is not modelled; NULL:
 * there is none. */
static const char *unknown_balance(const struct object *object)
{
    const struct value *root = &object->source->root;
    const struct value *spec = value_find(root, "spec");
    const struct value *annotations = value_find(value_find(root, "metadata"), "annotations");
    const char *affinity = value_find_string(spec, "sessionAffinity");
    if (affinity && strcmp(affinity, "ClientIP") == 0)
        return "sessionAffinity";
    if (value_find(spec, "trafficDistribution"))
        return "trafficDistribution";
    if (value_find(annotations, "service.kubernetes.io/topology-aware-hints") ||
        value_find(annotations, "service.kubernetes.io/topology-mode"))
        return "topology-aware routing";
    return NULL;
}

const struct intent_class intent_traffic_balanced = {
    .minds_rest = minds_rest,
    .applies = applies,
    .never_applied = "no Service ever had requests for several nodes to share",
    .ignores = IGNORES_CREATION_ORDER,
    .needs_services = true,
    .unknown_service = unknown_balance,
};
