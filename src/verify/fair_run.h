/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that were found while some workloads led (worker.h), held against the model in which all act
 * in every order. */
#ifndef FATHOM_VERIFY_FAIR_RUN_H
#define FATHOM_VERIFY_FAIR_RUN_H

#include "cluster/population.h"
#include "explore/explore.h"

/* Is the path a run of the whole model, and is it fair there to everybody if it goes on for ever?
 * Gives its steps the numbers that they have there. From now on no workload leads. */
bool is_fair_run(struct arena *arena, struct worker *worker, struct run_path *path);

#endif
