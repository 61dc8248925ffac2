/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run in which the others fill the cluster, and what one workload can do then.
 *
 * Some violations need a workload whose pods gather on one node, because all other nodes are full.
 * A run that always takes the step that seems nearest does not get there: it takes many workloads
 * to fill the nodes, and then the right steps of the one. So this is done in four phases:
 *
 *   1. All workloads act, until nobody has anything to do; but the pods of the one do not become
 *      ready. Nothing happens from outside.
 *   2. What can happen to workloads from outside happens. All workloads act but the one, and no pod
 *      that terminates is ever gone. So all room is taken, if it can be: until a pod finds no node.
 *      Pods start as late as they can, so that autoscalers act in the middle of rollouts.
 *   3. Pods that terminate on one node are gone, those of the node that has the most room then.
 *   4. The workload acts in every order while the others do nothing, and events come to nodes that
 *      have the most pods of it.
 *
 * Each step of such a run is one that the model has. So what it violates is violated, if the run
 * can be taken again in the model in which all act (fair_run.h). Only what must never happen is
 * judged.
 */
#ifndef FATHOM_VERIFY_SEARCH_FILLED_H
#define FATHOM_VERIFY_SEARCH_FILLED_H

#include "verify/search_run.h"

#define NOBODY_LEADS UINT32_MAX

/* Looks for violations of the properties that are `open`, as bits; `leader`: the workload, of
 * `workload_count`, or NOBODY_LEADS: then the run ends when all of them have filled the cluster.
 * The guide's limits apply, and `steps_most` states are explored in the end. */
void search_filled(struct arena *arena, struct worker *worker, uint32_t leader,
                   uint32_t workload_count, const struct search_guide *guide, uint64_t open,
                   struct search_findings *findings);

#endif
