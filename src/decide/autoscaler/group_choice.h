/* SPDX-License-Identifier: Apache-2.0 */
/* Which groups may grow, and what it would bring. */
#ifndef FATHOM_DECIDE_AUTOSCALER_GROUP_CHOICE_H
#define FATHOM_DECIDE_AUTOSCALER_GROUP_CHOICE_H

#include "decide/autoscaler/autoscaler.h"
#include "decide/autoscaler/pod_groups.h"
#include "decide/autoscaler/resource_limits.h"

/* Why a group cannot grow now; NULL if it can. */
const char *reason_to_skip(struct cluster_autoscaler *autoscaler,
                           const struct autoscaler_group *group, const struct resources_left *left);

/* Of its health and its back-off alone. */
const char *reason_not_safe(const struct cluster_autoscaler *autoscaler,
                            const struct autoscaler_group *group);

/* One option for each group that can grow and that helps a pod, by id. */
void find_options(struct cluster_autoscaler *autoscaler, pod_group_list *groups,
                  const struct resources_left *left);

#endif
