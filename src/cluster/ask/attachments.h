/* SPDX-License-Identifier: Apache-2.0 */
/* Which disks are attached to which nodes: a disk is attached to one node at a time. */
#ifndef FATHOM_CLUSTER_ASK_ATTACHMENTS_H
#define FATHOM_CLUSTER_ASK_ATTACHMENTS_H

#include "cluster/forward.h"

#include <stdint.h>

/* The disk of a pod of the revision on a node of the entry that is attached to another node, so
 * that the pod cannot start; NULL: there is none. */
const char *disk_attached_elsewhere(struct worker *worker, const struct state *state,
                                    uint32_t entry, uint32_t revision);

#endif
