/* SPDX-License-Identifier: Apache-2.0 */
/* What the two versions of DeschedulerPolicy share, and the old one's reading. */
#ifndef FATHOM_OBJECT_DESCHEDULER_POLICY_PARTS_H
#define FATHOM_OBJECT_DESCHEDULER_POLICY_PARTS_H

#include "object/descheduler_policy.h"
#include "object/schema.h"

extern const struct field_hook descheduler_nodes_hook;

#define DESCHEDULER_LIMIT_FIELDS                                             \
    FIELD_OPTIONAL_INT("maxNoOfPodsToEvictPerNamespace", descheduler_policy, \
                       evictions_per_namespace_most, 0, INT64_MAX),          \
        FIELD_OPTIONAL_INT("maxNoOfPodsToEvictPerNode", descheduler_policy,  \
                           evictions_per_node_most, 0, INT64_MAX)

extern const struct schema descheduler_policy_v1alpha1_schema;
void descheduler_policy_convert_v1alpha1(struct reading *reading, const struct path *path,
                                         void *object);

#endif
