/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which pods a domain gives: the last of its list.
 *
 * Sorted, the list has pods first that cannot be evicted, then those with a node
 * selector or affinity, then all others. Inside each part the order is the
 * listing's: by name up to v0.27, from v0.28 on node after node as the cache has
 * them. Where the listing is not known, pods are taken at random from the parts,
 * but consistently with one listing (hidden_order.h).
 */
#include "decide/descheduler/go_sort.h"
#include "decide/descheduler/spread_balance.h"

enum { STABLE_MOST = 12 }; /* longer lists are not sorted by insertion */

enum part { PART_PLAIN, PART_PINNED, PART_UNEVICTABLE, PART_COUNT };

static enum part part_of(struct cycle *cycle, uint32_t pod)
{
    if (!evictor_passes(cycle, pod))
        return PART_UNEVICTABLE;
    return cluster_kind(cycle->cluster, pod)->pinned ? PART_PINNED : PART_PLAIN;
}

static bool fits_below(const struct spread *spread, uint32_t pod)
{
    struct cycle *cycle = spread->cycle;
    if (cycle->setup->features.spread_fit_optional &&
        !cycle->profile->topology_spread.balance_node_fit)
        return true;
    for (uint32_t n = 0; n < cycle->cluster->node_count; n++)
        if (spread->below[n] && n != cycle->cluster->pods[pod].node && fit_node(cycle, pod, n))
            return true;
    return false;
}

/* The pod is removed from its domain whether or not it fits another node. */
static void take_pod(struct spread *spread, uint32_t pod)
{
    struct cluster *cluster = spread->cycle->cluster;
    cluster_touch_begin(cluster, pod);
    cluster->pods[pod].tried = true;
    if (fits_below(spread, pod))
        cluster->pods[pod].chosen = true;
    else
        cycle_tell(spread->cycle, "%s stays: it fits no node of a smaller domain",
                   cycle_pod_name(spread->cycle, pod));
    cluster_touch_end(cluster, pod);
}

/* ---- a listing that everybody sees ---- */

/* This is no strict order: of two pods that cannot be evicted each is less than
 * the other. Upstream computes a priority here and ignores it. */
static bool comes_first(const void *context, uint32_t left, uint32_t right)
{
    /* Not const, because the evictor caches its answers. */
    struct cycle *cycle = *(struct cycle *const *)context;
    const bool left_evictable = evictor_passes(cycle, left);
    const bool right_evictable = evictor_passes(cycle, right);
    if (!left_evictable || !right_evictable)
        return !(left_evictable && !right_evictable);
    return cluster_kind(cycle->cluster, left)->pinned &&
           !cluster_kind(cycle->cluster, right)->pinned;
}

static void take_visible(struct spread *spread, struct spread_domain *domain)
{
    struct cycle *cycle = spread->cycle;
    go_sort(domain->pods.items, domain->pods.count, comes_first, &cycle);
    for (uint32_t i = domain->pods.count - domain->given; i < domain->pods.count; i++)
        take_pod(spread, domain->pods.items[i]);
}

/* ---- a listing that nobody sees ---- */

typedef VEC(uint32_t) numbers;

/* Pods, or nodes, that are interchangeable and stay so while a part is taken from. */
struct bunch {
    numbers items;
    struct signature signature; /* when they were bunched */
};

typedef VEC(struct bunch) bunches;

static struct signature signature_of(const struct spread *spread, uint32_t item, bool is_node)
{
    const struct cluster *cluster = spread->cycle->cluster;
    const uint32_t node = is_node ? item : cluster->pods[item].node;
    const struct signature signature =
        signature_mix_all(cluster_node_signature(cluster, node), spread->local[node]);
    return is_node ? signature : signature_mix_all(signature, cluster_pod_signature(cluster, item));
}

/* Pods of one node are bunched; nodes stand alone, since what happens to one of
 * them changes it. */
static void bunch_up(const struct spread *spread, const numbers *items, bool nodes, bunches *list)
{
    struct cycle *cycle = spread->cycle;
    for (uint32_t i = 0; i < items->count; i++) {
        const uint32_t item = items->items[i];
        const struct signature signature = signature_of(spread, item, nodes);
        struct bunch *last = list->count > 0 ? &list->items[list->count - 1] : NULL;
        if (!last || nodes || !signature_equal(last->signature, signature) ||
            cycle->cluster->pods[last->items.items[0]].node != cycle->cluster->pods[item].node) {
            const struct bunch bunch = {.signature = signature};
            VEC_PUSH(cycle->arena, list, bunch);
            last = &list->items[list->count - 1];
        }
        VEC_PUSH(cycle->arena, &last->items, item);
    }
}

/* Notes that this item came last of those that were left. */
static void note(struct spread *spread, const bunches *list, const uint64_t *set, uint32_t last,
                 bool nodes)
{
    struct cluster *cluster = spread->cycle->cluster;
    if (spread->last)
        return;
    hidden_order_learn(nodes ? spread->nodes_order : spread->pods_order, last, set);
    (*spread->takes)++;
    for (uint32_t b = 0; b < list->count; b++)
        for (uint32_t i = 0; i < list->items[b].items.count; i++) {
            const uint32_t item = list->items[b].items.items[i];
            const uint64_t word = (uint64_t)*spread->takes * 2 + (item == last);
            if (nodes) {
                cluster->nodes[item].hidden = signature_mix(cluster->nodes[item].hidden, word);
                continue;
            }
            cluster_touch_begin(cluster, item);
            cluster->pods[item].hidden = signature_mix(cluster->pods[item].hidden, word);
            cluster_touch_end(cluster, item);
        }
}

static struct signature state_of(const struct spread *spread, const struct spread_domain *domain,
                                 uint32_t site, uint32_t wanted)
{
    struct signature place = place_of(spread->cycle, site, spread->constraint_number);
    place = signature_mix(place, domain->number);
    place = signature_mix(place, wanted);
    return signature_mix_all(cycle_signature(spread->cycle, spread->local), place);
}

/* Which of these is last in the listing? The bunch it is of, or VIEW_NONE when
 * the run is given up. */
static uint32_t ask_last(struct spread *spread, const struct spread_domain *domain,
                         const bunches *list, bool nodes, uint32_t wanted, const uint64_t *set)
{
    struct cycle *cycle = spread->cycle;
    const struct hidden_order *order = nodes ? spread->nodes_order : spread->pods_order;
    struct signature *alternatives = ARENA_ARRAY(cycle->arena, struct signature, list->count + 1);
    uint32_t *allowed = ARENA_ARRAY(cycle->arena, uint32_t, list->count + 1);
    struct signature all = {0};
    uint32_t count = 0;
    for (uint32_t b = 0; b < list->count; b++) {
        const numbers *items = &list->items[b].items;
        if (items->count == 0)
            continue;
        const struct signature signature = signature_of(spread, items->items[0], nodes);
        all = signature_add(all, signature_mix(signature, items->count));
        if (!hidden_order_allows(order, items->items[0], set))
            continue;
        alternatives[count] = signature;
        allowed[count++] = b;
    }
    if (count == 0)
        bug("a hidden order contradicts itself");
    const struct signature state =
        signature_mix_all(state_of(spread, domain, nodes ? 2 : 3, wanted), all);
    const uint32_t chosen = allowed[order_choose(cycle, alternatives, count, state)];
    return cycle_given_up(cycle) ? (uint32_t)VIEW_NONE : chosen;
}

/* The set of all items that are left; NULL when it is not needed. */
static const uint64_t *set_of(const struct spread *spread, const bunches *list, bool nodes)
{
    const struct hidden_order *order = nodes ? spread->nodes_order : spread->pods_order;
    numbers all = {0};
    if (spread->last && order->facts.count == 0)
        return NULL;
    for (uint32_t b = 0; b < list->count; b++)
        for (uint32_t i = 0; i < list->items[b].items.count; i++)
            VEC_PUSH(spread->cycle->arena, &all, list->items[b].items.items[i]);
    return hidden_order_set(order, all.items, all.count);
}

/* One by one, any pod being the last. */
static bool take_from(struct spread *spread, const struct spread_domain *domain,
                      const numbers *pods, uint32_t wanted)
{
    bunches list = {0};
    if (wanted < pods->count)
        bunch_up(spread, pods, false, &list);
    for (; wanted > 0 && list.count > 0; wanted--) {
        const uint64_t *set = set_of(spread, &list, false);
        const uint32_t chosen = ask_last(spread, domain, &list, false, wanted, set);
        if (chosen == VIEW_NONE)
            return false;
        numbers *items = &list.items[chosen].items;
        const uint32_t pod = items->items[0];
        note(spread, &list, set, pod, false);
        take_pod(spread, pod);
        items->items[0] = items->items[--items->count];
    }
    for (uint32_t i = 0; list.count == 0 && i < pods->count; i++)
        take_pod(spread, pods->items[i]);
    return true;
}

/* Node after node: all of the last node's pods come after all others. */
static bool take_by_node(struct spread *spread, const struct spread_domain *domain,
                         const numbers *pods, uint32_t wanted)
{
    struct cycle *cycle = spread->cycle;
    const struct cluster *cluster = cycle->cluster;
    numbers *on_node = ARENA_ARRAY(cycle->arena, numbers, cluster->node_count + 1);
    numbers nodes = {0};
    for (uint32_t i = 0; i < pods->count; i++) {
        const uint32_t node = cluster->pods[pods->items[i]].node;
        if (on_node[node].count == 0)
            VEC_PUSH(cycle->arena, &nodes, node);
        VEC_PUSH(cycle->arena, &on_node[node], pods->items[i]);
    }
    bunches list = {0};
    bunch_up(spread, &nodes, true, &list);
    while (wanted > 0) {
        const uint64_t *set = set_of(spread, &list, true);
        const uint32_t chosen = ask_last(spread, domain, &list, true, wanted, set);
        if (chosen == VIEW_NONE)
            return false;
        const uint32_t node = list.items[chosen].items.items[0];
        note(spread, &list, set, node, true);
        list.items[chosen].items.count = 0;
        const uint32_t share = wanted < on_node[node].count ? wanted : on_node[node].count;
        if (!take_from(spread, domain, &on_node[node], share))
            return false;
        wanted -= share;
    }
    return true;
}

static void take_hidden(struct spread *spread, const struct spread_domain *domain)
{
    struct cycle *cycle = spread->cycle;
    numbers parts[PART_COUNT] = {{0}};
    uint32_t wanted = domain->given;
    for (uint32_t i = 0; i < domain->pods.count; i++) {
        const uint32_t pod = domain->pods.items[i];
        VEC_PUSH(cycle->arena, &parts[part_of(cycle, pod)], pod);
    }
    /* Sorting a long list that has pods of both sorts changes the order of equal ones. */
    const bool shuffled = domain->pods.count > STABLE_MOST && parts[PART_PLAIN].count > 0 &&
                          parts[PART_PLAIN].count < domain->pods.count;
    const bool by_node = cycle->setup->features.spread_lists_evictable && !shuffled;
    for (int part = 0; part < PART_COUNT && wanted > 0; part++) {
        numbers *pods = &parts[part];
        const uint32_t share = wanted < pods->count ? wanted : pods->count;
        const bool partly = share < pods->count && part != PART_UNEVICTABLE;
        const bool good = partly && by_node ? take_by_node(spread, domain, pods, share)
                          : partly          ? take_from(spread, domain, pods, share)
                                            : take_from(spread, domain, pods, pods->count);
        if (!good)
            return;
        wanted -= share;
    }
}

void spread_take(struct spread *spread, struct spread_domain *domain)
{
    const struct cycle *cycle = spread->cycle;
    const bool visible = !cycle->choice || (cycle->cluster->names_known &&
                                            !cycle->setup->features.spread_lists_evictable);
    if (domain->given == 0)
        return;
    if (visible)
        take_visible(spread, domain);
    else
        take_hidden(spread, domain);
}
