/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The disruption controller: how many pods of a budget are healthy, how many
 * must be, and so how many may be disrupted.
 *
 * Pods come as classes with a count, the controllers that own them as a table
 * of scales. The status that results is what the eviction API reads
 * (eviction.h) until the next sync.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_DISRUPTION_H
#define FATHOM_DECIDE_CONTROLLER_DISRUPTION_H

#include "object/policy.h"

/* Of a pod class: who owns it. Other values index the table of scales. */
#define BUDGET_UNMANAGED     UINT32_MAX       /* nobody: the pod is skipped */
#define BUDGET_UNKNOWN_OWNER (UINT32_MAX - 1) /* a vanished set, or one without a scale */

/* The age for pods of which no eviction was approved. */
#define BUDGET_NOT_DISRUPTED INT64_MIN

struct budget_pod_class {
    int64_t count;
    uint32_t owner;
    bool ready;
    bool terminating;
    int64_t disruption_age; /* nanoseconds since the API approved its eviction */
};

enum budget_rule {
    BUDGET_MIN_AVAILABLE_NUMBER,
    BUDGET_MIN_AVAILABLE_PERCENT,
    BUDGET_MAX_UNAVAILABLE,
    BUDGET_NOT_GIVEN, /* neither: nothing may be disrupted */
    BUDGET_FAILED,    /* a pod's owner has no known scale: fail safe, nothing may */
};

/* Does the controller count this pod for the budget's status? `selector: {}`
 * selects every pod of the namespace, in all versions. Which pods the eviction
 * API considers to be guarded is decided by other rules (eviction.h). */
bool budget_counts_pod(const struct pod_disruption_budget *budget, const struct object_meta *pod);

struct budget_status {
    enum budget_rule rule;
    int32_t current_healthy;
    int32_t desired_healthy;
    int32_t expected_pods;
    int32_t disruptions_allowed;
    uint32_t culprit; /* index of the class to blame when it failed */
};

/* `scales` are those of the owners that the classes index. On failure only the
 * rule, the culprit and `disruptions_allowed` (0) are written. */
void budget_decide(const struct pod_disruption_budget *budget, const struct budget_pod_class *pods,
                   uint32_t pod_count, const int32_t *scales, uint32_t scale_count,
                   struct budget_status *status);

/* Does an approved eviction of that age still count as about to happen? Such
 * a pod is not healthy any more ... */
bool budget_disruption_pending(int64_t age);
/* ... and is this entry of status.disruptedPods kept? (The edge differs.) */
bool budget_disruption_kept(int64_t age);

#endif
