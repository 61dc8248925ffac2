/* SPDX-License-Identifier: Apache-2.0 */
/* Follows pkg/controller/disruption/disruption.go, which decides the same from
 * v1.26 to v1.33. */
#include "decide/controller/disruption.h"

#include "base/error.h"
#include "decide/claim.h"

/* An approved eviction that is not seen as a deletion by then did not happen. */
#define DELETION_TIMEOUT (INT64_C(120) * NANOSECONDS_PER_SECOND)

bool budget_disruption_pending(int64_t age)
{
    return age != BUDGET_NOT_DISRUPTED && age < DELETION_TIMEOUT;
}

bool budget_disruption_kept(int64_t age)
{
    return age != BUDGET_NOT_DISRUPTED && age <= DELETION_TIMEOUT;
}

bool budget_counts_pod(const struct pod_disruption_budget *budget, const struct object_meta *pod)
{
    return budget->selector && claim_same_text(pod->namespace, budget->meta.namespace) &&
           label_selector_matches(budget->selector, &pod->labels);
}

/* The sum of the scales of all owners, each once. */
static bool sum_scales(const struct budget_pod_class *pods, uint32_t pod_count,
                       const int32_t *scales, uint32_t scale_count, struct budget_status *status,
                       int64_t *sum)
{
    *sum = 0;
    for (uint32_t i = 0; i < pod_count; i++) {
        if (pods[i].count > 0 && pods[i].owner == BUDGET_UNKNOWN_OWNER) {
            status->culprit = i;
            return false;
        }
    }
    for (uint32_t owner = 0; owner < scale_count; owner++) {
        for (uint32_t i = 0; i < pod_count; i++) {
            if (pods[i].count > 0 && pods[i].owner == owner) {
                *sum += scales[owner];
                break;
            }
        }
    }
    return true;
}

static int64_t count_pods(const struct budget_pod_class *pods, uint32_t pod_count)
{
    int64_t count = 0;
    for (uint32_t i = 0; i < pod_count; i++)
        count += pods[i].count;
    return count;
}

static int64_t count_healthy(const struct budget_pod_class *pods, uint32_t pod_count)
{
    int64_t count = 0;
    for (uint32_t i = 0; i < pod_count; i++)
        if (pods[i].ready && !pods[i].terminating &&
            !budget_disruption_pending(pods[i].disruption_age))
            count += pods[i].count;
    return count;
}

static enum budget_rule find_rule(const struct pod_disruption_budget *budget)
{
    if (budget->max_unavailable.set)
        return BUDGET_MAX_UNAVAILABLE;
    if (!budget->min_available.set)
        return BUDGET_NOT_GIVEN;
    return budget->min_available.percent ? BUDGET_MIN_AVAILABLE_PERCENT
                                         : BUDGET_MIN_AVAILABLE_NUMBER;
}

void budget_decide(const struct pod_disruption_budget *budget, const struct budget_pod_class *pods,
                   uint32_t pod_count, const int32_t *scales, uint32_t scale_count,
                   struct budget_status *status)
{
    const enum budget_rule rule = find_rule(budget);
    const bool by_scale = rule == BUDGET_MAX_UNAVAILABLE || rule == BUDGET_MIN_AVAILABLE_PERCENT;
    int64_t expected = 0;
    int64_t desired = 0;
    status->rule = rule;
    if (by_scale && !sum_scales(pods, pod_count, scales, scale_count, status, &expected)) {
        status->rule = BUDGET_FAILED;
        status->disruptions_allowed = 0;
        return;
    }
    switch (rule) {
    case BUDGET_MAX_UNAVAILABLE:
        desired = expected - int_or_percent_of(budget->max_unavailable, expected, true);
        if (desired < 0)
            desired = 0;
        break;
    case BUDGET_MIN_AVAILABLE_PERCENT:
        desired = int_or_percent_of(budget->min_available, expected, true);
        break;
    case BUDGET_MIN_AVAILABLE_NUMBER:
        desired = budget->min_available.value;
        expected = count_pods(pods, pod_count);
        break;
    case BUDGET_NOT_GIVEN: break;
    case BUDGET_FAILED: bug("a budget's rule cannot be its failure");
    }
    const int64_t healthy = count_healthy(pods, pod_count);
    const int64_t allowed = expected > 0 && healthy > desired ? healthy - desired : 0;
    status->current_healthy = (int32_t)healthy;
    status->desired_healthy = (int32_t)desired;
    status->expected_pods = (int32_t)expected;
    status->disruptions_allowed = (int32_t)allowed;
}
