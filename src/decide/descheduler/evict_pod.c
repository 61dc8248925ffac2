/* SPDX-License-Identifier: Apache-2.0 */
/* After EvictPod in pkg/descheduler/evictions/evictions.go @ v0.27.1, and the
 * API server's answer behind it. */
#include "decide/descheduler/descheduler_cycle.h"

#include <string.h>

const char *eviction_refusal_name(enum eviction_refusal refusal)
{
    static const char *const names[] = {
        [REFUSED_BY_BUDGET] = "pdb",
        [REFUSED_BY_SEVERAL_BUDGETS] = "multiple-pdb",
        [REFUSED_NOT_FOUND] = "notfound",
    };
    return names[refusal];
}

bool evictor_node_limit_reached(const struct cycle *cycle, uint32_t node)
{
    const struct optional_int most = cycle->setup->policy->evictions_per_node_most;
    return most.set && cycle->cluster->nodes[node].evicted == most.value;
}

static bool over(struct optional_int most, uint32_t evicted)
{
    return most.set && (int64_t)evicted + 1 > most.value;
}

static bool within_limits(struct cycle *cycle, uint32_t pod)
{
    const struct cluster *cluster = cycle->cluster;
    const struct descheduler_policy *policy = cycle->setup->policy;
    const struct pod_kind *kind = cluster_kind(cluster, pod);
    if (over(policy->evictions_per_node_most, cluster->nodes[cluster->pods[pod].node].evicted)) {
        cycle_tell(cycle, "%s stays: no more than %lld evictions from a node in a cycle",
                   cycle_pod_name(cycle, pod), (long long)policy->evictions_per_node_most.value);
        return false;
    }
    if (over(policy->evictions_per_namespace_most, cluster->namespace_evicted[kind->namespace])) {
        cycle_tell(cycle, "%s stays: no more than %lld evictions from a namespace in a cycle",
                   cycle_pod_name(cycle, pod),
                   (long long)policy->evictions_per_namespace_most.value);
        return false;
    }
    return true;
}

/* The API server's answer; budgets are spent by it. */
static bool accepted(struct cycle *cycle, uint32_t pod, struct descheduler_eviction *eviction)
{
    struct cluster *cluster = cycle->cluster;
    const struct pod_kind *kind = cluster_kind(cluster, pod);
    struct eviction_budget budgets[2];
    if (cluster->pods[pod].presence == POD_GONE) {
        eviction->refusal = REFUSED_NOT_FOUND;
        return false;
    }
    struct eviction_pod asked = eviction_pod_of(kind->pod);
    asked.terminating = asked.terminating || cluster->pods[pod].presence == POD_MARKED;
    for (uint32_t i = 0; i < kind->budget_count && i < 2; i++)
        budgets[i] = cluster->budgets[kind->budgets[i]];
    eviction->rule = eviction_decide(&cluster->kubernetes, &asked, budgets,
                                     kind->budget_count < 2 ? kind->budget_count : 2);
    eviction->refusal =
        eviction->rule == EVICTION_SEVERAL_BUDGETS ? REFUSED_BY_SEVERAL_BUDGETS : REFUSED_BY_BUDGET;
    if (eviction->rule == EVICTION_BUDGET_SPENT)
        eviction_spend(&cluster->budgets[kind->budgets[0]]);
    return eviction_allowed(eviction->rule);
}

static void unload(struct cluster_node *node, const struct pod_kind *kind)
{
    if (kind->finished)
        return;
    node->active_pods--;
    for (uint32_t i = 0; i < kind->request_count; i++)
        node->usage[kind->requests[i].resource] -= kind->requests[i].amount;
}

static void carry_out(struct cycle *cycle, uint32_t number)
{
    struct cluster *cluster = cycle->cluster;
    struct cluster_pod *pod = &cluster->pods[number];
    const struct pod_kind *kind = cluster_kind(cluster, number);
    cluster_touch_begin(cluster, number);
    pod->evictions = signature_mix(pod->evictions, (uint64_t)cycle->plugin + 1);
    if (cycle->setup->mode == DESCHEDULER_DELETE) {
        pod->presence = POD_GONE;
        unload(&cluster->nodes[pod->node], kind);
    } else if (cycle->setup->mode == DESCHEDULER_GRACEFUL) {
        pod->presence = POD_MARKED;
    }
    cluster_touch_end(cluster, number);
    cluster->nodes[pod->node].evicted++;
    cluster->namespace_evicted[kind->namespace]++;
}

bool evictor_evict(struct cycle *cycle, uint32_t pod, const char *why)
{
    if (cycle_given_up(cycle) || !within_limits(cycle, pod))
        return false;
    struct descheduler_eviction eviction = {.pod = pod,
                                            .node = cycle->cluster->pods[pod].node,
                                            .plugin = cycle->plugin,
                                            .step = cycle->step,
                                            .why = why};
    const bool evicted = accepted(cycle, pod, &eviction);
    if (evicted) {
        carry_out(cycle, pod);
        VEC_PUSH(cycle->arena, &cycle->result->evicted, eviction);
    } else {
        VEC_PUSH(cycle->arena, &cycle->result->rejected, eviction);
    }
    return evicted;
}
