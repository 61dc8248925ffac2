/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which nodes may be the best beside others.
 *
 * Scores depend on the others: they hold room on nodes, and fill nodes, which are not compared
 * then. But a node n is never chosen if there are other nodes, each of which has a higher score
 * than n whatever the others do (decide/scheduler/lead.h), unless
 *
 *   - they have filled it, or
 *   - they hold so much on it that its score is too low,
 *
 * and if they have too few pods to do this to all of these nodes at once (room_of_others.c). Then
 * one of them fits and has a higher score than n at any moment. Where they have just enough, the
 * order in which pods fill nodes may rule it out (fill_order.h). More than all their pods together
 * they hold on no node, but for those that were away, which are counted apart.
 *
 * With the pool (state/pool.h) the view does not say which node has which pods, and where groups of
 * nodes are taken together (setup/part_fold.c) it does not say all that scores look at. There every
 * node that fits may be the best.
 */
#include "cluster/ask/best_beside.h"
#include "base/saturating.h"
#include "cluster/ask/fill_order.h"
#include "cluster/ask/room_of_others.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "decide/node_reads.h"
#include "decide/scheduler/scheduler.h"

struct contest {
    struct worker *worker;
    const struct view *view;
    const struct decision *decision;
    uint32_t class;
    struct beside total;          /* what others hold on one node is no more than this */
    const struct plugin *unknown; /* nothing is assumed of its scores; NULL: there is none such */
    uint32_t *better;             /* room for entries ... */
    struct beside *most;          /* ... and for what others may hold there */
};

/* What others may hold on a node is looked for in so many steps from nothing to all that it has. */
enum { STEPS = 32 };

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* So much others hold after a number of steps. Pods that request nothing can hold more than the
 * node has, as scores count. */
static struct beside held_after(const struct contest *contest, uint32_t entry, uint32_t steps)
{
    const struct amounts *all =
        &config_at(contest->worker, contest->view->nodes[entry].config)->template->allocatable;
    if (steps > STEPS)
        return contest->total;
    return (struct beside){lesser(all->cpu_milli / STEPS * steps, contest->total.cpu_milli),
                           lesser(all->memory / STEPS * steps, contest->total.memory)};
}

/* What all pods of the others count together, and those that stay where they are. */
static int64_t total_of(const struct others *others, uint32_t resource)
{
    int64_t total = 0;
    int64_t staying = 0;
    for (uint32_t k = 0; k < others->pod_kinds; k++) {
        const struct pods_held *pods = &others->pods[k];
        /* Those that may be there for ever were measured in another way, and may be more. */
        const uint32_t most = pods->lasting[ROOM_ANYWHERE] > pods->most[ROOM_ANYWHERE]
                                  ? pods->lasting[ROOM_ANYWHERE]
                                  : pods->most[ROOM_ANYWHERE];
        total = saturating_add(total, saturating_multiply(pods->request.amounts[resource], most));
    }
    for (uint32_t g = 0; others->staying && g < others->group_count; g++)
        if (others->staying[g].amounts[resource] > staying)
            staying = others->staying[g].amounts[resource];
    return lesser(saturating_add(total, staying), INT64_MAX - 1);
}

/* Is the entry better than `behind` as long as others hold no more on it than that? `most` is set
 * to the most of which this is known. */
static bool is_better(const struct contest *contest, uint32_t entry, uint32_t behind,
                      struct beside *most)
{
    const struct scheduler *scheduler = contest->worker->scheduler;
    /* It has to be better without others, too. */
    if (contest->decision->nodes[entry].total <= contest->decision->nodes[behind].total)
        return false;
    const int64_t fixed = scheduler_lead(scheduler, entry, behind, contest->unknown);
    uint32_t low = 0; /* the first that is known to be too much is `high` */
    uint32_t high = STEPS + 2;
    while (low < high) {
        const uint32_t steps = low + (high - low) / 2;
        const struct beside held = held_after(contest, entry, steps);
        if (fixed + scheduler_lead_beside(scheduler, entry, behind, &held) > 0)
            low = steps + 1;
        else
            high = steps;
    }
    if (low == 0)
        return false;
    *most = held_after(contest, entry, low - 1);
    return true;
}

/* What follows is not shown for other numbers of nodes. */
static void keep_number_of_nodes(const struct worker *worker)
{
    static const char why[] =
        "which node is the best beside other workloads depends on the number of nodes";
    struct node_reads *reads = worker->catalog->node_reads;
    if (reads)
        node_reads_pin(reads, (UINT32_C(1) << reads->group_count) - 1, why);
}

/* May a node of the entry be the best? */
static bool may_be_best(const struct contest *contest, uint32_t entry)
{
    const struct decision *decision = contest->decision;
    uint32_t count = 0;
    /* The others may have nothing there. */
    if (decision->nodes[entry].total == decision->nodes[decision->best[0]].total)
        return true;
    for (uint32_t n = 0; n < decision->node_count; n++)
        if (decision->nodes[n].verdict.code == VERDICT_FEASIBLE &&
            is_better(contest, n, entry, &contest->most[count]))
            contest->better[count++] = n;
    if (count == 0)
        return true;
    const enum crowding crowding = others_crowd(contest->worker, contest->view, contest->class,
                                                contest->better, count, contest->most);
    if (crowding == CROWDING_NONE)
        return false;
    /* The order in which nodes are filled is not known if images may decide. */
    if (contest->unknown || !fill_order_rules_out(contest->worker, contest->view, contest->class,
                                                  entry, contest->better, count, contest->most))
        return true;
    keep_number_of_nodes(contest->worker);
    return false;
}

/* With more entries every pair of them takes too long to compare. */
enum { ENTRIES_MOST = 48 };

/* Does the view say all that scores look at? */
static bool shows_scores(const struct population *population)
{
    for (uint32_t g = 0; g < population->scope->group_count; g++)
        if (population->scope->groups[g].mixed)
            return false;
    return !population->pools;
}

static uint32_t count_best(const struct contest *contest, uint32_t *best)
{
    const struct population *population = contest->worker->population;
    const bool every = population->options.others->unknown || !shows_scores(population) ||
                       contest->decision->node_count > ENTRIES_MOST;
    uint32_t count = 0;
    for (uint32_t n = 0; n < contest->decision->node_count; n++)
        if (contest->decision->nodes[n].verdict.code == VERDICT_FEASIBLE &&
            (every || may_be_best(contest, n)))
            best[count++] = n;
    return count;
}

/* Where nodes have only the images that they report, it is an assumption that they have no others.
 * Would there be more nodes that may be the best without it? */
static bool images_could_decide(const struct contest *contest, uint32_t count)
{
    struct contest without = *contest;
    uint32_t *best =
        ARENA_ARRAY(&contest->worker->scratch, uint32_t, contest->decision->node_count + 1);
    without.unknown = &plugin_image_locality;
    return !contest->unknown && contest->worker->population->images_assumed &&
           count_best(&without, best) > count;
}

uint32_t *best_beside(struct worker *worker, const struct view *view, uint32_t class,
                      const struct decision *decision, uint32_t *count, bool *images_decide)
{
    uint32_t *best = ARENA_ARRAY(&worker->scratch, uint32_t, decision->node_count + 1);
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct others *others = worker->population->options.others;
    const struct contest contest = {
        .worker = worker,
        .view = view,
        .decision = decision,
        .class = class,
        .total = {total_of(others, ROOM_SCORED_CPU), total_of(others, ROOM_SCORED_MEMORY)},
        /* Others may pull the same images. */
        .unknown = worker->population->image_sets.count > 0 ? &plugin_image_locality : NULL,
        .better = ARENA_ARRAY(&worker->scratch, uint32_t, decision->node_count + 1),
        .most = ARENA_ARRAY(&worker->scratch, struct beside, decision->node_count + 1),
    };
    *count = count_best(&contest, best);
    if (images_decide)
        *images_decide = images_could_decide(&contest, *count);
    arena_rewind(&worker->scratch, mark);
    return best;
}
