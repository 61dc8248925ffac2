/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/node_reads.h"

static const char why_exact[] = "a decision depends on the very number of nodes";
static const char why_none_left[] = "in some state no node of the group is as it was at the start";

void node_reads_pin(struct node_reads *reads, uint32_t groups, const char *why)
{
    if (!reads->region->why)
        reads->region->why = why;
    for (uint32_t g = 0; g < reads->group_count; g++)
        if (groups >> g & 1)
            size_region_narrow(reads->region, UINT32_C(1) << g, reads->nodes[g], reads->nodes[g]);
}

void node_reads_state(struct node_reads *reads, const struct view_node *nodes, uint32_t count)
{
    uint32_t missing = 0;
    for (uint32_t g = 0; g < reads->group_count; g++)
        missing |= reads->nodes[g] > 0 ? UINT32_C(1) << g : 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t group = nodes[n].count > 0 ? node_reads_group(reads, nodes[n].config) : 0;
        if (group == 0)
            continue;
        const int64_t out = size_sum(reads->nodes, group) - nodes[n].count;
        missing &= ~group;
        size_region_narrow(reads->region, group, out + 1, SIZE_UNBOUNDED);
    }
    if (missing)
        node_reads_pin(reads, missing, why_none_left);
}

uint32_t node_count_noted(const struct catalog *catalog, struct view_node nodes)
{
    const uint32_t group = node_reads_group(catalog->node_reads, nodes.config);
    if (group != 0)
        node_reads_pin(catalog->node_reads, group, why_exact);
    return nodes.count;
}

bool node_count_compared(const struct catalog *catalog, struct view_node nodes, uint32_t than)
{
    const struct node_sum sum = {nodes.count, node_reads_group(catalog->node_reads, nodes.config),
                                 false};
    return node_sum_exceeds(catalog, &sum, than);
}

void node_sum_note(const struct catalog *catalog, struct node_sum *sum, uint32_t config)
{
    const uint32_t group = node_reads_group(catalog->node_reads, config);
    sum->mixed |= (sum->groups & group) != 0;
    sum->groups |= group;
}

void node_sum_keep(const struct catalog *catalog, const struct node_sum *sum, int64_t least,
                   int64_t most)
{
    struct node_reads *reads = catalog->node_reads;
    if (!reads || sum->groups == 0)
        return;
    if (sum->mixed) {
        node_reads_pin(reads, sum->groups, why_exact);
        return;
    }
    const int64_t rest = sum->value - size_sum(reads->nodes, sum->groups);
    size_region_narrow(reads->region, sum->groups, least - rest,
                       most == SIZE_UNBOUNDED ? most : most - rest);
}

bool node_sum_exceeds(const struct catalog *catalog, const struct node_sum *sum, int64_t than)
{
    const bool exceeds = sum->value > than;
    node_sum_keep(catalog, sum, exceeds ? than + 1 : 0, exceeds ? SIZE_UNBOUNDED : than);
    return exceeds;
}

int64_t node_sum_exact(const struct catalog *catalog, const struct node_sum *sum)
{
    if (catalog->node_reads && sum->groups != 0 && !catalog->node_reads->region->why)
        catalog->node_reads->region->why = why_exact;
    node_sum_keep(catalog, sum, sum->value, sum->value);
    return sum->value;
}

struct size_slab node_sum_bounds(const struct catalog *catalog, const struct node_sum *sum)
{
    const struct node_reads *reads = catalog->node_reads;
    const int64_t rest = sum->value - size_sum(reads->nodes, sum->groups);
    struct size_slab bounds = size_region_bounds(reads->region, sum->groups);
    bounds.least += rest;
    bounds.most = bounds.most < SIZE_FOLLOWED_MOST ? bounds.most : SIZE_FOLLOWED_MOST;
    bounds.most += rest;
    bounds.least = bounds.least < 0 ? 0 : bounds.least;
    bounds.least = bounds.least < sum->value ? bounds.least : sum->value;
    bounds.most = bounds.most > sum->value ? bounds.most : sum->value;
    return bounds;
}

int64_t size_last_same(int64_t from, int64_t end, bool (*same)(void *context, int64_t value),
                       void *context)
{
    const int64_t sign = end < from ? -1 : 1;
    const int64_t farthest = sign * (end - from);
    int64_t good = 0;
    int64_t bad = farthest + 1;
    for (int64_t step = 1; good < farthest; step *= 2) {
        const int64_t next = good + step < farthest ? good + step : farthest;
        if (!same(context, from + sign * next)) {
            bad = next;
            break;
        }
        good = next;
    }
    while (bad - good > 1) {
        const int64_t middle = good + (bad - good) / 2;
        if (same(context, from + sign * middle))
            good = middle;
        else
            bad = middle;
    }
    return from + sign * good;
}

void node_sum_follow(const struct catalog *catalog, const struct node_sum *sum, bool for_ever,
                     bool (*same)(void *context, int64_t value), void *context)
{
    if (!catalog->node_reads || sum->groups == 0)
        return;
    const struct size_slab bounds = node_sum_bounds(catalog, sum);
    const int64_t least = size_last_same(sum->value, bounds.least, same, context);
    const int64_t most = size_last_same(sum->value, bounds.most, same, context);
    node_sum_keep(catalog, sum, least, most == bounds.most && for_ever ? SIZE_UNBOUNDED : most);
}
