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
/* Is a pod of a Job running, so that it may come to its end at any moment? */
bool jobs_run(const struct population *population, const struct population_state *state);
/* Pods of a Job that have come to their end, and are still there as objects; at
 * least 1 if there are any. */
uint32_t jobs_finished(const struct population *population, const struct population_state *state,
                       uint32_t workload);

/* ---- step_daemon_sets.c ---- */
/* How many pods the DaemonSet wants; how many of its nodes are as it wants them. */
uint32_t daemon_set_wanted(const struct population *population,
                           const struct population_state *state, uint32_t workload);
bool daemon_set_converged(const struct population *population, const struct population_state *state,
                          uint32_t workload, bool updated);

#endif
