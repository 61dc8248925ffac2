/* SPDX-License-Identifier: Apache-2.0 */
/* How far the controllers are with their workloads. */
#ifndef FATHOM_CLUSTER_ASK_PROGRESS_H
#define FATHOM_CLUSTER_ASK_PROGRESS_H

#include "base/arena.h"
#include "object/check.h"

struct population;
struct population_state;

/* ---- converge.c ---- */
/* Is the workload as its spec wants? `rolled_out`: pods of a former template do not count,
 * even where only the user replaces them (OnDelete). */
bool workload_converged(const struct population *population, const struct population_state *state,
                        uint32_t workload, bool rolled_out);

/* ---- step_stateful_sets.c ---- */
/* "it waits for pod db-1 to become ready"; NULL: it waits for nothing. */
const char *stateful_set_note(struct population *population, const struct population_state *state,
                              uint32_t workload, struct arena *arena);

/* ---- step_jobs.c ---- */

/* ---- step_daemon_sets.c ---- */

#endif
