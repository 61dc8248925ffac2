/* SPDX-License-Identifier: Apache-2.0 */
/* PodDisruptionBudgets, and what they let go of. */
#ifndef FATHOM_CLUSTER_ASK_BUDGETS_H
#define FATHOM_CLUSTER_ASK_BUDGETS_H

#include "decide/view.h"
#include "object/policy.h"

struct population;
struct population_worker;
struct population_state;

/* ---- step_events.c ---- */
/* Is a pod of this revision one of those that the budget is about? */
bool budget_guards(const struct population *population, const struct pod_disruption_budget *budget,
                   uint32_t revision);
/* Would the eviction API let go of a pod of this revision? */
bool eviction_is_allowed(struct population_worker *worker, const struct population_state *state,
                         uint32_t revision, bool ready);
/* Disruptions that the budget allows as things are. */
int32_t budget_allows(struct population_worker *worker, const struct population_state *state,
                      const struct pod_disruption_budget *budget);
/* All budgets as things are, for a view; in the scratch arena. */
const struct view_budget *state_budgets(struct population_worker *worker,
                                        const struct population_state *state, uint32_t *count);

#endif
