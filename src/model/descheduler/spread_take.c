/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which pods a domain gives: the last of its list.
 *
 * Sorted, the list has pods first that cannot be evicted, then those with a
 * node selector or affinity, then all others. Inside each part the order is the
 * listing's: by name up to v0.27, from v0.28 on node after node as the cache has
 * them. Where nobody sees the listing, the parts are taken from by chance, but
 * always as if there were one listing (hidden_order.h).
 */
#include "model/descheduler/go_sort.h"
#include "model/descheduler/spread_balance.h"

enum { STABLE_MOST = 12 }; /* longer lists are not sorted by insertion */

enum part { PART_PLAIN, PART_PINNED, PART_UNEVICTABLE, PART_COUNT };

static enum part part_of(struct cycle *cycle, uint32_t pod)
{
    if (!evictor_passes(cycle, pod))
        return PART_UNEVICTABLE;
    return cluster_kind(cycle->cluster, pod)->pinned ? PART_PINNED : PART_PLAIN;
}

static bool below_average(const struct spread *spread, uint32_t node)
{
    const struct cluster *cluster = spread->cycle->cluster;
    if (!cluster->nodes[node].in_cycle || spread->map.of_node[node] == VIEW_NONE ||
        !spread_includes(spread->cycle, spread->constraint, cluster->nodes[node].node))
        return false;
    for (uint32_t d = 0; d < spread->domains.count; d++)
        if (spread->domains.items[d].number == spread->map.of_node[node])
            return (double)spread->domains.items[d].pods.count < spread->average;
    return false;
}

static bool fits_below(const struct spread *spread, uint32_t pod)
{
    struct cycle *cycle = spread->cycle;
    if (cycle->setup->rules.spread_fit_optional &&
        !cycle->profile->topology_spread.balance_node_fit)
        return true;
    for (uint32_t n = 0; n < cycle->cluster->node_count; n++)
        if (n != cycle->cluster->pods[pod].node && below_average(spread, n) &&
            fit_node(cycle, pod, n))
            return true;
    return false;
}

/* Whether it fits or not, the pod is out of the book-keeping. */
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

/* No order: of two pods that cannot be evicted each is less than the other. The
 * priority that upstream computes here is thrown away. */
static bool comes_first(const void *context, uint32_t left, uint32_t right)
{
    /* The evictor remembers what it found out, hence no const. */
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

static void note_pods(struct spread *spread, const numbers *pods, uint32_t last)
{
    struct cluster *cluster = spread->cycle->cluster;
    if (spread->alone)
        return;
    hidden_order_learn(spread->pods_order, last, pods->items, pods->count);
    (*spread->takes)++;
    for (uint32_t i = 0; i < pods->count; i++) {
        struct cluster_pod *pod = &cluster->pods[pods->items[i]];
        cluster_touch_begin(cluster, pods->items[i]);
        pod->hidden =
            signature_mix(pod->hidden, (uint64_t)*spread->takes * 2 + (pods->items[i] == last));
        cluster_touch_end(cluster, pods->items[i]);
    }
}

static void note_nodes(struct spread *spread, const numbers *nodes, uint32_t last)
{
    struct cluster *cluster = spread->cycle->cluster;
    if (spread->alone)
        return;
    hidden_order_learn(spread->nodes_order, last, nodes->items, nodes->count);
    (*spread->takes)++;
    for (uint32_t i = 0; i < nodes->count; i++)
        cluster->nodes[nodes->items[i]].hidden =
            signature_mix(cluster->nodes[nodes->items[i]].hidden,
                          (uint64_t)*spread->takes * 2 + (nodes->items[i] == last));
}

static struct signature state_of(const struct spread *spread, const struct spread_domain *domain,
                                 uint32_t site, uint32_t wanted)
{
    struct signature place = place_of(spread->cycle, site, spread->constraint_number);
    place = signature_mix(place, domain->number);
    place = signature_mix(place, wanted);
    return signature_mix_all(cycle_signature(spread->cycle, spread->local), place);
}

static struct signature signature_of(const struct spread *spread, uint32_t item, bool is_node)
{
    const struct cluster *cluster = spread->cycle->cluster;
    const uint32_t node = is_node ? item : cluster->pods[item].node;
    const struct signature signature =
        signature_mix_all(cluster_node_signature(cluster, node), spread->local[node]);
    return is_node ? signature : signature_mix_all(signature, cluster_pod_signature(cluster, item));
}

/* Which of these is last in the listing? The index, or VIEW_NONE when given up. */
static uint32_t ask_last(struct spread *spread, const struct spread_domain *domain,
                         const numbers *items, bool nodes, uint32_t wanted)
{
    struct cycle *cycle = spread->cycle;
    const struct hidden_order *order = nodes ? spread->nodes_order : spread->pods_order;
    struct signature *alternatives = ARENA_ARRAY(cycle->arena, struct signature, items->count + 1);
    uint32_t *allowed = ARENA_ARRAY(cycle->arena, uint32_t, items->count + 1);
    struct signature all = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        const uint32_t item = items->items[i];
        const struct signature signature = signature_of(spread, item, nodes);
        all = signature_add(all, signature_mix(signature, 1));
        if (!spread->alone && !hidden_order_allows(order, item, items->items, items->count))
            continue;
        alternatives[count] = signature;
        allowed[count++] = i;
    }
    if (count == 0)
        bug("a hidden order contradicts itself");
    const struct signature state =
        signature_mix_all(state_of(spread, domain, nodes ? 2 : 3, wanted), all);
    const uint32_t index = allowed[order_choose(cycle, alternatives, count, state)];
    return cycle_given_up(cycle) ? (uint32_t)VIEW_NONE : index;
}

static void drop(numbers *items, uint32_t index)
{
    items->items[index] = items->items[--items->count];
}

/* One by one, any pod being the last. */
static bool take_from(struct spread *spread, const struct spread_domain *domain, numbers *pods,
                      uint32_t wanted)
{
    while (wanted > 0 && wanted < pods->count) {
        const uint32_t index = ask_last(spread, domain, pods, false, wanted);
        if (index == VIEW_NONE)
            return false;
        const uint32_t pod = pods->items[index];
        note_pods(spread, pods, pod);
        take_pod(spread, pod);
        drop(pods, index);
        wanted--;
    }
    for (uint32_t i = 0; wanted > 0 && i < pods->count; i++)
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
    while (wanted > 0) {
        uint32_t index = 0;
        if (nodes.count > 1) {
            index = ask_last(spread, domain, &nodes, true, wanted);
            if (index == VIEW_NONE)
                return false;
            note_nodes(spread, &nodes, nodes.items[index]);
        }
        numbers *last = &on_node[nodes.items[index]];
        const uint32_t share = wanted < last->count ? wanted : last->count;
        if (!take_from(spread, domain, last, share))
            return false;
        wanted -= share;
        drop(&nodes, index);
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
    /* A long list of both sorts is shuffled by sorting. */
    const bool shuffled = domain->pods.count > STABLE_MOST && parts[PART_PLAIN].count > 0 &&
                          parts[PART_PLAIN].count < domain->pods.count;
    const bool by_node = cycle->setup->rules.spread_lists_evictable && !shuffled;
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
                                            !cycle->setup->rules.spread_lists_evictable);
    if (domain->given == 0)
        return;
    if (visible)
        take_visible(spread, domain);
    else
        take_hidden(spread, domain);
}
