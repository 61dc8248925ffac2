/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster that nobody but the autoscaler changes: what comes of its decisions between two loops.
 * Its taints are on the nodes; a node that it deletes loses its pods and is gone, or it keeps them
 * and loses the taint, because a budget refuses an eviction for too long. Evicted pods do not come
 * back, and nodes that were ordered do not come.
 *
 *     natural_world_init(&world, &autoscaler);
 *     autoscaler_loop(&autoscaler, now, &result);
 *     natural_world_follow(&world, &result, next_loop);
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_NATURAL_WORLD_H
#define FATHOM_DECIDE_AUTOSCALER_NATURAL_WORLD_H

#include "decide/autoscaler/autoscaler.h"

/* A node whose deletion is under way. */
struct natural_deletion {
    struct node_record *record;
    int64_t begun;
    bool refused; /* a pod may not be evicted */
};

struct natural_world {
    struct cluster_autoscaler *autoscaler;
    VEC(struct natural_deletion) deletions;
    VEC(const struct world_item *) changed; /* since the loop: nodes and budgets */
    VEC(const char *) gone;                 /* keys of objects */
};

void natural_world_init(struct natural_world *world, struct cluster_autoscaler *autoscaler);

/* From the loop that has just been to the next one. */
void natural_world_follow(struct natural_world *world, const struct loop_result *result,
                          int64_t next);

/* Is that what the scenario has of the time before its loop `loop`? */
bool natural_world_agrees(const struct natural_world *world, const struct value *loop);

#endif
