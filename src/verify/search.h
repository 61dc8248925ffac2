/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search for violations beyond what can be explored.
 *
 * Some violations need steps of many workloads: all of them are rolled out at once, and new pods
 * find no room beside those that still terminate. No exploration from the start gets there, but a
 * run that always takes the step that leaves the least room does, in some hundred steps. The search
 * makes a number of such runs of the whole model (search_run.h), for each intent that is open.
 *
 * What it finds is violated, by a run that the model can take and that is fair. What it does not
 * find is as open as before. The outcome is the same whenever the same is asked.
 */
#ifndef FATHOM_VERIFY_SEARCH_H
#define FATHOM_VERIFY_SEARCH_H

#include "verify/setup_query.h"

/* How long is searched. */
struct search_limits {
    uint64_t seed;
    uint64_t rounds; /* each has a run for every intent that is open ... */
    bool by_chance;  /* ... and one that is left to chance */
    uint64_t effort; /* so many steps are looked at in these */
    bool filled;     /* then come some in which others fill the cluster (search_filled.h) */
};

/* Searches for violations of what is asked; the query's limits apply, too, steps that are taken
 * being counted as states. Fills in what is violated, and leaves the rest undecided. */
void setup_search(const struct setup_query *query, const struct search_limits *limits,
                  struct memory *memory, struct memory *stories, struct setup_outcome *outcome);

#endif
