/* SPDX-License-Identifier: Apache-2.0 */
/* RemovePodsViolatingNodeAffinity: pods whose node is no longer, or not the
 * best, one for them. */
#include "decide/descheduler/descheduler_plugins.h"

static const struct node_affinity *affinity_of(const struct pod *pod)
{
    return pod->spec.affinity ? pod->spec.affinity->node_affinity : NULL;
}

static bool chosen(struct cycle *cycle, uint32_t number)
{
    const struct node_affinity_eviction_arguments *arguments = &cycle->profile->node_affinity;
    const struct pod *pod = cycle_pod(cycle, number);
    return !cluster_kind(cycle->cluster, number)->finished &&
           namespaces_choose(&arguments->namespaces, pod->meta.namespace) &&
           labels_chosen(arguments->label_selector, pod);
}

/* Up to v0.27 a taint or a cordon of its node counts as if it were a violation
 * of the pod's affinity. */
static bool concerns_required(struct cycle *cycle, uint32_t number)
{
    const struct pod *pod = cycle_pod(cycle, number);
    const struct node_affinity *affinity = affinity_of(pod);
    const uint32_t node = cycle->cluster->pods[number].node;
    if (!affinity || !affinity->required || !chosen(cycle, number))
        return false;
    if (cycle->setup->features.affinity_itself)
        return !fit_labels(pod, cycle->cluster->nodes[node].node);
    return !fit_node_but_for_room(cycle, number, node);
}

static int32_t weight_on(const struct pod *pod, const struct node *node)
{
    const struct node_affinity *affinity = affinity_of(pod);
    int32_t sum = 0;
    for (uint32_t i = 0; i < affinity->preferred_count; i++)
        if (node_selector_term_matches(&affinity->preferred[i].preference, &node->meta.labels,
                                       node->meta.name))
            sum += affinity->preferred[i].weight;
    return sum;
}

static bool concerns_preferred(struct cycle *cycle, uint32_t number)
{
    const struct cluster *cluster = cycle->cluster;
    const struct pod *pod = cycle_pod(cycle, number);
    const struct node_affinity *affinity = affinity_of(pod);
    if (!affinity || affinity->preferred_count == 0 || !chosen(cycle, number))
        return false;
    int32_t best = 0;
    for (uint32_t n = 0; n < cluster->node_count; n++) {
        const int32_t weight =
            cluster->nodes[n].in_cycle ? weight_on(pod, cluster->nodes[n].node) : 0;
        if (weight > best)
            best = weight;
    }
    return best > weight_on(pod, cluster->nodes[cluster->pods[number].node].node);
}

/* Does the pod fit some node, its own included? */
static bool ready(struct cycle *cycle, uint32_t pod)
{
    if (!evictor_pre_eviction(cycle, pod))
        return false;
    for (uint32_t n = 0; n < cycle->cluster->node_count; n++)
        if (cycle->cluster->nodes[n].in_cycle && fit_node(cycle, pod, n))
            return true;
    return false;
}

static const char *why_required(struct cycle *cycle, uint32_t pod)
{
    return cycle_because(cycle, "its required node affinity has no place for it on %s",
                         cycle_node_name(cycle, cycle->cluster->pods[pod].node));
}

static const char *why_preferred(struct cycle *cycle, uint32_t pod)
{
    return cycle_because(cycle, "it prefers another node to %s",
                         cycle_node_name(cycle, cycle->cluster->pods[pod].node));
}

static const struct node_sweep sweep_required = {concerns_required, ready, why_required};
static const struct node_sweep sweep_preferred = {concerns_preferred, ready, why_preferred};

static void run(struct cycle *cycle)
{
    if (cycle->profile->node_affinity.required)
        sweep_nodes(cycle, &sweep_required);
    if (cycle->profile->node_affinity.preferred && cycle->setup->features.affinity_preferred)
        sweep_nodes(cycle, &sweep_preferred);
}

const struct descheduler_plugin_type plugin_violating_node_affinity = {
    .mirrors = "pkg/framework/plugins/removepodsviolatingnodeaffinity @ v0.27.1, v0.28.1",
    .field = "affinity.nodeAffinity",
    .reads = kind_readers_none,
    .run = run,
};
