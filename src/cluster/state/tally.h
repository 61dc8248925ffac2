/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of pods in a state, and other questions about it that need no decider. */
#ifndef FATHOM_CLUSTER_STATE_TALLY_H
#define FATHOM_CLUSTER_STATE_TALLY_H

#include "cluster/forward.h"
#include "cluster/state/config_facts.h"

#include <stdbool.h>
#include <stdint.h>

/* Gives the workload this number of replicas. */
void state_set_replicas(const struct population *population, struct state *state, uint32_t workload,
                        int32_t replicas);
/* Pods of a revision that are not terminating, pending ones included. */
uint32_t state_active(struct worker *worker, const struct state *state, uint32_t revision);
/* The same of each revision; in the scratch arena. */
const uint32_t *state_active_of_all(struct worker *worker, const struct state *state);
/* Is a pod of the revision pending that is for one node only? */
bool state_waits_for_nodes(struct worker *worker, const struct state *state, uint32_t revision);
/* Pods of a revision that are ready. */
uint32_t state_ready(struct worker *worker, const struct state *state, uint32_t revision);
/* Pods of a revision that are terminating. */
uint32_t state_terminating(struct worker *worker, const struct state *state, uint32_t revision);
/* From now on pods are counted once: the state does not change any more. */
void state_keep_tally(struct worker *worker, struct state *state);
/* The same of a successor of `from`, whose counts are used. */
void state_tally_after(struct worker *worker, const struct state *from, struct state *state);
/* Are all nodes known to be up and without taints? */
bool state_nodes_are_plain(struct worker *worker, const struct state *state);
/* Pods of a workload that are not terminating, pending ones included. */
uint32_t state_workload_active(struct worker *worker, const struct state *state, uint32_t workload);
/* All pods of a workload, except those that are pending and not for one node only. */
struct revision_pods state_workload_pods(struct worker *worker, const struct state *state,
                                         uint32_t workload);
/* Entries of nodes from `first` on, up to and without `end`. */
struct entry_range {
    uint32_t first;
    uint32_t end;
};

/* All nodes in which both states differ are in these entries. */
struct entry_range state_changed_entries(const struct state *from, const struct state *state);
/* How many are ready of `state`, which differs from `from` in nodes of these entries: only these
 * are counted. */
uint32_t state_workload_ready_after(struct worker *worker, const struct state *from,
                                    const struct state *state, struct entry_range changed,
                                    uint32_t workload);
/* So many pods of the workload are ready on each node of the config. */
uint32_t config_ready(struct worker *worker, uint32_t config, uint32_t workload);
/* The object whose rules the workload follows now. */
const struct object *state_spec(const struct population *population, const struct state *state,
                                uint32_t workload);
/* The entry of the node of this name; UINT32_MAX: there is none. */
uint32_t state_find_named(struct worker *worker, const struct state *state, const char *name);
/* Does a state have a word for a set of this revision's? */
bool revision_has_set(const struct population *population, uint32_t revision);
/* The most replicas that the workload can be given. */
int32_t population_replicas_most(const struct population *population, uint32_t workload);

#endif
