/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every way in which a loop of the cluster autoscaler can come out in a state: the decider of
 * decide/autoscaler is asked with every order that no rule decides, and with every answer to what
 * depends on time that has passed.
 */
#ifndef FATHOM_CLUSTER_ASK_SCALING_LOOPS_H
#define FATHOM_CLUSTER_ASK_SCALING_LOOPS_H

#include "base/vec.h"
#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* What the loop does. Entries are those of the state; groups are the scaled ones. */
struct scaling_outcome {
    uint32_t *added;    /* by group: nodes that it asks the provider for */
    uint32_t helped;    /* the revision of a pod for which it does; UINT32_MAX: none */
    uint32_t *removed;  /* by entry: nodes that it begins to remove */
    uint32_t *unneeded; /* by entry: nodes that it does not need */
    uint32_t *kept;     /* by entry: nodes that it would look at, if a pod did not block it */
    bool adds;
    bool removes;
    bool looked_down; /* it came to the step of scaling down */
};

struct scaling_outcomes {
    VEC(struct scaling_outcome) items; /* all different */
    bool too_many;                     /* some may be missing */
};

/* How far a loop looks. */
enum scaling_look {
    SCALING_LOOK_UP,    /* for pods that need nodes, and no further */
    SCALING_LOOK_EARLY, /* the same; the scheduler may not have tried all pods that wait */
    SCALING_LOOK_DOWN,  /* for nodes that are not needed, too */
};

const struct scaling_outcomes *scaling_outcomes(struct worker *worker, const struct state *state,
                                                enum scaling_look look);

#endif
