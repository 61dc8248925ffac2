/* SPDX-License-Identifier: Apache-2.0 */
/* On which nodes a DaemonSet wants pods, and whether it has them. */
#ifndef FATHOM_CLUSTER_ASK_DAEMON_SETS_H
#define FATHOM_CLUSTER_ASK_DAEMON_SETS_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* The DaemonSet wants so many pods. */
uint32_t daemon_set_wanted(struct worker *worker, const struct state *state, uint32_t workload);

/* Are all nodes as the DaemonSet wants them? `updated`: pods of a former template do not count. */
bool daemon_set_converged(struct worker *worker, const struct state *state, uint32_t workload,
                          bool updated);

#endif
