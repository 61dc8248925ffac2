/* SPDX-License-Identifier: Apache-2.0 */
/* What a PodDisruptionBudget allows, in the arithmetic of the disruption controller. */
#ifndef FATHOM_SETUP_BUDGET_WORDS_H
#define FATHOM_SETUP_BUDGET_WORDS_H

#include "object/policy.h"

/* How many of so many ready pods may be evicted at a time. */
int64_t budget_allows(const struct pod_disruption_budget *budget, int64_t pods);
/* "minAvailable 67% of 3 pods is 2.01, rounded up to 3: 0 may be evicted" */
const char *budget_words(struct arena *arena, const struct pod_disruption_budget *budget,
                         int64_t pods);
/* What to write instead, so that one may be evicted. `size_field` says how many pods there are:
 * replicas, or that of an autoscaler that has as few as it may. */
const char *budget_remedy(struct arena *arena, const struct pod_disruption_budget *budget,
                          int64_t pods, const char *size_field);

#endif
