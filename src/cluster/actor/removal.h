/* SPDX-License-Identifier: Apache-2.0 */
/* A controller deletes pods of one revision, so many in each place. */
#ifndef FATHOM_CLUSTER_ACTOR_REMOVAL_H
#define FATHOM_CLUSTER_ACTOR_REMOVAL_H

#include "base/vec.h"
#include "cluster/emit.h"

/* Pods of one class: on the nodes of an entry, or (UINT32_MAX) waiting for a node. */
struct pods_at {
    uint32_t entry;
    uint32_t class;
    uint32_t count; /* on all these nodes */
};

struct removal {
    struct expansion *expansion;
    struct happening happening; /* about the revision */
    VEC(struct pods_at) places;
    const uint32_t *amounts;              /* of each place */
    const struct workload_status *status; /* of the workload afterwards; NULL: as before */
};

/* Lists the places where the revision has pods; `terminating`: those that terminate, too. */
void removal_find_places(struct removal *removal, bool terminating);
/* Hands over all steps that take these amounts. (A visitor of replica_set_each_removal.) */
void removal_emit(void *removal, const uint32_t *amounts);

#endif
