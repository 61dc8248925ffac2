/* SPDX-License-Identifier: Apache-2.0 */
/* What the node lifecycle controller does about nodes that do not answer. */
#ifndef FATHOM_CLUSTER_ASK_LIFECYCLE_H
#define FATHOM_CLUSTER_ASK_LIFECYCLE_H

#include "cluster/forward.h"
#include "cluster/state/nodes.h"

#include <stdbool.h>
#include <stdint.h>

struct zone_census;

/* Within so many seconds all nodes are noticed that stop at the same moment: kubelets renew their
 * leases every 10 s, and the node lifecycle controller looks every 5 s. */
enum { NOTICE_SECONDS = 15 };

/* What the controller does about nodes that do not answer in the present state. */
struct node_tainting {
    const struct zone_census *zones; /* by zone */
    bool any_answers;                /* false: the controller takes all its taints back */
};

/* Lives in the scratch arena. */
struct node_tainting lifecycle_tainting(struct worker *worker, const struct state *state);
/* Do nodes of the zone in this condition get their taint? UINT32_MAX: of no zone. */
bool tainting_reaches(const struct node_tainting *tainting, uint32_t zone,
                      enum node_condition condition);

/* Are there NoExecute taints for nodes that do not answer at all? */
bool lifecycle_evicts(struct worker *worker, const struct state *state);

/* Does the controller know of every node that has stopped? */
bool lifecycle_notices_all(struct worker *worker, const struct state *state);

/* Removes the NoExecute taints of silent nodes if there are none any more. */
void lifecycle_forget_taints(struct worker *worker, struct state *state);

#endif
