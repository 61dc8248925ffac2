/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: the recorded scenarios as objects, to be changed and decided again. */
#ifndef FATHOM_DECIDE_SCHEDULER_SCHEDULER_CASES_H
#define FATHOM_DECIDE_SCHEDULER_SCHEDULER_CASES_H

#include "decide/scheduler/folding.h"
#include "decide/scheduler/scheduler.h"
#include "decide/scheduler/scheduler_scenario.h"

typedef void scheduler_case_visit(struct arena *arena, const char *id,
                                  const struct scheduler_scenario *scenario, void *context);

/* Calls `visit` for every scenario that is recorded of 1.26, and for those of 1.36 that are about
 * what came since; the arena is emptied after each. */
void scheduler_cases_each(scheduler_case_visit *visit, void *context);

/* A cluster that is ready for a decision. */
struct scheduler_case {
    struct catalog *catalog;
    struct profiles profiles;
    struct view view;
    struct folding folding; /* if it was folded */
    struct scheduler *scheduler;
    const struct decision *decision;
    const struct preemption *preemption; /* NULL: some node is feasible */
};

/* Decides for the scenario's pod, node by node or folded into classes. To be
 * released with scheduler_release. */
void scheduler_case_decide(struct arena *arena, const struct scheduler_scenario *scenario,
                           bool folded, struct scheduler_case *result);

/* Copies that can be changed: the objects, their list, and of nodes the labels and taints. */
struct scheduler_scenario scheduler_case_copy(struct arena *arena,
                                              const struct scheduler_scenario *scenario);

const char *scheduler_case_node_name(const struct scheduler_case *result, uint32_t entry);

bool scheduler_case_is_best(const struct scheduler_case *result, uint32_t entry);

/* The same plugin turned the node down for the same reason, or all scores are equal. */
bool scheduler_case_same_node(const struct node_decision *left, const struct node_decision *right,
                              uint32_t score_count);

/* Equal, or both NULL. */
bool scheduler_case_same_text(const char *left, const char *right);

/* Pseudo-random numbers that are the same on every machine. */
uint32_t scheduler_case_random(uint64_t *seed, uint32_t below);

#endif
