/* SPDX-License-Identifier: Apache-2.0 */
/* What is left out of states and steps because nobody can tell the difference. */
#ifndef FATHOM_CLUSTER_REDUCE_REDUCTIONS_H
#define FATHOM_CLUSTER_REDUCE_REDUCTIONS_H

#include "cluster/population.h"

struct expansion;
struct population;
struct population_state;

/* ---- reductions.c ---- */
void reductions_choose(struct population *population);
/* Only the step by which some set makes pods; false: none has to. */
bool create_first(struct expansion *expansion);

/* ---- apart.c ---- */
/* Is there nothing but room on nodes between the workloads? */
bool workloads_may_part(const struct population *population);
/* Can each be looked at by itself from this state on, and why? */
enum population_parting workloads_part(struct population *population,
                                       const struct population_state *state);

/* ---- apart_failures.c ---- */
extern const struct failure_reduction failure_reduction;

/* ---- readiness.c ---- */
/* Can anybody see whether a pod that is bound is ready? */
bool readiness_matters(const struct population *population);

/* ---- step_kubelets.c ---- */
bool admission_matters(struct population *population);

bool observed_needs_readiness(const struct population *population);

#endif
