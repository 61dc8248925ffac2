/* SPDX-License-Identifier: Apache-2.0 */
/* After balanceDomains in topologyspreadconstraint.go @ v0.27.1 and v0.28.1. */
#include "decide/descheduler/spread_balance.h"

#include "decide/descheduler/cluster_sizes.h"
#include "decide/descheduler/go_sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- domains ---- */

static int compare_domains(const void *left, const void *right)
{
    const struct spread_domain *a = left;
    const struct spread_domain *b = right;
    if (a->value && b->value)
        return strcmp(a->value, b->value);
    return (a->number > b->number) - (a->number < b->number);
}

/* A node that is a domain by itself has no known value. */
static void count_domains(struct spread *spread, const bool *present)
{
    const struct cluster *cluster = spread->cycle->cluster;
    const uint32_t numbers = spread->map->values.count;
    bool *counted = ARENA_ARRAY(spread->cycle->arena, bool, numbers + 1);
    for (uint32_t n = 0; n < cluster->node_count; n++) {
        const uint32_t domain = spread->map->of_node[n];
        if (domain == VIEW_NONE || !present[domain] || counted[domain])
            continue;
        counted[domain] = true;
        if (spread->map->values.items[domain])
            spread->domain_sum.value++;
        else
            cluster_count_node(cluster, &spread->domain_sum, n);
    }
}

void spread_populate(struct spread *spread, const uint32_t *listing, uint32_t count)
{
    struct cycle *cycle = spread->cycle;
    const struct cluster *cluster = cycle->cluster;
    spread->map = cluster_domains(cycle->cluster, spread->constraint->constraint->topology_key);
    const uint32_t numbers = spread->map->values.count;
    struct spread_domain *all = ARENA_ARRAY(cycle->arena, struct spread_domain, numbers + 1);
    bool *present = ARENA_ARRAY(cycle->arena, bool, numbers + 1);
    for (uint32_t n = 0; n < cluster->node_count; n++)
        if (cluster->nodes[n].in_cycle && spread->map->of_node[n] != VIEW_NONE &&
            spread_includes(cycle, spread->constraint, cluster->nodes[n].node))
            present[spread->map->of_node[n]] = true;
    uint32_t last_kind = VIEW_NONE;
    bool selected = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct cluster_pod *pod = &cluster->pods[listing[i]];
        if (pod->node == VIEW_NONE || !cluster->nodes[pod->node].in_cycle ||
            spread->map->of_node[pod->node] == VIEW_NONE ||
            cycle_pod_terminating(cycle, listing[i]))
            continue;
        if (pod->kind != last_kind)
            selected = spread_selects(cycle, spread->constraint, cycle_pod(cycle, listing[i]));
        last_kind = pod->kind;
        if (!selected)
            continue;
        present[spread->map->of_node[pod->node]] = true;
        VEC_PUSH(cycle->arena, &all[spread->map->of_node[pod->node]].pods, listing[i]);
        spread->pod_count++;
    }
    for (uint32_t d = 0; d < numbers; d++) {
        all[d].value = spread->map->values.items[d];
        all[d].number = d;
        if (present[d])
            VEC_PUSH(cycle->arena, &spread->domains, all[d]);
    }
    if (spread->domains.count > 0)
        qsort(spread->domains.items, spread->domains.count, sizeof(*spread->domains.items),
              compare_domains);
    count_domains(spread, present);
    spread->average = (double)spread->pod_count / (double)spread->domain_sum.value;
}

bool spread_is_balanced(const struct spread *spread)
{
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;
    for (uint32_t d = 0; d < spread->domains.count; d++) {
        const uint32_t size = spread->domains.items[d].pods.count;
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    return spread->domains.count == 0 ||
           (int64_t)most - least <= spread->constraint->constraint->max_skew;
}

/* ---- the arithmetic ---- */

static bool smaller(const void *context, uint32_t left, uint32_t right)
{
    const struct spread *spread = context;
    return spread->domains.items[left].pods.count < spread->domains.items[right].pods.count;
}

/* How many pods go from the large domain to the small one. */
static int64_t pods_to_move(const struct spread *spread, int64_t large, int64_t small)
{
    const int64_t skew = large - small;
    const double above = ceil((double)large - spread->average);
    const double below = ceil(spread->average - (double)small);
    const double half = ceil((double)(skew - spread->constraint->constraint->max_skew) / 2);
    return (int64_t)fmin(fmin(above, below), half);
}

/* How many pods every place in the order of sizes gives. A domain that receives
 * pods never gives any, so it does not matter which pods move. */
static void share_by_place(const struct spread *spread, int64_t *sizes, uint32_t *given)
{
    const int32_t max_skew = spread->constraint->constraint->max_skew;
    uint32_t low = 0;
    uint32_t high = spread->domains.count - 1;
    while (low < high) {
        if ((double)sizes[high] <= spread->average)
            high--;
        const int64_t skew = sizes[high] - sizes[low];
        const int64_t moved = skew <= max_skew ? 0 : pods_to_move(spread, sizes[high], sizes[low]);
        if (moved <= 0) {
            low++;
            continue;
        }
        given[high] += (uint32_t)moved;
        sizes[high] -= moved;
        sizes[low] += moved;
    }
}

/*
 * With more domains than pods the average is below 1. Then the largest domain alone gives: one pod
 * to each of the first domains without pods, until it has maxSkew pods. There are enough of these
 * domains, whatever their number is. With fewer domains the arithmetic is another one for each
 * number of them.
 */
static void note_sizes(const struct spread *spread)
{
    const struct cluster *cluster = spread->cycle->cluster;
    if (!cluster_sum_exceeds(cluster, &spread->domain_sum, spread->pod_count))
        cluster_sum_exact(cluster, &spread->domain_sum);
}

/* ---- who is where among domains of one size ---- */

/* Equal for domains whose nodes are interchangeable. */
static struct signature domain_signature(const struct spread *spread,
                                         const struct spread_domain *domain)
{
    const struct cluster *cluster = spread->cycle->cluster;
    struct signature sum = {0};
    for (uint32_t n = 0; n < cluster->node_count; n++)
        if (spread->map->of_node[n] == domain->number)
            sum = signature_add(
                sum, signature_mix_all(cluster_node_signature(cluster, n), spread->local[n]));
    return sum;
}

static void give(struct spread *spread, struct spread_domain *domain, uint32_t amount)
{
    const struct cluster *cluster = spread->cycle->cluster;
    domain->given = amount;
    for (uint32_t n = 0; n < cluster->node_count; n++)
        if (spread->map->of_node[n] == domain->number)
            spread->local[n] = signature_mix(spread->local[n], amount + 1);
}

static bool all_equal(const uint32_t *given, uint32_t first, uint32_t end)
{
    for (uint32_t i = first + 1; i < end; i++)
        if (given[i] != given[first])
            return false;
    return true;
}

/* Places first..end-1 have domains of one size: any of them may be anywhere. */
static void assign_block(struct spread *spread, uint32_t first, uint32_t end, const uint32_t *given)
{
    struct cycle *cycle = spread->cycle;
    struct signature *alternatives = ARENA_ARRAY(cycle->arena, struct signature, end - first + 1);
    for (uint32_t place = end; place-- > first;) {
        /* Those that are left stand at first..place. */
        uint32_t taken = place;
        const bool asks = cycle->choice && !all_equal(given, first, place + 1);
        if (asks) {
            for (uint32_t i = first; i <= place; i++)
                alternatives[place - i] =
                    domain_signature(spread, &spread->domains.items[spread->sorted[i]]);
            struct signature where = place_of(cycle, 1, spread->constraint_number);
            where = signature_mix(where, place);
            taken = place -
                    order_choose(cycle, alternatives, place - first + 1,
                                 signature_mix_all(cycle_signature(cycle, spread->local), where));
        }
        const uint32_t domain = spread->sorted[taken];
        memmove(spread->sorted + taken, spread->sorted + taken + 1,
                (place - taken) * sizeof(*spread->sorted));
        spread->sorted[place] = domain;
        give(spread, &spread->domains.items[domain], given[place]);
    }
}

static void find_below(struct spread *spread)
{
    const struct cluster *cluster = spread->cycle->cluster;
    bool *low = ARENA_ARRAY(spread->cycle->arena, bool, spread->map->values.count + 1);
    spread->below = ARENA_ARRAY(spread->cycle->arena, bool, cluster->node_count + 1);
    for (uint32_t d = 0; d < spread->domains.count; d++)
        low[spread->domains.items[d].number] =
            (double)spread->domains.items[d].pods.count < spread->average;
    for (uint32_t n = 0; n < cluster->node_count; n++)
        spread->below[n] =
            cluster->nodes[n].in_cycle && spread->map->of_node[n] != VIEW_NONE &&
            low[spread->map->of_node[n]] &&
            spread_includes(spread->cycle, spread->constraint, cluster->nodes[n].node);
}

void spread_share_out(struct spread *spread)
{
    struct cycle *cycle = spread->cycle;
    const uint32_t count = spread->domains.count;
    uint32_t *given = ARENA_ARRAY(cycle->arena, uint32_t, count + 1);
    int64_t *sizes = ARENA_ARRAY(cycle->arena, int64_t, count + 1);
    spread->sorted = ARENA_ARRAY(cycle->arena, uint32_t, count + 1);
    spread->local = ARENA_ARRAY(cycle->arena, struct signature, cycle->cluster->node_count + 1);
    find_below(spread);
    for (uint32_t d = 0; d < count; d++)
        spread->sorted[d] = d;
    go_sort(spread->sorted, count, smaller, spread);
    for (uint32_t i = 0; i < count; i++)
        sizes[i] = spread->domains.items[spread->sorted[i]].pods.count;
    share_by_place(spread, sizes, given);
    note_sizes(spread);
    for (uint32_t first = 0; first < count;) {
        const uint32_t size = spread->domains.items[spread->sorted[first]].pods.count;
        uint32_t end = first + 1;
        while (end < count && spread->domains.items[spread->sorted[end]].pods.count == size)
            end++;
        assign_block(spread, first, end, given);
        first = end;
    }
}
