/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which nodes count on which others for their pods. When a node is deleted, the timers of the nodes
 * that count on the same ones start again.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_USAGE_TRACKER_H
#define FATHOM_DECIDE_AUTOSCALER_USAGE_TRACKER_H

#include "decide/autoscaler/autoscaler.h"

void usage_register(struct cluster_autoscaler *autoscaler, struct node_record *user,
                    struct node_record *used, int64_t time);

/* Forgets what was registered before the time. */
void usage_clean_up(struct cluster_autoscaler *autoscaler, int64_t cutoff);

/* The node goes; it and all that use one of the nodes that it uses are no longer unneeded. */
void usage_remove_node(struct cluster_autoscaler *autoscaler, struct node_record *node);

#endif
