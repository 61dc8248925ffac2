/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RemovePodsViolatingInterPodAntiAffinity: pods whose anti-affinity another pod
 * violates; a pod that is evicted violates none any more.
 *
 * Up to v0.27 only pods of the same node are looked at, whatever the topology
 * key says; from v0.28 on those of all nodes in the same domain. Namespace
 * selectors are ignored in both.
 */
#include "decide/descheduler/descheduler_plugins.h"

#include <string.h>

struct search {
    struct cycle *cycle;
    bool *listed; /* by pod: there, chosen by the arguments and not evicted */
};

static const struct pod_affinity *anti_affinity_of(const struct pod *pod)
{
    return pod->spec.affinity ? pod->spec.affinity->pod_anti_affinity : NULL;
}

static void list_pods(struct search *search)
{
    const struct cluster *cluster = search->cycle->cluster;
    const struct anti_affinity_arguments *arguments = &search->cycle->profile->anti_affinity;
    search->listed = ARENA_ARRAY(search->cycle->arena, bool, cluster->pod_count + 1);
    for (uint32_t p = 0; p < cluster->pod_count; p++) {
        const struct pod_kind *kind = cluster_kind(cluster, p);
        const uint32_t node = cluster->pods[p].node;
        search->listed[p] = node != VIEW_NONE && cluster->nodes[node].in_cycle &&
                            cycle_pod_listed(search->cycle, p) && !kind->finished &&
                            namespaces_choose(&arguments->namespaces, kind->pod->meta.namespace) &&
                            labels_chosen(arguments->label_selector, kind->pod);
    }
}

static bool same_domain(struct search *search, const char *key, uint32_t one, uint32_t other)
{
    if (one == other)
        return true;
    if (!search->cycle->setup->features.anti_affinity_topology)
        return false;
    const uint32_t *of_node = cluster_domains(search->cycle->cluster, key)->of_node;
    return of_node[one] != VIEW_NONE && of_node[one] == of_node[other];
}

static bool term_matches(const struct pod *pod, const struct pod_affinity_term *term,
                         const struct pod *other)
{
    const bool in_namespace = term->namespaces.count > 0
                                  ? strings_have(&term->namespaces, other->meta.namespace)
                                  : strcmp(pod->meta.namespace, other->meta.namespace) == 0;
    return in_namespace && term->label_selector &&
           label_selector_matches(term->label_selector, &other->meta.labels);
}

/* Upstream compares pods by name alone, whatever their namespaces. */
static bool same_name(const struct cluster *cluster, uint32_t one, uint32_t other)
{
    return one == other || (cluster->pods[one].name && cluster->pods[other].name &&
                            strcmp(cluster->pods[one].name, cluster->pods[other].name) == 0);
}

/* The first pod that violates the anti-affinity of this one; VIEW_NONE without one. */
static uint32_t offender(struct search *search, uint32_t number)
{
    const struct cluster *cluster = search->cycle->cluster;
    const struct pod *pod = cycle_pod(search->cycle, number);
    const struct pod_affinity *anti = anti_affinity_of(pod);
    for (uint32_t t = 0; anti && t < anti->required_count; t++)
        for (uint32_t p = 0; p < cluster->pod_count; p++)
            if (search->listed[p] && !same_name(cluster, number, p) &&
                same_domain(search, anti->required[t].topology_key, cluster->pods[number].node,
                            cluster->pods[p].node) &&
                term_matches(pod, &anti->required[t], cycle_pod(search->cycle, p)))
                return p;
    return VIEW_NONE;
}

static void evict_offended(struct search *search, uint32_t pod)
{
    struct cycle *cycle = search->cycle;
    const uint32_t other = offender(search, pod);
    if (other == VIEW_NONE || !evictor_passes(cycle, pod))
        return;
    if (!evictor_pre_eviction(cycle, pod)) {
        cycle_tell(cycle, "%s stays: it fits no other node", cycle_pod_name(cycle, pod));
        return;
    }
    if (evictor_evict(cycle, pod,
                      cycle_because(cycle, "its anti-affinity does not stand %s",
                                    cycle_pod_name(cycle, other))))
        search->listed[pod] = false;
}

static void visit_node(struct search *search, uint32_t node)
{
    struct cycle *cycle = search->cycle;
    const struct cluster_node *place = &cycle->cluster->nodes[node];
    uint32_t *pods = ARENA_ARRAY(cycle->arena, uint32_t, place->pod_count + 1);
    uint32_t count = 0;
    struct eviction_order order;
    for (uint32_t i = 0; i < place->pod_count; i++)
        if (search->listed[place->first_pod + i])
            pods[count++] = place->first_pod + i;
    order_by_priority(cycle, &order, pods, count);
    /* Evictions never add a violation, so a pod without one now will not get one. */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < order.count; i++)
        if (offender(search, order.items[i]) != VIEW_NONE) {
            order.items[kept] = order.items[i];
            order.ranks[kept++] = order.ranks[i];
        }
    order.count = kept;
    for (;;) {
        const uint32_t pod = order_take(cycle, &order, place_of(cycle, 1, 0));
        if (pod == VIEW_NONE)
            return;
        evict_offended(search, pod);
        if (evictor_node_limit_reached(cycle, node))
            return;
    }
}

/* Adds the pods of a node whose anti-affinity is violated to a list. */
static uint32_t list_offended(struct search *search, uint32_t node, uint32_t *pods)
{
    const struct cluster_node *place = &search->cycle->cluster->nodes[node];
    uint32_t count = 0;
    for (uint32_t i = 0; place->in_cycle && i < place->pod_count; i++)
        if (search->listed[place->first_pod + i] &&
            offender(search, place->first_pod + i) != VIEW_NONE)
            pods[count++] = place->first_pod + i;
    return count;
}

static void run(struct cycle *cycle)
{
    struct search search = {.cycle = cycle};
    struct eviction_order nodes;
    uint32_t *pods = ARENA_ARRAY(cycle->arena, uint32_t, cycle->cluster->pod_count + 1);
    uint32_t count = 0;
    list_pods(&search);
    order_init(cycle, &nodes, cycle->cluster->node_count);
    nodes.of_nodes = true;
    for (uint32_t n = 0; n < cycle->cluster->node_count; n++) {
        const uint32_t offended = list_offended(&search, n, pods + count);
        count += offended;
        if (offended > 0)
            order_add(&nodes, n, 0);
    }
    cycle_tell(cycle, "%u pods on %u nodes have an anti-affinity that is violated", count,
               nodes.count);
    nodes.fixed = !cycle->setup->features.anti_affinity_topology &&
                  !stakes_of(cycle, pods, count, evictor_pre_eviction).across;
    for (;;) {
        const uint32_t node = order_take(cycle, &nodes, place_of(cycle, 2, 0));
        if (node == VIEW_NONE)
            break;
        cycle->cluster->nodes[node].mark = 1;
        visit_node(&search, node);
    }
    cycle_clear_marks(cycle);
}

const struct descheduler_plugin_type plugin_violating_anti_affinity = {
    .mirrors = "pkg/framework/plugins/removepodsviolatinginterpodantiaffinity @ v0.27.1, v0.28.1",
    .field = "affinity.podAntiAffinity",
    .reads = kind_readers_none,
    .run = run,
};
