/* SPDX-License-Identifier: Apache-2.0 */
/* With clocks: which nodes that do not answer are tainted, and for how long they have been. */
#ifndef FATHOM_CLUSTER_ASK_TAINT_AGES_H
#define FATHOM_CLUSTER_ASK_TAINT_AGES_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* The age of the node's taint, in half ticks; UINT32_MAX if it was there from the beginning. */
uint32_t node_taint_age(struct worker *worker, const struct state *state, uint32_t entry);
/* Does the node have the NoExecute taints that its template says? */
bool clock_node_is_tainted(struct worker *worker, const struct state *state, uint32_t entry);

/* Has this pod on this node been tolerated for so many seconds? */
bool clock_tolerated_for(struct worker *worker, const struct state *state, uint32_t entry,
                         uint32_t class, int64_t seconds);

/* Has the node of the entry been in its condition for longer than so many nanoseconds? */
bool node_is_older(struct worker *worker, const struct state *state, uint32_t entry, int64_t limit);

#endif
