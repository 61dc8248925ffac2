/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/cover_bound.h"

#include <math.h>

/* So many sizes are tried for the weights by number, the largest ones first. */
enum { SIZES_TRIED = 6 };

/* Weights are rounded: what is that near to a whole number counts as one. */
static const double ROUNDING = 1e-9;

struct covering {
    const struct cover_pods *pods;
    uint32_t count;
    uint32_t resource;
    int64_t threshold;
};

static int64_t size_of(const struct covering *covering, uint32_t pod)
{
    return covering->pods[pod].sizes[covering->resource];
}

/* `largest`: L of the weights by number; 0: by amount. */
static double weight_of(const struct covering *covering, uint32_t pod, int64_t largest)
{
    const int64_t size = size_of(covering, pod);
    const int64_t threshold = covering->threshold;
    if (size <= 0)
        return 0;
    if (size >= threshold)
        return 1;
    if (largest == 0)
        return (double)size / (double)threshold;
    if (size > largest)
        return 1;
    const int64_t number = (threshold - 1) / largest + 1;
    const int64_t rest = threshold - (number - 1) * largest;
    return size >= rest ? 1.0 / (double)number : (double)size / ((double)number * (double)rest);
}

static double total_of(const struct covering *covering, int64_t largest)
{
    double total = 0;
    for (uint32_t p = 0; p < covering->count; p++)
        total += weight_of(covering, p, largest) * (double)covering->pods[p].count;
    return total;
}

/* The largest size below this one that a pod has; 0: there is none. */
static int64_t size_below(const struct covering *covering, int64_t size)
{
    int64_t found = 0;
    for (uint32_t p = 0; p < covering->count; p++)
        if (covering->pods[p].count > 0 && size_of(covering, p) < size &&
            size_of(covering, p) > found)
            found = size_of(covering, p);
    return found;
}

/* The weights with the least total: L, or 0. */
static int64_t choose_weights(const struct covering *covering, double *total)
{
    int64_t chosen = 0;
    int64_t largest = size_below(covering, covering->threshold);
    *total = total_of(covering, 0);
    for (uint32_t i = 0; i < SIZES_TRIED && largest > 0; i++) {
        const double other = total_of(covering, largest);
        if (other < *total) {
            *total = other;
            chosen = largest;
        }
        largest = size_below(covering, largest);
    }
    return chosen;
}

static uint64_t whole(double total)
{
    return (uint64_t)floor(total * (1 + ROUNDING) + ROUNDING);
}

uint64_t cover_bound(struct arena *scratch, const struct cover_pods *pods, uint32_t pod_count,
                     const int64_t *thresholds, uint32_t resource_count)
{
    const struct arena_mark mark = arena_mark(scratch);
    double *greatest = ARENA_ARRAY(scratch, double, pod_count + 1);
    uint64_t one_by_one = 0; /* nodes that are full for want of each resource, added up */
    for (uint32_t r = 0; r < resource_count; r++) {
        const struct covering covering = {pods, pod_count, r, thresholds[r]};
        double total;
        if (thresholds[r] == INT64_MAX)
            continue;
        const int64_t largest = choose_weights(&covering, &total);
        one_by_one += whole(total);
        for (uint32_t p = 0; p < pod_count; p++) {
            const double weight = weight_of(&covering, p, largest);
            if (weight > greatest[p])
                greatest[p] = weight;
        }
    }
    double together = 0;
    for (uint32_t p = 0; p < pod_count; p++)
        together += greatest[p] * (double)pods[p].count;
    arena_rewind(scratch, mark);
    return whole(together) < one_by_one ? whole(together) : one_by_one;
}
