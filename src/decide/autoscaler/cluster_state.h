/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the autoscaler makes of the sizes of its groups: how many nodes are ready, are still to come
 * or are missing, which scale-ups have ended, and which groups it leaves alone for a while.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_CLUSTER_STATE_H
#define FATHOM_DECIDE_AUTOSCALER_CLUSTER_STATE_H

#include "decide/autoscaler/autoscaler.h"

/* At the beginning of a loop. */
void cluster_state_update(struct cluster_autoscaler *autoscaler);

/* After targets were changed. */
void cluster_state_recalculate(struct cluster_autoscaler *autoscaler);

bool cluster_is_healthy(const struct cluster_autoscaler *autoscaler);
bool group_is_healthy(const struct cluster_autoscaler *autoscaler,
                      const struct autoscaler_group *group);
bool group_is_backed_off(const struct cluster_autoscaler *autoscaler,
                         const struct autoscaler_group *group);

/* Nodes that are expected and not there yet. */
int64_t group_upcoming(const struct autoscaler_group *group);

/* A scale-up by so many nodes begins; a negative number: so many will not come. */
void group_request(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group,
                   int64_t increase);

/* A scale-up has failed: the group is not scaled up again for a while. */
void group_back_off(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group);

/* Instances that never became nodes are deleted at the provider. */
void remove_unregistered(struct cluster_autoscaler *autoscaler);

/* The same for instances that the provider could not create. True if that ends the loop. */
bool remove_failed_instances(struct cluster_autoscaler *autoscaler);

/* Targets that the number of nodes has been below for too long are lowered. True if any was. */
bool fix_group_sizes(struct cluster_autoscaler *autoscaler);

#endif
