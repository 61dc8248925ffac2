/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is true of every state of the model (docs/invariants.md numbers it the same).
 *
 *   1  nodes      as many nodes as the setup has, each entry at least one, and each
 *                 config in the catalog
 *   2  pods       a pod on a node is of a class that exists, of a revision that exists; a
 *                 pod that waits for its node stands with those that wait, no other does
 *   3  workloads  replicas are not negative; the present revision is one of the workload's
 *   4  waiting    no more pods wait than their words can hold; pods that are on their
 *                 nodes from the beginning do not wait
 *   5  places     no more places are kept for pods of a class than such pods wait
 *   6  ranges     events have come at most as often as they may, loads are totals of their
 *                 workload, the focus is a workload
 *   7  form       a state that is unpacked and packed again has the same words
 *   8  writes     a step changes no part of a state that its actor does not write
 *
 * Debug builds check them whenever a step is emitted; a state that violates one is a bug
 * of the model, and the message names the actor.
 */
#ifndef FATHOM_CLUSTER_STATE_INVARIANTS_H
#define FATHOM_CLUSTER_STATE_INVARIANTS_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

/* Parts of a state, for what an actor reads and writes. */
enum state_part {
    PART_WORKLOADS = 1 << 0,   /* replicas and the present revision */
    PART_STATUSES = 1 << 1,    /* what the controller of a workload remembers */
    PART_SETS = 1 << 2,        /* ReplicaSets */
    PART_WAITING = 1 << 3,     /* pods that wait for a node */
    PART_PODS = 1 << 4,        /* pods on nodes, or waiting for one node alone */
    PART_NODES = 1 << 5,       /* conditions and pressures of nodes */
    PART_NOMINATIONS = 1 << 6, /* places that are kept for pods */
    PART_LOADS = 1 << 7,       /* the load that workloads bear */
    PART_EVENTS = 1 << 8,      /* how often events have come */
    PART_CLOCKS = 1 << 9,      /* time left, ages, memories of autoscalers */
    PART_NOTES = 1 << 10,      /* what autoscalers and the scheduler remember without clocks */
    PART_EVERYTHING = (1 << 11) - 1,
};

/* Does a state that comes from elsewhere have 1 to 6? */
bool invariants_hold(struct worker *worker, const uint32_t *words, uint32_t length);
/* Stops the program with the number of the invariant and the name of who made the state,
 * if it breaks one of 1 to 7. */
void invariants_check(struct worker *worker, const uint32_t *words, uint32_t length,
                      const char *who);
/* Likewise 8: `writes` are the parts that may differ. */
void invariants_check_writes(struct worker *worker, const struct state *from,
                             const struct state *to, unsigned writes, const char *who);

#endif
