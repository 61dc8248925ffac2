/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/price_bound.h"

#include <math.h>
#include <stdlib.h>

/* Far more than sums of prices are wrong by, and far less than makes a difference to a whole node.
 */
static const double ROUNDING = 1e-9;

struct pricing {
    const struct cover_pods *pods;
    uint32_t pod_count;
    const struct priced_nodes *nodes;
    uint32_t node_count;
    uint32_t resource_count;
    const int64_t *worth_one; /* thresholds of which each costs 1 */
    struct cost *costs;
};

struct cost {
    double price;
    uint64_t count;
};

static double price_of(const struct pricing *pricing, uint32_t resource, int64_t amount)
{
    const int64_t one = pricing->worth_one[resource];
    return one == INT64_MAX ? 0 : (double)amount / (double)one;
}

static double cost_of(const struct pricing *pricing, const struct priced_nodes *nodes)
{
    double least = INFINITY;
    for (uint32_t r = 0; r < pricing->resource_count; r++)
        if (nodes->thresholds[r] < INT64_MAX)
            least = fmin(least, price_of(pricing, r, nodes->thresholds[r]));
    return least;
}

/* What all pods can pay; none of them more than `most`. */
static double paid(const struct pricing *pricing, double most)
{
    double total = 0;
    for (uint32_t p = 0; p < pricing->pod_count; p++) {
        double price = 0;
        for (uint32_t r = 0; r < pricing->resource_count; r++)
            price = fmax(price, price_of(pricing, r, pricing->pods[p].sizes[r]));
        total += fmin(price, most) * (double)pricing->pods[p].count;
    }
    return total;
}

static int by_price(const void *left, const void *right)
{
    const struct cost *a = left;
    const struct cost *b = right;
    return (a->price > b->price) - (a->price < b->price);
}

/* With these prices. */
static uint64_t count_paid(const struct pricing *pricing)
{
    struct cost *costs = pricing->costs;
    uint64_t filled = 0;
    double most = 0;
    for (uint32_t n = 0; n < pricing->node_count; n++) {
        costs[n] = (struct cost){cost_of(pricing, &pricing->nodes[n]), pricing->nodes[n].count};
        most = costs[n].price < INFINITY ? fmax(most, costs[n].price) : most;
    }
    double left = paid(pricing, most) * (1 + ROUNDING);
    qsort(costs, pricing->node_count, sizeof(*costs), by_price);
    for (uint32_t n = 0; n < pricing->node_count; n++) {
        const double number =
            costs[n].price > 0 ? floor(left / costs[n].price + ROUNDING) : INFINITY;
        if (number < (double)costs[n].count)
            return filled + (uint64_t)number;
        filled += costs[n].count;
        left -= costs[n].price * (double)costs[n].count;
    }
    return filled;
}

uint64_t price_bound(struct arena *scratch, const struct cover_pods *pods, uint32_t pod_count,
                     const struct priced_nodes *nodes, uint32_t node_count, uint32_t resource_count)
{
    const struct arena_mark mark = arena_mark(scratch);
    struct pricing pricing = {.pods = pods,
                              .pod_count = pod_count,
                              .nodes = nodes,
                              .node_count = node_count,
                              .resource_count = resource_count,
                              .costs = ARENA_ARRAY(scratch, struct cost, node_count + 1)};
    uint64_t least = UINT64_MAX;
    for (uint32_t n = 0; n < node_count; n++) {
        pricing.worth_one = nodes[n].thresholds;
        const uint64_t count = count_paid(&pricing);
        least = count < least ? count : least;
    }
    arena_rewind(scratch, mark);
    return node_count > 0 ? least : 0;
}
