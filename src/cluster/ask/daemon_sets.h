/* SPDX-License-Identifier: Apache-2.0 */
/* On which nodes a DaemonSet wants pods, and whether it has them. */
#ifndef FATHOM_CLUSTER_ASK_DAEMON_SETS_H
#define FATHOM_CLUSTER_ASK_DAEMON_SETS_H

#include <stdbool.h>
#include <stdint.h>

struct population_state;
struct population_worker;

/* The DaemonSet wants so many pods. */
uint32_t daemon_set_wanted(struct population_worker *worker, const struct population_state *state,
                           uint32_t workload);

/* Are all nodes as the DaemonSet wants them? `updated`: pods of a former template do not count. */
bool daemon_set_converged(struct population_worker *worker, const struct population_state *state,
                          uint32_t workload, bool updated);

#endif
