/* SPDX-License-Identifier: Apache-2.0 */
/* Where the scheduler would put a pod follows from what it sees of the nodes, and many states
 * differ in other things: how many pods wait, which of those on a node have started, what the
 * autoscaler said last. */
#ifndef FATHOM_CLUSTER_ASK_KNOWN_PLACEMENTS_H
#define FATHOM_CLUSTER_ASK_KNOWN_PLACEMENTS_H

#include "cluster/forward.h"
#include "cluster/others.h"

#include <stdbool.h>
#include <stdint.h>

struct view;

/* What is remembered beside the entries. */
struct placement_facts {
    bool images_could_decide; /* true if they could lead to another entry */
    enum crowding crowding;
};

/* Is it known to which entries of the view a pod of this class that is nominated nowhere may go?
 * `best` has a bit for each of them. If images could decide, the worker's findings say so. */
bool placement_is_known(struct worker *worker, const struct view *view, uint32_t class,
                        uint32_t *best, enum crowding *crowding);
void placement_remember(struct worker *worker, const struct view *view, uint32_t class,
                        const uint32_t *entries, uint32_t count, struct placement_facts facts);

#endif
