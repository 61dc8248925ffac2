/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the metrics' proposal to the number that is written: stabilization over
 * recent recommendations, then limits.
 *
 * Follows the normalize functions of pkg/controller/podautoscaler/horizontal.go.
 * There are two ways, and an object without `behavior` does not take the way of
 * an object with the default one: the window's edge counts in the first, the
 * cap of the first is per sync, and only the second remembers changes.
 */
#include "decide/controller/go_number.h"
#include "decide/controller/hpa_memory.h"

#include <math.h>

enum { SCALE_UP_FACTOR = 2, SCALE_UP_AT_LEAST = 4 };

static void stabilize_plainly(const struct hpa_input *input, const struct hpa_memory *memory,
                              struct hpa_decision *decision)
{
    int32_t least;
    hpa_memory_range(memory, input->spec_replicas, input->flags.downscale_window, true,
                     decision->proposed, &least, &decision->stabilized);
    if (decision->stabilized != decision->proposed)
        decision->stabilization = HPA_STABILIZED_DOWN;
}

static void limit_plainly(const struct hpa_input *input, struct hpa_decision *decision)
{
    const double doubled = (double)SCALE_UP_FACTOR * (double)input->spec_replicas;
    const int32_t cap = go_int32_of(fmax(doubled, SCALE_UP_AT_LEAST));
    const bool rate_counts = input->max_replicas > cap;
    const int32_t most = rate_counts ? cap : input->max_replicas;
    decision->replicas = decision->stabilized;
    decision->limit = HPA_WITHIN_RANGE;
    if (decision->stabilized < input->min_replicas) {
        decision->replicas = input->min_replicas;
        decision->limit = HPA_TOO_FEW_REPLICAS;
    } else if (decision->stabilized > most) {
        decision->replicas = most;
        decision->limit = rate_counts ? HPA_SCALE_UP_LIMIT : HPA_TOO_MANY_REPLICAS;
    }
}

static void stabilize_by_behavior(const struct hpa_input *input, const struct hpa_memory *memory,
                                  struct hpa_decision *decision)
{
    const int32_t current = input->spec_replicas;
    int32_t floor_replicas;
    int32_t ceiling_replicas;
    int32_t unused;
    hpa_memory_range(memory, current, hpa_up_window(input), false, decision->proposed,
                     &floor_replicas, &unused);
    hpa_memory_range(memory, current, hpa_down_window(input), false, decision->proposed, &unused,
                     &ceiling_replicas);
    decision->stabilized = current;
    if (decision->stabilized < floor_replicas)
        decision->stabilized = floor_replicas;
    if (decision->stabilized > ceiling_replicas)
        decision->stabilized = ceiling_replicas;
    if (decision->stabilized != decision->proposed)
        decision->stabilization =
            decision->proposed >= current ? HPA_STABILIZED_UP : HPA_STABILIZED_DOWN;
}

/* The replicas at the start of the policy's period. */
static int32_t period_start(const struct hpa_input *input, const struct hpa_memory *memory,
                            const struct scaling_policy *policy)
{
    const int64_t period = (int64_t)policy->period_seconds * NANOSECONDS_PER_SECOND;
    const int32_t added = hpa_memory_change(&memory->scale_ups, period);
    const int32_t removed = hpa_memory_change(&memory->scale_downs, period);
    return go_add_int32(go_subtract_int32(input->spec_replicas, added), removed);
}

static int32_t policy_bound(const struct scaling_policy *policy, int32_t start, bool up)
{
    if (policy->type == SCALING_PODS)
        return up ? go_add_int32(start, policy->value) : go_subtract_int32(start, policy->value);
    /* Up is rounded up, so that a small set can grow at all. */
    const double share = (double)policy->value / 100;
    if (up)
        return go_int32_of(ceil((double)start * (1 + share)));
    return go_int32_of((double)start * (1 - share));
}

/* How far the rate policies let the replicas go in this direction. */
static int32_t rate_limit(const struct hpa_input *input, const struct hpa_memory *memory, bool up)
{
    const struct scaling_rules *rules = up ? input->scale_up : input->scale_down;
    if (rules->select_policy == SCALING_SELECT_DISABLED)
        return input->spec_replicas;
    const bool greatest = (rules->select_policy == SCALING_SELECT_MIN) != up;
    int32_t limit = greatest ? INT32_MIN : INT32_MAX;
    for (uint32_t i = 0; i < rules->policy_count; i++) {
        const struct scaling_policy *policy = &rules->policies[i];
        const int32_t bound = policy_bound(policy, period_start(input, memory, policy), up);
        if (greatest ? bound > limit : bound < limit)
            limit = bound;
    }
    if (up ? limit < input->spec_replicas : limit > input->spec_replicas)
        limit = input->spec_replicas;
    return limit;
}

static void limit_by_behavior(const struct hpa_input *input, const struct hpa_memory *memory,
                              struct hpa_decision *decision)
{
    decision->replicas = decision->stabilized;
    decision->limit = HPA_WITHIN_RANGE;
    if (decision->stabilized > input->spec_replicas) {
        const int32_t rate = rate_limit(input, memory, true);
        const bool rate_counts = input->max_replicas > rate;
        const int32_t most = rate_counts ? rate : input->max_replicas;
        if (decision->stabilized > most) {
            decision->replicas = most;
            decision->limit = rate_counts ? HPA_SCALE_UP_LIMIT : HPA_TOO_MANY_REPLICAS;
        }
    } else if (decision->stabilized < input->spec_replicas) {
        const int32_t rate = rate_limit(input, memory, false);
        const bool rate_counts = input->min_replicas < rate;
        const int32_t fewest = rate_counts ? rate : input->min_replicas;
        if (decision->stabilized < fewest) {
            decision->replicas = fewest;
            decision->limit = rate_counts ? HPA_SCALE_DOWN_LIMIT : HPA_TOO_FEW_REPLICAS;
        }
    }
}

void hpa_normalize(const struct hpa_input *input, const struct hpa_memory *memory,
                   struct hpa_decision *decision)
{
    decision->stabilization = HPA_NOT_STABILIZED;
    if (input->scale_up) {
        stabilize_by_behavior(input, memory, decision);
        limit_by_behavior(input, memory, decision);
    } else {
        stabilize_plainly(input, memory, decision);
        limit_plainly(input, decision);
    }
    decision->limited = decision->replicas != decision->stabilized;
    decision->recorded = true;
}
