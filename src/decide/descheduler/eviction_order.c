/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/eviction_order.h"

#include "decide/descheduler/go_sort.h"

#include <string.h>

void order_init(struct cycle *cycle, struct eviction_order *order, uint32_t capacity)
{
    *order = (struct eviction_order){.capacity = capacity};
    order->items = ARENA_ARRAY(cycle->arena, uint32_t, capacity + 1);
    order->ranks = ARENA_ARRAY(cycle->arena, int64_t, capacity + 1);
}

void order_add(struct eviction_order *order, uint32_t item, int64_t rank)
{
    if (order->count == order->capacity)
        bug("an order of %u items is full", order->capacity);
    order->items[order->count] = item;
    order->ranks[order->count++] = rank;
}

struct signature place_of(const struct cycle *cycle, uint32_t site, uint64_t detail)
{
    struct signature place = {.left = cycle->step, .right = site};
    return signature_mix(place, detail);
}

struct signature cycle_signature(const struct cycle *cycle, const struct signature *local)
{
    struct signature sum = cycle->situation;
    for (uint32_t n = 0; n < cycle->cluster->node_count; n++) {
        struct signature node = cluster_node_signature(cycle->cluster, n);
        if (local)
            node = signature_mix_all(node, local[n]);
        sum = signature_add(sum, signature_mix(node, 1));
    }
    return sum;
}

/* What is left to do on every node. */
static struct signature *local_of(const struct cycle *cycle, const struct eviction_order *order)
{
    struct signature *local =
        ARENA_ARRAY(cycle->arena, struct signature, cycle->cluster->node_count + 1);
    for (uint32_t i = 0; i < order->count; i++) {
        const uint32_t item = order->items[i];
        const uint32_t node = order->of_nodes ? item : cycle->cluster->pods[item].node;
        struct signature left = order->of_nodes ? (struct signature){1, 1}
                                                : cluster_pod_signature(cycle->cluster, item);
        left = signature_mix(left, (uint64_t)order->ranks[i]);
        local[node] = signature_add(local[node], left);
    }
    return local;
}

uint32_t order_choose(struct cycle *cycle, const struct signature *alternatives, uint32_t count,
                      struct signature state)
{
    uint32_t *distinct = ARENA_ARRAY(cycle->arena, uint32_t, count + 1);
    uint32_t distinct_count = 0;
    struct signature_set known = {0};
    for (uint32_t i = 0; i < count; i++)
        if (signature_set_add(cycle->arena, &known, alternatives[i]))
            distinct[distinct_count++] = i;
    return distinct[choice_pick(cycle->choice, distinct_count, state)];
}

static uint32_t choose(struct cycle *cycle, const struct eviction_order *order,
                       struct signature place)
{
    uint32_t equals = 1;
    while (equals < order->count && order->ranks[equals] == order->ranks[0])
        equals++;
    if (equals == 1)
        return 0;
    const struct signature *local = local_of(cycle, order);
    struct signature *alternatives = ARENA_ARRAY(cycle->arena, struct signature, equals);
    for (uint32_t i = 0; i < equals; i++) {
        const uint32_t item = order->items[i];
        const uint32_t node = order->of_nodes ? item : cycle->cluster->pods[item].node;
        alternatives[i] =
            signature_mix_all(cluster_node_signature(cycle->cluster, node), local[node]);
        if (!order->of_nodes)
            alternatives[i] =
                signature_mix_all(alternatives[i], cluster_pod_signature(cycle->cluster, item));
    }
    return order_choose(cycle, alternatives, equals,
                        signature_mix_all(cycle_signature(cycle, local), place));
}

uint32_t order_take(struct cycle *cycle, struct eviction_order *order, struct signature place)
{
    if (order->count == 0 || cycle_given_up(cycle))
        return VIEW_NONE;
    uint32_t taken = 0;
    if (cycle->choice && !order->fixed)
        taken = choose(cycle, order, place);
    const uint32_t item = order->items[taken];
    order->count--;
    memmove(order->items + taken, order->items + taken + 1,
            (order->count - taken) * sizeof(*order->items));
    memmove(order->ranks + taken, order->ranks + taken + 1,
            (order->count - taken) * sizeof(*order->ranks));
    return cycle_given_up(cycle) ? VIEW_NONE : item;
}

/* ---- stakes ---- */

/* A pod that is not evicted because no other node has room for it may be evicted
 * later, when there is room. */
static bool may_become_ready(struct cycle *cycle, uint32_t pod,
                             bool (*ready)(struct cycle *cycle, uint32_t pod))
{
    if (cycle->setup->mode != DESCHEDULER_DELETE || ready(cycle, pod))
        return false;
    for (uint32_t n = 0; n < cycle->cluster->node_count; n++)
        if (cycle->cluster->nodes[n].ready && fit_node_but_for_room(cycle, pod, n))
            return true;
    return false;
}

static bool budgets_at_stake(const struct cluster *cluster, const uint32_t *guarded)
{
    for (uint32_t i = 0; i < cluster->budget_objects.count; i++)
        if (guarded[i] > (uint32_t)(cluster->budgets[i].disruptions_allowed > 0
                                        ? cluster->budgets[i].disruptions_allowed
                                        : 0))
            return true;
    return false;
}

static bool limit_at_stake(struct optional_int most, uint32_t evicted, uint32_t wanted)
{
    return most.set && wanted > 0 && (int64_t)evicted + wanted >= most.value;
}

struct stakes stakes_of(struct cycle *cycle, const uint32_t *pods, uint32_t count,
                        bool (*ready)(struct cycle *cycle, uint32_t pod))
{
    const struct cluster *cluster = cycle->cluster;
    const struct descheduler_policy *policy = cycle->setup->policy;
    uint32_t *on_node = ARENA_ARRAY(cycle->arena, uint32_t, cluster->node_count + 1);
    uint32_t *in_namespace =
        ARENA_ARRAY(cycle->arena, uint32_t, cluster->namespace_names.count + 1);
    uint32_t *guarded = ARENA_ARRAY(cycle->arena, uint32_t, cluster->budget_objects.count + 1);
    struct stakes stakes = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct pod_kind *kind = cluster_kind(cluster, pods[i]);
        on_node[cluster->pods[pods[i]].node]++;
        in_namespace[kind->namespace]++;
        for (uint32_t b = 0; b < kind->budget_count; b++)
            guarded[kind->budgets[b]]++;
        stakes.across = stakes.across || (ready && may_become_ready(cycle, pods[i], ready));
    }
    for (uint32_t n = 0; n < cluster->node_count; n++)
        stakes.within |=
            limit_at_stake(policy->evictions_per_node_most, cluster->nodes[n].evicted, on_node[n]);
    for (uint32_t i = 0; i < cluster->namespace_names.count; i++)
        stakes.across |= limit_at_stake(policy->evictions_per_namespace_most,
                                        cluster->namespace_evicted[i], in_namespace[i]);
    stakes.across = stakes.across || budgets_at_stake(cluster, guarded);
    stakes.within = stakes.within || stakes.across;
    return stakes;
}

/* ---- priority ---- */

static int64_t priority_rank(const struct pod_kind *kind)
{
    return kind->priority_rank * 4 + (int64_t)kind->quality;
}

/* This is no strict order: upstream calls a best-effort pod less than an equal one. */
static bool priority_less(const void *context, uint32_t left, uint32_t right)
{
    const struct pod_kind *a = cluster_kind(context, left);
    const struct pod_kind *b = cluster_kind(context, right);
    if (a->priority_rank != b->priority_rank)
        return a->priority_rank < b->priority_rank;
    return a->quality == QUALITY_BEST_EFFORT ||
           (a->quality == QUALITY_BURSTABLE && b->quality == QUALITY_GUARANTEED);
}

void order_by_priority(struct cycle *cycle, struct eviction_order *order, uint32_t *pods,
                       uint32_t count)
{
    go_sort(pods, count, priority_less, cycle->cluster);
    order_init(cycle, order, count);
    for (uint32_t i = 0; i < count; i++)
        order_add(order, pods[i], priority_rank(cluster_kind(cycle->cluster, pods[i])));
}
