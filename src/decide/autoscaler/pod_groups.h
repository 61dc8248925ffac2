/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that are helped by the same nodes: of one controller, with equal labels and specs. */
#ifndef FATHOM_DECIDE_AUTOSCALER_POD_GROUPS_H
#define FATHOM_DECIDE_AUTOSCALER_POD_GROUPS_H

#include "decide/autoscaler/autoscaler_result.h"

struct pod_group {
    pod_list pods;
    bool schedulable;     /* on a new node of some group */
    const char **reasons; /* by group of nodes: why the first pod does not fit; NULL: it does */
};

typedef VEC(struct pod_group) pod_group_list;

void group_pods(struct arena *arena, const pod_list *pods, uint32_t node_group_count,
                pod_group_list *groups);

#endif
