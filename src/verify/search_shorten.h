/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves steps out of a run that violates a property.
 *
 * A search comes across workloads that have nothing to do with what it finds. The run is therefore
 * taken again without the steps of some workloads, then without some single steps; what cannot be
 * taken then is left out, too. If the property is still violated, the shorter run counts.
 */
#ifndef FATHOM_VERIFY_SEARCH_SHORTEN_H
#define FATHOM_VERIFY_SEARCH_SHORTEN_H

#include "base/budget.h"
#include "cluster/population.h"
#include "explore/explore.h"

/* A run that violates property `number` of the worker's model as `path` does, and is not longer.
 * A loop that goes round is left as it is. When the budget is over, the shortest run so far is
 * given. */
struct run_path search_shorten(struct arena *arena, struct worker *worker, uint32_t number,
                               const struct run_path *path, const struct budget *budget);

#endif
