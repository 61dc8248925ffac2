/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RemoveDuplicates: no more pods of one owner on a node than an even spread over
 * the nodes that could take them needs.
 *
 * Which nodes could take them is asked of taints and labels only; room, pod
 * slots and cordons do not count (kubernetes-sigs/descheduler#1237).
 *
 * The first pod of a node in the order of the cache is the original, the others
 * are its duplicates, and the last of them are evicted. That order is not known.
 * Where all duplicates of an owner on a node could go to the same nodes, only
 * the evicted pods are chosen; otherwise the order itself is chosen.
 */
#include "decide/descheduler/cluster_sizes.h"
#include "decide/descheduler/descheduler_plugins.h"

#include <math.h>
#include <string.h>

/* The pods of one owner on one node, in the order of the listing. */
struct owned {
    uint32_t owner;
    uint32_t node;
    VEC(uint32_t) pods;   /* all */
    VEC(uint32_t) copies; /* those that are duplicates */
};

struct owner_sum {
    uint32_t occurrences; /* on all nodes */
    uint32_t duplicates;
    struct node_sum targets;    /* nodes that could take a duplicate */
    VEC(struct owned *) places; /* by node */
};

struct census {
    struct cycle *cycle;
    struct owner_sum *owners;
    uint32_t *listing; /* of the node at hand */
    uint32_t listed;
    bool *group_seen; /* on the node at hand */
};

static bool counts(struct cycle *cycle, uint32_t number)
{
    const struct duplicates_arguments *arguments = &cycle->profile->duplicates;
    const struct pod_kind *kind = cluster_kind(cycle->cluster, number);
    const struct object_meta *meta = &kind->pod->meta;
    if (kind->finished || meta->owner_count == 0 || !cycle_pod_listed(cycle, number) ||
        !namespaces_choose(&arguments->namespaces, meta->namespace))
        return false;
    for (uint32_t i = 0; i < meta->owner_count; i++)
        if (strings_have(&arguments->exclude_owner_kinds, meta->owners[i].kind))
            return false;
    return evictor_passes(cycle, number) && evictor_pre_eviction(cycle, number);
}

/* ---- where duplicates could go ---- */

static bool could_go(const struct cluster *cluster, const struct pod *pod, uint32_t node)
{
    return cluster->nodes[node].in_cycle && fit_taints(pod, cluster->nodes[node].node) &&
           fit_labels(pod, cluster->nodes[node].node);
}

/* Marks the nodes for one pod, unless there is only one. */
static void add_targets(const struct cluster *cluster, const struct pod *pod, bool *targets)
{
    struct node_sum count = {0};
    for (uint32_t n = 0; n < cluster->node_count; n++)
        if (could_go(cluster, pod, n))
            cluster_count_node(cluster, &count, n);
    if (!cluster_sum_exceeds(cluster, &count, 1))
        return;
    for (uint32_t n = 0; n < cluster->node_count; n++)
        targets[n] = targets[n] || could_go(cluster, pod, n);
}

static struct node_sum count_targets(struct cycle *cycle, const struct owner_sum *sum)
{
    const struct cluster *cluster = cycle->cluster;
    bool *targets = ARENA_ARRAY(cycle->arena, bool, cluster->node_count + 1);
    bool *seen = ARENA_ARRAY(cycle->arena, bool, cluster->kinds.count + 1);
    struct node_sum count = {0};
    for (uint32_t i = 0; i < sum->places.count; i++)
        for (uint32_t d = 0; d < sum->places.items[i]->copies.count; d++) {
            const uint32_t kind = cluster->pods[sum->places.items[i]->copies.items[d]].kind;
            if (!seen[kind])
                add_targets(cluster, cluster->kinds.items[kind].pod, targets);
            seen[kind] = true;
        }
    for (uint32_t n = 0; n < cluster->node_count; n++)
        if (targets[n])
            cluster_count_node(cluster, &count, n);
    return count;
}

static bool same_targets(const struct cluster *cluster, uint32_t one, uint32_t other)
{
    if (cluster->pods[one].kind == cluster->pods[other].kind)
        return true;
    for (uint32_t n = 0; n < cluster->node_count; n++)
        if (could_go(cluster, cluster_kind(cluster, one)->pod, n) !=
            could_go(cluster, cluster_kind(cluster, other)->pod, n))
            return false;
    return true;
}

/* ---- the listing ---- */

/* Do two pods of the listing share an owner? */
static bool related(const struct cluster *cluster, uint32_t one, uint32_t other)
{
    const struct pod_kind *a = cluster_kind(cluster, one);
    const struct pod_kind *b = cluster_kind(cluster, other);
    for (uint32_t i = 0; i < a->pod->meta.owner_count; i++)
        for (uint32_t j = 0; j < b->pod->meta.owner_count; j++)
            if (a->owners[i] == b->owners[j])
                return true;
    return false;
}

/* Does more than the number of evicted pods depend on the place of this one in
 * the listing? */
static bool place_matters(const struct census *census, uint32_t number)
{
    const struct cluster *cluster = census->cycle->cluster;
    const struct pod_kind *kind = cluster_kind(cluster, number);
    for (uint32_t i = 0; i < census->listed; i++) {
        const uint32_t other = census->listing[i];
        if (cluster->pods[other].kind == cluster->pods[number].kind ||
            !related(cluster, number, other))
            continue;
        const struct pod_kind *its = cluster_kind(cluster, other);
        if (its->duplicate_group != kind->duplicate_group || kind->pod->meta.owner_count > 1 ||
            !same_targets(cluster, number, other))
            return true;
    }
    return false;
}

/* Chooses the order of those whose place matters; the others follow. */
static void arrange(struct census *census)
{
    struct cycle *cycle = census->cycle;
    uint32_t *arranged = ARENA_ARRAY(cycle->arena, uint32_t, census->listed + 1);
    uint32_t count = 0;
    struct eviction_order order;
    order_init(cycle, &order, census->listed);
    for (uint32_t i = 0; i < census->listed; i++)
        if (place_matters(census, census->listing[i]))
            order_add(&order, census->listing[i], 0);
    if (order.count == 0)
        return;
    for (uint32_t i = 0; i < census->listed; i++)
        if (!place_matters(census, census->listing[i]))
            arranged[count++] = census->listing[i];
    for (uint32_t place = 0;; place++) {
        const uint32_t pod = order_take(cycle, &order, place_of(cycle, 1, 0));
        if (pod == VIEW_NONE)
            break;
        cluster_touch_begin(cycle->cluster, pod);
        cycle->cluster->pods[pod].hidden =
            signature_mix(cycle->cluster->pods[pod].hidden, place + 1);
        cluster_touch_end(cycle->cluster, pod);
        arranged[count++] = pod;
    }
    census->listing = arranged;
    census->listed = count;
}

static struct owned *owned_on(struct census *census, uint32_t owner, uint32_t node)
{
    struct owner_sum *sum = &census->owners[owner];
    if (sum->places.count > 0 && sum->places.items[sum->places.count - 1]->node == node)
        return sum->places.items[sum->places.count - 1];
    struct owned *owned = ARENA_NEW(census->cycle->arena, struct owned);
    owned->owner = owner;
    owned->node = node;
    VEC_PUSH(census->cycle->arena, &sum->places, owned);
    return owned;
}

static void count_pod(struct census *census, uint32_t pod, uint32_t node)
{
    struct arena *arena = census->cycle->arena;
    const struct pod_kind *kind = cluster_kind(census->cycle->cluster, pod);
    const bool duplicate = census->group_seen[kind->duplicate_group];
    census->group_seen[kind->duplicate_group] = true;
    for (uint32_t i = 0; i < kind->pod->meta.owner_count; i++) {
        struct owned *owned = owned_on(census, kind->owners[i], node);
        census->owners[kind->owners[i]].occurrences++;
        VEC_PUSH(arena, &owned->pods, pod);
        if (!duplicate)
            continue;
        census->owners[kind->owners[i]].duplicates++;
        VEC_PUSH(arena, &owned->copies, pod);
    }
}

static void take_census(struct census *census)
{
    struct cycle *cycle = census->cycle;
    const struct cluster *cluster = cycle->cluster;
    for (uint32_t n = 0; n < cluster->node_count; n++) {
        const struct cluster_node *node = &cluster->nodes[n];
        if (!node->in_cycle)
            continue;
        census->listing = ARENA_ARRAY(cycle->arena, uint32_t, node->pod_count + 1);
        census->listed = 0;
        for (uint32_t i = 0; i < node->pod_count; i++)
            if (counts(cycle, node->first_pod + i))
                census->listing[census->listed++] = node->first_pod + i;
        if (cycle->choice)
            arrange(census);
        memset(census->group_seen, 0, cluster->duplicate_groups.count);
        for (uint32_t i = 0; i < census->listed; i++)
            count_pod(census, census->listing[i], n);
    }
}

/* ---- evictions ---- */

static uint32_t kept_on_a_node(const struct owner_sum *sum)
{
    return (uint32_t)ceil((double)sum->occurrences / (double)sum->targets.value);
}

/* With which numbers of nodes is it the same number of pods that are kept on a node? */
static void note_sizes(const struct cycle *cycle, const struct owner_sum *sum)
{
    const int64_t pods = sum->occurrences;
    const int64_t kept = kept_on_a_node(sum);
    const int64_t least = (pods + kept - 1) / kept;
    const int64_t first_of_fewer = kept > 1 ? (pods + kept - 2) / (kept - 1) : SIZE_UNBOUNDED;
    cluster_sum_keep(cycle->cluster, &sum->targets, least,
                     kept > 1 ? first_of_fewer - 1 : SIZE_UNBOUNDED);
}

/* Is the order of these pods fixed? It is where it was chosen, and where several
 * owners have the same pods: the last pod for one of them is the last for all. */
static bool listing_is_fixed(const struct cycle *cycle, const struct owned *owned)
{
    const struct signature nothing = {0};
    const uint32_t first = owned->pods.items[0];
    return !cycle->choice || cycle_pod(cycle, first)->meta.owner_count > 1 ||
           !signature_equal(cycle->cluster->pods[first].hidden, nothing);
}

/* The last pods of the listing come first, because the canonical cycle evicts these. */
static void fill_order(struct census *census, const struct owned *owned, uint32_t keep,
                       struct eviction_order *order)
{
    struct cycle *cycle = census->cycle;
    const uint32_t copies = owned->copies.count;
    order_init(cycle, order, owned->pods.count);
    for (uint32_t i = keep - 1; i < copies; i++)
        order_add(order, owned->copies.items[i], 0);
    order->fixed = listing_is_fixed(cycle, owned);
    if (order->fixed)
        return;
    for (uint32_t i = 0; i < owned->pods.count; i++) {
        const uint32_t pod = owned->pods.items[i];
        bool there = false;
        for (uint32_t j = 0; j < order->count && !there; j++)
            there = order->items[j] == pod;
        if (!there)
            order_add(order, pod, 0);
    }
}

static void evict_copies(struct census *census, const struct owner_sum *sum,
                         const struct owned *owned)
{
    struct cycle *cycle = census->cycle;
    const uint32_t keep = kept_on_a_node(sum);
    if (owned->copies.count + 1 <= keep)
        return;
    const uint32_t evictions = owned->copies.count - (keep - 1);
    struct eviction_order order;
    fill_order(census, owned, keep, &order);
    for (uint32_t i = 0; i < evictions; i++) {
        const uint32_t pod =
            order_take(cycle, &order, place_of(cycle, 2, ((uint64_t)owned->owner << 32) | i));
        if (pod == VIEW_NONE)
            return;
        evictor_evict(cycle, pod,
                      cycle_because(cycle, "%s has %u like it, %u are enough",
                                    cycle_node_name(cycle, owned->node), owned->copies.count + 1,
                                    keep));
        if (evictor_node_limit_reached(cycle, owned->node))
            return;
    }
}

static void evict_of_owner(struct census *census, uint32_t owner, bool fixed)
{
    struct cycle *cycle = census->cycle;
    struct owner_sum *sum = &census->owners[owner];
    const struct owner_key *key = &cycle->cluster->owner_keys.items[owner];
    sum->targets = count_targets(cycle, sum);
    if (!cluster_sum_exceeds(cycle->cluster, &sum->targets, 1)) {
        cycle_tell(cycle, "%s %s/%s: fewer than two nodes could take a duplicate", key->kind,
                   key->namespace, key->name);
        return;
    }
    note_sizes(cycle, sum);
    cycle_tell(cycle, "%s %s/%s: %u pods, %lld nodes could take them, at most %u belong on each",
               key->kind, key->namespace, key->name, sum->occurrences,
               (long long)sum->targets.value, kept_on_a_node(sum));
    struct eviction_order nodes;
    order_init(cycle, &nodes, sum->places.count);
    nodes.of_nodes = true;
    nodes.fixed = fixed;
    for (uint32_t i = 0; i < sum->places.count; i++)
        if (sum->places.items[i]->copies.count > 0)
            order_add(&nodes, sum->places.items[i]->node, 0);
    for (;;) {
        const uint32_t node = order_take(cycle, &nodes, place_of(cycle, 3, owner));
        if (node == VIEW_NONE)
            break;
        cycle->cluster->nodes[node].mark = 1;
        for (uint32_t i = 0; i < sum->places.count; i++)
            if (sum->places.items[i]->node == node)
                evict_copies(census, sum, sum->places.items[i]);
    }
    for (uint32_t n = 0; n < cycle->cluster->node_count; n++)
        cycle->cluster->nodes[n].mark = 0;
}

/* Owners with duplicates by namespace, kind, name and images. */
static uint32_t *sort_owners(const struct census *census, uint32_t *count)
{
    const struct cluster *cluster = census->cycle->cluster;
    uint32_t *sorted = ARENA_ARRAY(census->cycle->arena, uint32_t, cluster->owner_keys.count + 1);
    *count = 0;
    for (uint32_t owner = 0; owner < cluster->owner_keys.count; owner++) {
        if (census->owners[owner].duplicates == 0)
            continue;
        const struct owner_key *key = &cluster->owner_keys.items[owner];
        uint32_t at = (*count)++;
        for (; at > 0; at--) {
            const struct owner_key *before = &cluster->owner_keys.items[sorted[at - 1]];
            int order = strcmp(before->namespace, key->namespace);
            order = order ? order : strcmp(before->kind, key->kind);
            order = order ? order : strcmp(before->name, key->name);
            order = order ? order : strcmp(before->images, key->images);
            if (order <= 0)
                break;
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = owner;
    }
    return sorted;
}

/* Any owner may be next. */
static uint32_t next_owner(struct cycle *cycle, const uint32_t *owners, const bool *done,
                           uint32_t count, bool fixed)
{
    struct signature *alternatives = ARENA_ARRAY(cycle->arena, struct signature, count + 1);
    uint32_t *left = ARENA_ARRAY(cycle->arena, uint32_t, count + 1);
    uint32_t left_count = 0;
    struct signature place = place_of(cycle, 4, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (done[i])
            continue;
        alternatives[left_count] = (struct signature){owners[i], 1};
        left[left_count++] = i;
        place = signature_mix(place, owners[i]);
    }
    if (left_count == 0)
        return VIEW_NONE;
    if (!cycle->choice || fixed || left_count == 1)
        return left[0];
    return left[order_choose(cycle, alternatives, left_count,
                             signature_mix_all(cycle_signature(cycle, NULL), place))];
}

static struct stakes find_stakes(const struct census *census, const uint32_t *owners,
                                 uint32_t count)
{
    struct cycle *cycle = census->cycle;
    uint32_t pod_count = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < census->owners[owners[i]].places.count; p++)
            pod_count += census->owners[owners[i]].places.items[p]->pods.count;
    uint32_t *pods = ARENA_ARRAY(cycle->arena, uint32_t, pod_count + 1);
    pod_count = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < census->owners[owners[i]].places.count; p++) {
            const struct owned *owned = census->owners[owners[i]].places.items[p];
            for (uint32_t d = 0; d < owned->pods.count; d++)
                pods[pod_count++] = owned->pods.items[d];
        }
    return stakes_of(cycle, pods, pod_count, NULL);
}

static void run(struct cycle *cycle)
{
    const struct cluster *cluster = cycle->cluster;
    struct census census = {.cycle = cycle};
    uint32_t count;
    census.owners = ARENA_ARRAY(cycle->arena, struct owner_sum, cluster->owner_keys.count + 1);
    census.group_seen = ARENA_ARRAY(cycle->arena, bool, cluster->duplicate_groups.count + 1);
    take_census(&census);
    const uint32_t *owners = sort_owners(&census, &count);
    const struct stakes stakes = find_stakes(&census, owners, count);
    bool *done = ARENA_ARRAY(cycle->arena, bool, count + 1);
    if (count == 0)
        cycle_tell(cycle, "no owner has two pods on one node");
    for (;;) {
        const uint32_t next = next_owner(cycle, owners, done, count, !stakes.within);
        if (next == VIEW_NONE || cycle_given_up(cycle))
            break;
        done[next] = true;
        cycle->situation =
            signature_add(cycle->situation, signature_mix((struct signature){owners[next], 1}, 1));
        evict_of_owner(&census, owners[next], !stakes.across);
    }
    cycle_forget_hidden(cycle);
}

const struct descheduler_plugin_type plugin_remove_duplicates = {
    .mirrors = "pkg/framework/plugins/removeduplicates/removeduplicates.go @ v0.27.1",
    .field = "containers[0].resources.requests",
    .reads = kind_readers_none,
    .run = run,
};
