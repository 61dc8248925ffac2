/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_PODS_TO_HELP_H
#define FATHOM_DECIDE_AUTOSCALER_PODS_TO_HELP_H

#include "decide/autoscaler/autoscaler.h"

/*
 * The pods that need a new node: those that the scheduler found no node for, and those of nodes
 * that are being drained, if they fit nowhere in the simulation. Those that fit somewhere stay
 * there for the rest of the loop. Pods that wait for others to be preempted stand on the node they
 * wait for.
 */
void find_pods_to_help(struct cluster_autoscaler *autoscaler, pod_list *pods);

/* Puts the nodes that are to come into the simulation, behind the others. */
void add_upcoming_nodes(struct cluster_autoscaler *autoscaler);

/* True if all pods are so new that more of them may follow. */
bool pods_are_new(const struct cluster_autoscaler *autoscaler, const pod_list *pods);

#endif
