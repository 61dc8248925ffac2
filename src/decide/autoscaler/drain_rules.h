/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods of a node must move before it is deleted, and which of them cannot. */
#ifndef FATHOM_DECIDE_AUTOSCALER_DRAIN_RULES_H
#define FATHOM_DECIDE_AUTOSCALER_DRAIN_RULES_H

#include "decide/autoscaler/autoscaler.h"

/* Budgets with what they allow at this point of a simulation. */
struct budget_allowance {
    const struct pod_disruption_budget *budget;
    int64_t allowed;
};

struct budget_list {
    struct budget_allowance *items;
    uint32_t count;
};

struct budget_list budgets_now(const struct cluster_autoscaler *autoscaler);
bool budget_selects(const struct pod_disruption_budget *budget, const struct autoscaler_pod *pod);

/* Some budget allows fewer evictions than there are pods of it. */
bool budgets_are_exceeded(const struct budget_list *budgets, const pod_list *pods);
void budgets_take(struct budget_list *budgets, const pod_list *pods);

/*
 * The pods that must move. False if one of them cannot: `blocking` and `reason` say which and why.
 * Without budgets (NULL), controllers are not looked up either.
 */
bool pods_to_move(const struct cluster_autoscaler *autoscaler, const struct simulated_node *node,
                  const struct budget_list *budgets, pod_list *pods,
                  const struct autoscaler_pod **blocking, enum blocking_reason *reason);

#endif
