/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which order do pods fill nodes?
 *
 * Others can keep a pod from all nodes but one if they have just as many pods as that takes, and
 * scores may still rule it out (best_beside.h goes by numbers alone). Let a pod of a ReplicaSet r,
 * the last one that r makes, be bound to a node N that has n of r's pods, n > 1, where the others
 * need all the pods that they ever have, and r's Deployment likewise, to be in the way of the
 * better nodes. Then all of these pods are on those nodes, and
 *
 *   - if no more pods were made than are there, no pod has ever left a node;
 *   - N has had no pods but those of r;
 *   - a node M of the same group without pods of r is full, and never had one. Else M would be
 *     better: that is asked of the scheduler.
 *
 * Look at the pod p that came to M last, which has filled it. If it came before the n-th pod of r
 * came to N, then p was put on a node that has room for no other, and not on N, which had at most
 * n - 1 pods, none of them of p's own ReplicaSet. If it came later, the n-th pod of r was put on N,
 * which had n - 1 > 0 pods of r, and not on M, which had none and room for one more. Where scores
 * allow neither, all this cannot be.
 *
 * All pods of the cluster have to request the same of one resource, and nodes must run out of that
 * one only, so that a full node is one with a certain number of pods.
 */
#ifndef FATHOM_CLUSTER_ASK_FILL_ORDER_H
#define FATHOM_CLUSTER_ASK_FILL_ORDER_H

#include "cluster/forward.h"
#include "cluster/others.h"

#include <stdbool.h>

struct beside; /* decide/scheduler/plugin.h */
struct view;

/* Finds out what holds of the pods of the model, a component beside others of whom nothing is known
 * (`unknown`). What pods of the cluster request is given in `order`; the rest of it is set. False:
 * nothing is known. Nobody may preempt, and something other than a workload must not look at all
 * pods (couplings.h). */
bool fill_order_find(struct worker *worker, struct fill_order *order);

/* Can a pod of the class not be bound to the entry of the view, just decided, although others can
 * be in the way of these better ones (as in others_crowd)? The view has to show the pods of its
 * revision that do not terminate and nothing else, and no event may have taken a node yet. */
bool fill_order_rules_out(struct worker *worker, const struct view *view, uint32_t class,
                          uint32_t entry, const uint32_t *better, uint32_t count,
                          const struct beside *most);

#endif
