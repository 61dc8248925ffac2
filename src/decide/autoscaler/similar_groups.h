/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_SIMILAR_GROUPS_H
#define FATHOM_DECIDE_AUTOSCALER_SIMILAR_GROUPS_H

#include "decide/autoscaler/autoscaler.h"

/* Are the nodes of two groups so much alike that the groups are to be of equal size? */
bool groups_are_similar(const struct cluster_autoscaler *autoscaler,
                        const struct autoscaler_group *a, const struct autoscaler_group *b);

/* Distributes new nodes over groups: one at a time to the smallest. Groups that do not grow are
 * left out. */
void balance_groups(struct arena *arena, struct autoscaler_group *const *groups, uint32_t count,
                    int64_t nodes, increase_list *increases);

#endif
