/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PodDisruptionBudgets of a state: their statuses, which the disruption
 * controller writes, and the answers of the eviction API.
 *
 * The rules are those of the deciders (decide/controller/disruption.h and
 * eviction.h), for the Kubernetes version of the options; here the pods of a
 * state are only counted for them. Whether a budget counts a pod and whether it
 * guards the pod against an eviction are two questions, which have different
 * answers for `selector: {}` up to 1.28.
 */
#ifndef FATHOM_CLUSTER_ASK_BUDGETS_H
#define FATHOM_CLUSTER_ASK_BUDGETS_H

#include "cluster/forward.h"
#include "cluster/state/workloads.h"
#include "decide/view.h"
#include "object/policy.h"

struct pod_disruption_budget;
struct view_budget;

/* Does the disruption controller count pods of this revision for the budget's status? It is asked
 * while the model is built; population->budgets knows it then. */
bool budget_counts(const struct population *population, const struct pod_disruption_budget *budget,
                   uint32_t revision);

/* Does the eviction API ask this budget when a pod of this revision is to be evicted? The revision
 * knows its guards when the model is built. */
bool budget_guards(const struct population *population, const struct pod_disruption_budget *budget,
                   uint32_t revision);

/* Does a budget count pods of several workloads? What it allows depends then on whose pods there
 * are, and pods that terminate are among them. */
bool budgets_span_workloads(const struct population *population);

/* The budget as the disruption controller leaves it in this state. */
struct eviction_budget budget_now(struct worker *worker, const struct state *state,
                                  uint32_t number);

/* The budget as the eviction API finds it: the same, or what was written last if statuses lag
 * (state/notes.h). */
struct eviction_budget budget_seen(struct worker *worker, const struct state *state,
                                   uint32_t number);
/* A status as a note. */
uint32_t budget_note(const struct eviction_budget *status);

/* All budgets that are not deleted, for a view; in the scratch arena. */
const struct view_budget *state_budgets(struct worker *worker, const struct state *state,
                                        uint32_t *count);

/* Does the eviction API allow the eviction of a pod of this revision and stage? */
bool eviction_is_allowed(struct worker *worker, const struct state *state, uint32_t revision,
                         enum pod_stage stage);
/* The API server evicts such a pod and lowers the status of its budget. */
void eviction_spends(struct worker *worker, struct state *next, uint32_t revision,
                     enum pod_stage stage);

#endif
