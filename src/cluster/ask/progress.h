/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a workload is as its spec wants, so that its controller has nothing to do. */
#ifndef FATHOM_CLUSTER_ASK_PROGRESS_H
#define FATHOM_CLUSTER_ASK_PROGRESS_H

#include "base/arena.h"
#include "cluster/forward.h"
#include "object/check.h"

/* Is the workload as its spec wants? `rolled_out`: pods of a former template do not count,
 * even where only the user replaces them (OnDelete). */
bool workload_converged(struct worker *worker, const struct state *state, uint32_t workload,
                        bool rolled_out);

#endif
