/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What it costs that the cluster autoscaler adds and removes nodes for ever, where the Check has
 * prices: the nodes by which a group is larger in the loop than at its smallest moment there are
 * paid for without being needed for long, at most all day.
 */
#ifndef FATHOM_VERIFY_NODE_COST_H
#define FATHOM_VERIFY_NODE_COST_H

#include "verify/verify.h"

struct autoscaling;
struct storyteller;

/* Follows a loop state by state. */
struct node_cost_meter {
    const struct autoscaling *autoscaling; /* NULL: nothing is measured */
    uint32_t *before;                      /* by group: nodes in the state before; UINT32_MAX */
    uint32_t *least;
    uint32_t *most;
    uint32_t *added;
    bool others_remove; /* somebody else than the autoscaler takes nodes away */
};

void node_cost_begin(struct node_cost_meter *meter, struct arena *arena,
                     const struct storyteller *teller, const struct verify_result *result);

/* After the step; `in_loop`: it is one of those that repeat. */
void node_cost_step(struct node_cost_meter *meter, struct storyteller *teller,
                    const struct story_step *told, bool in_loop);

void node_cost_end(const struct node_cost_meter *meter, struct arena *arena,
                   struct verify_result *result);

#endif
