/* SPDX-License-Identifier: Apache-2.0 */
/* Would a node's pods find places elsewhere? */
#ifndef FATHOM_DECIDE_AUTOSCALER_NODE_REMOVAL_H
#define FATHOM_DECIDE_AUTOSCALER_NODE_REMOVAL_H

#include "decide/autoscaler/drain_rules.h"

struct removal_run {
    struct cluster_autoscaler *autoscaler;
    const struct budget_list *budgets;
    const bool *destinations; /* by position; NULL: all nodes of the simulation */
    bool keeps;               /* pods that found places stay there */
    removal_list *placed;     /* gets the simulations that succeed */
};

/* Removes the node in a simulation. False, and the record says why, if it cannot be removed; `pods`
 * gets the pods that moved. */
bool simulate_removal(const struct removal_run *run, const struct listed_node *node,
                      pod_list *pods);

/* Of such a node only the GPUs count. */

/* The share of its resources that is requested: the larger one of cpu and memory. */
double utilization_of(const struct cluster_autoscaler *autoscaler, const struct listed_node *node);

#endif
