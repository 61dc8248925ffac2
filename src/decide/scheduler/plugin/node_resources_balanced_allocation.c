/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes whose resources would be used to an equal degree are better. */
#include "base/saturating.h"
#include "decide/scheduler/lead.h"
#include "decide/scheduler/resource_score.h"

#include <math.h>

enum { RESOURCES_MOST = 32 };

static void prepare(struct plan *plan, struct part *part)
{
    struct scored_resources *resources = resource_score_prepare(
        plan, &plan->profile->settings->balanced_allocation.resources, false);
    part->state = resources;
    if (!plan->catalog->features.balance_needs_request)
        return;
    part->scores = false;
    part->skips = true;
    for (uint32_t i = 0; i < resources->count; i++)
        part->scores |= resources->items[i].request != 0;
}

static void relate(const struct plan *plan, const struct part *part, const struct pod_shape *pod,
                   bool terminating, int64_t *counters)
{
    (void)plan;
    (void)terminating;
    resource_score_relate(part->state, pod, counters);
}

static double deviation(const double *fractions, uint32_t count, double total)
{
    if (count < 2)
        return 0;
    if (count == 2)
        return fabs((fractions[0] - fractions[1]) / 2);
    double mean = total / count;
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum = sum + (fractions[i] - mean) * (fractions[i] - mean);
    return sqrt(sum / count);
}

static double fraction_of(int64_t requested, int64_t allocatable)
{
    double fraction = (double)requested / (double)allocatable;
    if (fraction > 1)
        fraction = 1;
    return fraction;
}

static int64_t score_of(const double *fractions, uint32_t count, double total)
{
    return (int64_t)((1 - deviation(fractions, count, total)) * NODE_SCORE_MOST);
}

/* The balance of a node, with the pod or without it. */
static int64_t balance(const struct scored_resources *resources, const struct load *load,
                       bool with_pod)
{
    double fractions[RESOURCES_MOST];
    double total = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < resources->count && count < RESOURCES_MOST; i++) {
        const struct scored_resource *resource = &resources->items[i];
        int64_t allocatable = resource_score_allocatable(resource, load->template);
        if (allocatable == 0)
            continue;
        const int64_t requested =
            saturating_add(load->counters[resource->counter], with_pod ? resource->request : 0);
        fractions[count] = fraction_of(requested, allocatable);
        total += fractions[count++];
    }
    return score_of(fractions, count, total);
}

/* From 1.36 on half of the points are for the change: as many as the balance gains. */
static int64_t score_of_change(int64_t change)
{
    const int64_t half = NODE_SCORE_MOST / 2;
    return half + (half + change) / 2;
}

static int64_t score(const struct trial *trial)
{
    const struct scored_resources *resources = trial->part->state;
    const int64_t with = balance(resources, trial->now, true);
    if (!trial->plan->catalog->features.balance_by_change)
        return with;
    return score_of_change(with - balance(resources, trial->now, false));
}

/* Fractions are 0 to 1, so they deviate by at most a half, but for rounding. */
enum { SCORE_LEAST = NODE_SCORE_MOST / 2 - 1, SCORE_PERFECT = NODE_SCORE_MOST };

/* The least score of a node on which others hold so much. Two fractions are the furthest apart if
 * the others use all they may of one resource, and nothing of the other. */
static int64_t score_least(const struct scored_resources *resources, const struct load *load,
                           const struct beside *beside)
{
    double without[2];
    double with[2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < resources->count; i++) {
        const struct scored_resource *resource = &resources->items[i];
        const int64_t allocatable = resource_score_allocatable(resource, load->template);
        if (allocatable == 0)
            continue;
        if (count == 2)
            return SCORE_LEAST;
        const int64_t requested =
            saturating_add(load->counters[resource->counter], resource->request);
        without[count] = fraction_of(requested, allocatable);
        with[count++] = fraction_of(
            saturating_add(requested, resource_score_beside(resource, beside)), allocatable);
    }
    if (count < 2)
        return NODE_SCORE_MOST;
    const int64_t one = score_of((double[]){with[0], without[1]}, 2, 0);
    const int64_t two = score_of((double[]){without[0], with[1]}, 2, 0);
    return one < two ? one : two;
}

/*
 * How much the pod can change the balance of a node at most, whatever others hold there: each
 * fraction grows by at most what the pod requests, and the deviation by at most half of the
 * largest growth. Both balances are cut to whole points.
 */
static int64_t change_most(const struct scored_resources *resources,
                           const struct node_template *template)
{
    double largest = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < resources->count; i++) {
        const int64_t allocatable = resource_score_allocatable(&resources->items[i], template);
        if (allocatable == 0)
            continue;
        const double growth = fraction_of(resources->items[i].request, allocatable);
        largest = growth > largest ? growth : largest;
        count++;
    }
    static const double rounding = 1e-6;
    return count < 2 ? 0 : (int64_t)(largest / 2 * NODE_SCORE_MOST + rounding) + 1;
}

/* ---- the node behind, if it is known how much others hold there ---- */

/* Two resources of the node behind, as fractions before the pod comes: each is between these. */
struct bounds {
    double low[2];
    double high[2];
    double growth[2]; /* by the pod */
};

/* False: the node does not have two resources, or nothing is known of what others hold there. */
static bool bounds_behind(const struct lead *lead, struct bounds *bounds)
{
    const struct scored_resources *resources = lead->part->state;
    const struct load *load = &lead->cycle->records[lead->behind]->load;
    uint32_t count = 0;
    if (!lead->behind_least || !lead->behind_most)
        return false;
    for (uint32_t i = 0; i < resources->count; i++) {
        const struct scored_resource *resource = &resources->items[i];
        const int64_t allocatable = resource_score_allocatable(resource, load->template);
        const int64_t used = load->counters[resource->counter];
        if (allocatable == 0)
            continue;
        if (count == 2)
            return false;
        bounds->low[count] =
            fraction_of(saturating_add(used, resource_score_at_least(resource, lead->behind_least)),
                        allocatable);
        bounds->high[count] = fraction_of(
            saturating_add(used, resource_score_beside(resource, lead->behind_most)), allocatable);
        bounds->growth[count++] = (double)resource->request / (double)allocatable;
    }
    return count == 2;
}

/* Which of the two is used more than the other one, with the pod and without it, whatever others
 * hold; 2: that is not known. */
static uint32_t leading_one(const struct bounds *bounds)
{
    for (uint32_t i = 0; i < 2; i++)
        if (bounds->low[i] >= bounds->high[1 - i] &&
            bounds->low[i] + bounds->growth[i] >= bounds->high[1 - i] + bounds->growth[1 - i])
            return i;
    return 2;
}

/* Fractions are rounded, and so are their differences. */
static const double FRACTION_ERROR = 1e-6;

/* The most points that the pod can gain by its change of the balance of the node behind. As long as
 * the same resource is used more, the deviation grows by half of what the distance grows; where it
 * would be more than all of the resource, the pod does not fit. Balances are cut to whole points.
 */
static int64_t change_behind(const struct lead *lead)
{
    struct bounds bounds;
    const int64_t most =
        change_most(lead->part->state, lead->cycle->records[lead->behind]->load.template);
    const uint32_t more = bounds_behind(lead, &bounds) ? leading_one(&bounds) : 2;
    if (more == 2 || bounds.high[more] + bounds.growth[more] > 1 + FRACTION_ERROR)
        return most;
    const double gain = (bounds.growth[1 - more] - bounds.growth[more]) / 2;
    const int64_t points = (int64_t)floor(gain * NODE_SCORE_MOST + 1 + FRACTION_ERROR);
    return points < most ? points : most;
}

/* The most points for the balance of the node behind with the pod: the two are the nearest to each
 * other if the one that is used more is at its least, and the other one at its most. */
static int64_t balance_behind(const struct lead *lead)
{
    struct bounds bounds;
    double distance = 0;
    if (!bounds_behind(lead, &bounds))
        return SCORE_PERFECT;
    for (uint32_t i = 0; i < 2; i++) {
        const double low = fmin(bounds.low[i] + bounds.growth[i], 1);
        const double high = fmin(bounds.high[1 - i] + bounds.growth[1 - i], 1);
        distance = fmax(distance, low - high);
    }
    return (int64_t)((1 - distance / 2) * NODE_SCORE_MOST + FRACTION_ERROR);
}

static int64_t lead_of_change(const struct lead *lead)
{
    const struct scored_resources *resources = lead->part->state;
    const struct record *const *records = lead->cycle->records;
    return score_of_change(-change_most(resources, records[lead->ahead]->load.template)) -
           score_of_change(change_behind(lead));
}

/* Others may make the node behind perfect, if nothing is known of it. */
static int64_t lead_beside(const struct lead *lead)
{
    if (lead->cycle->plan->catalog->features.balance_by_change)
        return lead_of_change(lead);
    return score_least(lead->part->state, &lead->cycle->records[lead->ahead]->load, lead->beside) -
           balance_behind(lead);
}

const struct plugin plugin_node_resources_balanced_allocation = {
    .name = "NodeResourcesBalancedAllocation",
    .mirrors = "pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go @ v1.26.15",
    .weight = 1,
    .reads = &resource_reads,
    .prepare = prepare,
    .relate = relate,
    .score = score,
    .lead_beside = lead_beside,
};
