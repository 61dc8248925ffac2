/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The naive twin of the population model (src/model/population): the same
 * cluster with every node and every pod by itself.
 *
 * No classes, no counts, no reductions: a state is a list of nodes, each in its
 * condition, and of places for pods, each with its revision, stage, usage and
 * node; a new pod takes the first free place. The decisions are made by the same
 * code as in the population model, with every count 1; everything around them
 * (what a step is, what it changes, what intents see) is written here again, in
 * the plainest way. Fairness is per object: each pod, node and workload.
 *
 * Deployments and ReplicaSets, the scheduler without preemption, kubelets,
 * taints, drains with budgets, autoscalers by CPU; the events nodeFailure,
 * maintenance, cpuChange, scale and apply. See twin_supports.
 */
#ifndef FATHOM_TEST_TWIN_TWIN_H
#define FATHOM_TEST_TWIN_TWIN_H

#include "base/text.h"
#include "explore/model.h"
#include "setup/setup.h"

struct twin;

enum { TWIN_PODS_MOST = 14, TWIN_NODES_MOST = 6 };

/* NULL if the setup is not of the kind above. */
struct twin *twin_create(struct memory *memory, const struct scope *scope,
                         const struct setup *setup, const struct check_intent *intents,
                         uint32_t intent_count, const struct property *properties);
void twin_free(struct twin *twin);
const struct model *twin_model(const struct twin *twin);
/* More pods at once than there are places: nothing counts. */
bool twin_overflowed(const struct twin *twin);

/* The state without names: equal for states that differ by renaming alone. */
void twin_fold(struct twin *twin, const uint32_t *words, struct text *text);

#endif
