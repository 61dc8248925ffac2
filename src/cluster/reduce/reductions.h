/* SPDX-License-Identifier: Apache-2.0 */
/* What is left out of states and steps because nobody can tell the difference. */
#ifndef FATHOM_CLUSTER_REDUCE_REDUCTIONS_H
#define FATHOM_CLUSTER_REDUCE_REDUCTIONS_H

#include "cluster/emit.h"

#include <stdbool.h>

struct expansion;
struct population;
struct population_state;
struct population_worker;

void reductions_choose(struct population *population);
/* Only the step by which some set makes pods; false: none has to. */
bool create_first(struct expansion *expansion);

extern const struct failure_reduction failure_reduction;

#endif
