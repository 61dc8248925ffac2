/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RemovePodsViolatingTopologySpreadConstraint: pods from domains that have too
 * many of them.
 *
 * Every constraint is balanced on its own, as if the others were not there
 * (kubernetes-sigs/descheduler#1219); the pods of all of them are evicted in the
 * end.
 */
#include "decide/descheduler/descheduler_plugins.h"
#include "decide/descheduler/spread_balance.h"

#include <string.h>

struct listing {
    const char *namespace;
    uint32_t *pods;
    uint32_t count;
    spread_constraints constraints;
};

typedef VEC(struct listing) listings;

/* From v0.28 on only pods that might be evicted are looked at. */
static bool lists(struct cycle *cycle, uint32_t number)
{
    const struct cluster_pod *pod = &cycle->cluster->pods[number];
    if (!cycle_pod_listed(cycle, number))
        return false;
    if (!cycle->setup->features.spread_lists_evictable)
        return true;
    return pod->node != VIEW_NONE && cycle->cluster->nodes[pod->node].in_cycle &&
           !cluster_kind(cycle->cluster, number)->finished && evictor_passes(cycle, number) &&
           labels_chosen(cycle->profile->topology_spread.label_selector, cycle_pod(cycle, number));
}

static void list_namespace(struct cycle *cycle, uint32_t namespace, struct listing *listing)
{
    const struct cluster *cluster = cycle->cluster;
    const bool by_name = !cycle->setup->features.spread_lists_evictable;
    uint32_t last_kind = VIEW_NONE;
    bool *seen = ARENA_ARRAY(cycle->arena, bool, cluster->kinds.count + 1);
    listing->pods = ARENA_ARRAY(cycle->arena, uint32_t, cluster->pod_count + 1);
    for (uint32_t i = 0; i < cluster->pod_count; i++) {
        const uint32_t pod = by_name ? cluster->by_name[i] : i;
        const uint32_t kind = cluster->pods[pod].kind;
        if (cluster->kinds.items[kind].namespace != namespace || !lists(cycle, pod))
            continue;
        listing->pods[listing->count++] = pod;
        if (kind != last_kind && !seen[kind])
            spread_constraints_add(cycle, &listing->constraints, cluster->kinds.items[kind].pod);
        seen[kind] = true;
        last_kind = kind;
    }
}

/* v0.27 goes by Namespace objects, v0.28 by the namespaces of pods. */
static void list_namespaces(struct cycle *cycle, listings *all)
{
    const struct cluster *cluster = cycle->cluster;
    const bool by_object = !cycle->setup->features.spread_lists_evictable;
    const uint32_t count =
        by_object ? cluster->namespace_objects.count : cluster->namespace_names.count;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = by_object ? cluster->namespace_objects.items[i]->meta.name
                                     : cluster->namespace_names.items[i];
        const uintptr_t number = (uintptr_t)map_get(&cluster->namespaces, name);
        struct listing listing = {.namespace = name};
        if (number == 0 || !namespaces_choose(&cycle->profile->topology_spread.namespaces, name))
            continue;
        list_namespace(cycle, (uint32_t)number - 1, &listing);
        VEC_PUSH(cycle->arena, all, listing);
    }
}

static void tell(struct spread *spread, const char *namespace)
{
    struct cycle *cycle = spread->cycle;
    const struct topology_spread_constraint *constraint = spread->constraint->constraint;
    const char *sizes = "";
    for (uint32_t d = 0; cycle->story && d < spread->domains.count; d++) {
        const struct spread_domain *domain = &spread->domains.items[d];
        sizes = arena_printf(cycle->arena, "%s%s%s %u", sizes, d > 0 ? ", " : "",
                             domain->value ? domain->value : "?", domain->pods.count);
    }
    cycle_tell(cycle, "%s: %s, at most %d apart: %s; on average %.2f%s", namespace,
               constraint->topology_key, constraint->max_skew, sizes, spread->average,
               spread_is_balanced(spread) ? ": balanced" : "");
}

static void forget_tried(struct cycle *cycle, const struct listing *listing)
{
    for (uint32_t i = 0; i < listing->count; i++) {
        if (!cycle->cluster->pods[listing->pods[i]].tried)
            continue;
        cluster_touch_begin(cycle->cluster, listing->pods[i]);
        cycle->cluster->pods[listing->pods[i]].tried = false;
        cluster_touch_end(cycle->cluster, listing->pods[i]);
    }
}

static void balance(struct spread *spread, const struct listing *listing)
{
    struct cycle *cycle = spread->cycle;
    spread_share_out(spread);
    for (uint32_t d = 0; d < spread->domains.count && !cycle_given_up(cycle); d++) {
        struct spread_domain *domain = &spread->domains.items[d];
        if (domain->given > 0)
            cycle_tell(cycle, "%s %s gives %u", spread->constraint->constraint->topology_key,
                       domain->value ? domain->value : "?", domain->given);
        spread_take(spread, domain);
    }
    forget_tried(cycle, listing);
}

/* The constraints whose domains are too far apart. */
static uint32_t find_unbalanced(struct cycle *cycle, const listings *all, struct spread *spreads,
                                const struct listing **listing_of)
{
    uint32_t count = 0;
    uint32_t number = 0;
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t c = 0; c < all->items[i].constraints.count; c++) {
            struct spread spread = {
                .cycle = cycle,
                .constraint = &all->items[i].constraints.items[c],
                .constraint_number = number++,
            };
            spread_populate(&spread, all->items[i].pods, all->items[i].count);
            tell(&spread, all->items[i].namespace);
            if (spread_is_balanced(&spread))
                continue;
            listing_of[count] = &all->items[i];
            spreads[count++] = spread;
        }
    if (number == 0)
        cycle_tell(cycle, "no pod has a constraint that counts");
    return count;
}

static void choose_pods(struct cycle *cycle, const listings *all)
{
    struct hidden_order pods_order = {.arena = cycle->arena,
                                      .item_count = cycle->cluster->pod_count};
    struct hidden_order nodes_order = {.arena = cycle->arena,
                                       .item_count = cycle->cluster->node_count};
    uint32_t takes = 0;
    uint32_t constraint_count = 0;
    for (uint32_t i = 0; i < all->count; i++)
        constraint_count += all->items[i].constraints.count;
    struct spread *spreads = ARENA_ARRAY(cycle->arena, struct spread, constraint_count + 1);
    const struct listing **listing_of =
        ARENA_ARRAY(cycle->arena, const struct listing *, constraint_count + 1);
    const uint32_t count = find_unbalanced(cycle, all, spreads, listing_of);
    for (uint32_t i = 0; i < count && !cycle_given_up(cycle); i++) {
        spreads[i].last = i + 1 == count;
        spreads[i].pods_order = &pods_order;
        spreads[i].nodes_order = &nodes_order;
        spreads[i].takes = &takes;
        balance(&spreads[i], listing_of[i]);
    }
    cycle_forget_hidden(cycle);
}

static void evict_chosen(struct cycle *cycle)
{
    const struct cluster *cluster = cycle->cluster;
    uint32_t *pods = ARENA_ARRAY(cycle->arena, uint32_t, cluster->pod_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < cluster->pod_count; i++) {
        const uint32_t pod = cluster->by_name[i];
        if (!cluster->pods[pod].chosen)
            continue;
        if (evictor_passes(cycle, pod) &&
            labels_chosen(cycle->profile->topology_spread.label_selector, cycle_pod(cycle, pod)))
            pods[count++] = pod;
        else
            cycle_tell(cycle, "%s stays: it %s", cycle_pod_name(cycle, pod),
                       pod_filter_text(evictor_passes(cycle, pod) ? FILTER_LABELS
                                                                  : evictor_filter(cycle, pod)));
    }
    struct eviction_order order;
    order_init(cycle, &order, count);
    order.fixed = !stakes_of(cycle, pods, count, evictor_pre_eviction).within;
    for (uint32_t i = 0; i < count; i++)
        order_add(&order, pods[i], 0);
    for (;;) {
        const uint32_t pod = order_take(cycle, &order, place_of(cycle, 4, 0));
        if (pod == VIEW_NONE)
            return;
        if (evictor_node_limit_reached(cycle, cluster->pods[pod].node))
            continue;
        if (evictor_pre_eviction(cycle, pod))
            evictor_evict(cycle, pod, cycle_because(cycle, "its domain has more than its share"));
        else
            cycle_tell(cycle, "%s stays: it fits no other node", cycle_pod_name(cycle, pod));
    }
}

static void run(struct cycle *cycle)
{
    listings all = {0};
    list_namespaces(cycle, &all);
    choose_pods(cycle, &all);
    evict_chosen(cycle);
    cycle_clear_marks(cycle);
}

static struct kind_readers reads(const struct descheduler_features *features)
{
    return (struct kind_readers){.names = !features->spread_lists_evictable};
}

const struct descheduler_plugin_type plugin_violating_topology_spread = {
    .mirrors = "pkg/framework/plugins/removepodsviolatingtopologyspreadconstraint @ v0.27.1, "
               "v0.28.1",
    .field = "topologySpreadConstraints",
    .reads = reads,
    .run = run,
};
