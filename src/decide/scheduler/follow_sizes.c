/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores of soft spread constraints depend on the number of nodes: where each node is a domain of
 * its own, the pods on a node are weighed with the logarithm of the number of nodes, and rounded.
 * Which nodes are the best may change with every step of the rounding, and change back. So the
 * decision is made again behind each of these steps, upwards and downwards, until it is another
 * one.
 *
 * Beside workloads that are not modelled, how far a node is ahead of another one counts, which goes
 * by raw scores: the first step is the end there.
 *
 * A raw score never falls when nodes are added. So where it changes is found by bisection, and
 * between two such places all scores are the same.
 */
#include "decide/scheduler/follow_sizes.h"
#include "decide/node_reads.h"
#include "decide/scheduler/topology_spread.h"

struct following {
    struct scheduler *scheduler;
    const struct plugin *plugin;
    const struct part *part;
    struct spread *spread;
    uint32_t place;   /* of the plugin among the scores of the profile */
    int64_t *present; /* raw scores by entry, for the number of nodes in hand */
    int64_t *tried;   /* ... for another one */
};

/* The sum of nodes that a constraint is weighed by; NULL: no constraint depends on such a sum. All
 * constraints by the node itself have the same one. */
static const struct node_sum *sum_of(const struct spread *spread)
{
    for (uint32_t i = 0; i < spread->soft.count; i++)
        if (spread->soft.items[i].identity && spread->soft.items[i].nodes.groups != 0)
            return &spread->soft.items[i].nodes;
    return NULL;
}

static void weigh(struct spread *spread, int64_t nodes)
{
    for (uint32_t i = 0; i < spread->soft.count; i++)
        if (spread->soft.items[i].identity)
            spread->soft.items[i].weight = spread_weight((uint64_t)nodes);
}

static void score_with(const struct following *following, int64_t nodes, int64_t *scores)
{
    const struct cycle *cycle = &following->scheduler->cycle;
    weigh(following->spread, nodes);
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        const struct record *record = cycle->records[entry];
        scores[entry] = following->plugin->score(&(struct trial){.plan = cycle->plan,
                                                                 .part = following->part,
                                                                 .now = &record->load,
                                                                 .base = &record->load,
                                                                 .cycle = cycle,
                                                                 .entry = entry});
    }
}

static bool are_same(const struct cycle *cycle, const int64_t *left, const int64_t *right)
{
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        if (left[entry] != right[entry])
            return false;
    }
    return true;
}

static bool raw_scores_stay(void *context, int64_t nodes)
{
    const struct following *following = context;
    score_with(following, nodes, following->tried);
    return are_same(&following->scheduler->cycle, following->present, following->tried);
}

/* The total of the entry with this normalised score of the plugin. */
static int64_t total_with(const struct following *following, uint32_t entry, int64_t score)
{
    const struct scheduler *scheduler = following->scheduler;
    const struct node_decision *node = &scheduler->decision.nodes[entry];
    return node->total - node->scores[following->place] +
           score * scheduler->cycle.plan->profile->scores[following->place].weight;
}

/* Are the same entries the best, with these normalised scores of the plugin? */
static bool best_stay(const struct following *following, const int64_t *scores)
{
    const struct cycle *cycle = &following->scheduler->cycle;
    const struct decision *decision = &following->scheduler->decision;
    int64_t highest = INT64_MIN;
    uint32_t next = 0;
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        const int64_t total = total_with(following, entry, scores[entry]);
        highest = total > highest ? total : highest;
    }
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        if (total_with(following, entry, scores[entry]) != highest)
            continue;
        if (next == decision->best_count || decision->best[next] != entry)
            return false;
        next++;
    }
    return next == decision->best_count;
}

static bool totals_stay(const struct following *following, const int64_t *scores)
{
    const struct cycle *cycle = &following->scheduler->cycle;
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        if (total_with(following, entry, scores[entry]) !=
            following->scheduler->decision.nodes[entry].total)
            return false;
    }
    return true;
}

/* Would the decision be the same with so many nodes? */
static bool decision_stays(const struct following *following, int64_t nodes)
{
    const struct cycle *cycle = &following->scheduler->cycle;
    score_with(following, nodes, following->tried);
    following->plugin->normalise(cycle, following->part, following->tried);
    return cycle->view->catalog->node_reads->keeps_scores ? totals_stay(following, following->tried)
                                                          : best_stay(following, following->tried);
}

/* The last number of nodes towards `end` with which the decision is the same. */
static int64_t follow(struct following *following, int64_t from, int64_t end)
{
    const int64_t sign = end < from ? -1 : 1;
    const bool keeps_raw = following->scheduler->cycle.view->catalog->node_reads->keeps_raw;
    for (int64_t nodes = from;;) {
        score_with(following, nodes, following->present);
        const int64_t last = size_last_same(nodes, end, raw_scores_stay, following);
        if (last == end || keeps_raw || !decision_stays(following, last + sign))
            return last;
        nodes = last + sign;
    }
}

/* Do the scores depend on the number of nodes at all? They do as soon as one node has a pod that is
 * counted, because the weight grows without an end. */
static bool depend(struct following *following, int64_t nodes)
{
    score_with(following, nodes, following->present);
    return !raw_scores_stay(following, INT64_C(1) << 40);
}

static uint32_t count_feasible(const struct cycle *cycle)
{
    uint32_t count = 0;
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        count++;
    }
    return count;
}

static void follow_spread(struct following *following)
{
    struct scheduler *scheduler = following->scheduler;
    const struct catalog *catalog = scheduler->cycle.view->catalog;
    const struct node_sum *sum = sum_of(following->spread);
    if (!sum)
        return;
    const size_t entries = scheduler->cycle.view->node_count;
    following->present = ARENA_ARRAY(&scheduler->scratch, int64_t, entries + 1);
    following->tried = ARENA_ARRAY(&scheduler->scratch, int64_t, entries + 1);
    if (depend(following, sum->value)) {
        catalog->node_reads->scores_vary = true;
        const struct size_slab bounds = node_sum_bounds(catalog, sum);
        const int64_t least = follow(following, sum->value, bounds.least);
        node_sum_keep(catalog, sum, least, follow(following, sum->value, bounds.most));
    }
    weigh(following->spread, sum->value);
}

void scheduler_follow_sizes(struct scheduler *scheduler)
{
    const struct profile *profile = scheduler->cycle.plan->profile;
    /* One entry is the best whatever its score is. */
    if (count_feasible(&scheduler->cycle) < 2 &&
        !scheduler->cycle.view->catalog->node_reads->keeps_scores)
        return;
    for (uint32_t s = 0; s < profile->score_count; s++) {
        const struct part *part = scheduler->cycle.plan->score_parts[s];
        struct following following = {
            .scheduler = scheduler, .plugin = profile->scores[s].plugin, .part = part, .place = s};
        if (following.plugin != &plugin_pod_topology_spread || !part->scores)
            continue;
        following.spread = part->state;
        follow_spread(&following);
    }
}
