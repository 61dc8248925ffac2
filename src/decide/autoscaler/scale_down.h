/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes are not needed, and which of them go now. */
#ifndef FATHOM_DECIDE_AUTOSCALER_SCALE_DOWN_H
#define FATHOM_DECIDE_AUTOSCALER_SCALE_DOWN_H

#include "decide/autoscaler/drain_rules.h"
#include "decide/autoscaler/resource_limits.h"

typedef VEC(const struct listed_node *) node_list;

/* The whole step. */
void scale_down(struct cluster_autoscaler *autoscaler);

/* Nodes of groups that are larger than their minimum. */
void find_candidates(struct cluster_autoscaler *autoscaler, node_list *candidates);

/* The candidates that are not used much; the records of the others say why not. */
void filter_eligible(struct cluster_autoscaler *autoscaler, const node_list *candidates,
                     node_list *eligible);

/* Unneeded nodes that may be deleted now, by name; the records of the others say why not. */
void find_removable(struct cluster_autoscaler *autoscaler, const struct resources_left *left,
                    node_list *empty, node_list *to_drain);

/* A simulation has failed: the node is not looked at again for a while. */
void note_unremovable(const struct cluster_autoscaler *autoscaler, struct node_record *record);

/* Without --parallel-drain. */
void classic_find_unneeded(struct cluster_autoscaler *autoscaler, const node_list *candidates);
enum scale_down_result classic_choose(struct cluster_autoscaler *autoscaler, node_list *empty,
                                      node_list *to_drain);

/* With --parallel-drain. */
void parallel_find_unneeded(struct cluster_autoscaler *autoscaler, const node_list *candidates);
void parallel_choose(struct cluster_autoscaler *autoscaler, node_list *empty, node_list *to_drain);

/* Nodes that were found unneeded in this loop; all others are not any more. */
void unneeded_clear(struct cluster_autoscaler *autoscaler);
struct unneeded_update {
    struct cluster_autoscaler *autoscaler;
    VEC(struct node_record *) found;
};
void unneeded_add(struct unneeded_update *update, struct node_record *record, const pod_list *pods,
                  bool risky);
void unneeded_finish(struct unneeded_update *update);

/* Taints the nodes and begins their deletion. */
enum scale_down_result start_deletion(struct cluster_autoscaler *autoscaler, node_list *empty,
                                      node_list *to_drain);

/* Asks the scheduler to avoid nodes that are not needed. */
void update_soft_taints(struct cluster_autoscaler *autoscaler);

#endif
