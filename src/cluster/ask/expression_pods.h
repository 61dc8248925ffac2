/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of a state, for expressions. The numbers of such an object: of a pod on a node its class and
 * the entry of the node plus one; of one that waits for a node its revision and 0. */
#ifndef FATHOM_CLUSTER_ASK_EXPRESSION_PODS_H
#define FATHOM_CLUSTER_ASK_EXPRESSION_PODS_H

#include "cluster/ask/expression_cluster.h"

/* Which pods a bag has. */
struct pod_choice {
    bool (*wants)(const struct expression_cluster *cluster, uint32_t revision, uint32_t entry,
                  uint32_t wanted); /* `entry` is UINT32_MAX of pods that wait for a node */
    uint32_t wanted;                /* what the function compares with */
    bool per_node; /* true if the pods of one node of an entry are counted, not of all its nodes */
};

struct expression_value pods_chosen(const struct expression_cluster *cluster, struct arena *scratch,
                                    struct pod_choice choice);

/* The revision that the pod is of. */
uint32_t pod_object_revision(const struct expression_cluster *cluster,
                             struct expression_object object);

/* ---- variables and fields ---- */

struct expression_value read_pods(void *context, struct arena *scratch);
#define POD_FIELD(name)                                                            \
    struct expression_value pod_field_##name(void *context, struct arena *scratch, \
                                             struct expression_object object);
POD_FIELD(labels)
POD_FIELD(namespace)
POD_FIELD(owner)
POD_FIELD(phase)
POD_FIELD(ready)
POD_FIELD(terminating)
POD_FIELD(node)
POD_FIELD(revision)
POD_FIELD(current)
POD_FIELD(requests)
POD_FIELD(priority)
#undef POD_FIELD
/* The pods of a workload. */
struct expression_value workload_field_pods(void *context, struct arena *scratch,
                                            struct expression_object object);
const char *pod_title(void *context, struct arena *arena, struct expression_object object);

#endif
