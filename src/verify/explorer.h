/* SPDX-License-Identifier: Apache-2.0 */
/* Who explores the model of a setup, if not this process alone (explore_run). */
#ifndef FATHOM_VERIFY_EXPLORER_H
#define FATHOM_VERIFY_EXPLORER_H

#include "cluster/population.h"
#include "explore/explore.h"

struct crew;
struct setup_query;

struct explorer {
    /* As explore_run. What others have found out about the model goes into the findings of the
     * crew's worker. */
    struct exploration *(*explore)(void *context, const struct setup_query *query,
                                   enum population_reductions reductions, struct crew *crew,
                                   const struct explore_options *options, struct memory *memory);
    void *context;
};

#endif
