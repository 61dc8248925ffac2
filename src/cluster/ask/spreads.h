/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the pods of one revision that do not terminate can be, in all: *spreads*, each of which
 * says how many nodes have how many of them.
 *
 * Of what the scheduler looks at, a spread has all but the room that other pods take and nodes that
 * are away, if the pods of the revision neither look at others nor do others look at them. From the
 * spread without pods on, or that of a dump, a pod that is bound is added to a node that its user
 * may allow it, as long as there may be more of them, and any pod may be gone.
 */
#ifndef FATHOM_CLUSTER_ASK_SPREADS_H
#define FATHOM_CLUSTER_ASK_SPREADS_H

#include "cluster/forward.h"
#include "decide/view.h"

#include <stdbool.h>
#include <stdint.h>

/* With more spreads nothing is concluded. */
enum { SPREADS_MOST = 400 };

/* Node configs, with no pods but those of the revision, and how many nodes have each. */
struct spread {
    struct view_node *nodes; /* by config */
    uint32_t node_count;
    uint32_t pods;
};

struct spreads {
    struct worker *worker;
    uint32_t revision;
    uint32_t pods_most; /* of the revision that do not terminate, at once */
    struct spread items[SPREADS_MOST];
    uint32_t count;
    bool overflowed;
};

/* Is nothing but room between the pods of the revision and all others of the model, and do runs of
 * the model begin without pods on nodes? */
bool spreads_are_known(struct worker *worker, uint32_t revision);
/* The same where runs begin with the pods of a dump, on nodes that are up. */
bool spreads_are_known_of_dump(struct worker *worker, uint32_t revision);
/* Room for the spreads of the revision, in the worker's scratch. */
struct spreads *spreads_create(struct worker *worker, uint32_t revision);
/* Finds them. `bind` is asked to add all spreads that come of this one when a pod is bound, if
 * there may be one more. */
void spreads_find(struct spreads *spreads,
                  void (*bind)(struct spreads *spreads, const struct spread *spread, void *context),
                  void *context);
/* Adds the one in which a pod more is on a node of the entry; gives the config of that node. */
uint32_t spreads_add_bound(struct spreads *spreads, const struct spread *spread, uint32_t entry);

#endif
